"""Keeps the tensors that a loop computes, and reads their values once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword

import libcst as cst

from tfxla_lint.edits import InsertAfter, NodeEdit, Replace, Rewrite, Statement
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.naming import unused
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.deferrable_lists import DeferrableList, deferrable_list
from tfxla_lint.semantics.repeated.syncs import Sync
from tfxla_lint.semantics.scopes import Scope


def read_after_loop(model: SemanticModel, syncs: Sequence[Sync]) -> Rewrite | None:
    """Append the tensors, and read the lists behind the loops; None where any wait would stay."""
    found = [deferrable_list(model, sync) for sync in syncs]
    lists = [filled for filled in found if filled is not None]
    if not lists or len(lists) != len(found) or any(_has_comment(model, f) for f in lists):
        return None
    edits: list[NodeEdit] = []
    loops: dict[int, tuple[Loop, list[Statement]]] = {}
    for filled in lists:
        edits.append(Replace(filled.element, filled.tensor))
        edits += [Replace(part, _values_of(model, filled, part)) for part in filled.picked]
        line = cst.parse_statement(f"{filled.name} = {_values(model, filled, filled.name)}")
        assert isinstance(line, cst.SimpleStatementLine)
        loops.setdefault(id(filled.loop), (filled.loop, []))[1].append(line)
    edits += [InsertAfter(loop, lines) for loop, lines in loops.values()]
    names = " and ".join(f"`{filled.name}`" for filled in lists)
    return Rewrite(
        title="Keep the tensors, and read their values after the loop",
        edits=edits,
        applicability=Applicability.UNSAFE,
        assumption=f"assumes that the device has room for the tensors that {names} will hold",
        unit=model.unit(lists[0].element).qualname,
    )


def _has_comment(model: SemanticModel, filled: DeferrableList) -> bool:
    """Whether a comment stands in the reading, around the tensor."""
    whole, part = (model.module.code_for_node(n) for n in (filled.element, filled.tensor))
    return "#" in whole.replace(part, "", 1)


def _values_of(model: SemanticModel, filled: DeferrableList, part: cst.Subscript) -> str:
    """What `losses[-1]` or `losses[-20:]` held before."""
    text = model.module.code_for_node(part.with_changes(lpar=[], rpar=[]))
    if isinstance(part.slice[0].slice, cst.Slice):
        return _values(model, filled, text)
    return f"{filled.before}{text}{filled.after}"


def _values(model: SemanticModel, filled: DeferrableList, tensors: str) -> str:
    name = _element_name(model, filled)
    return f"[{filled.before}{name}{filled.after} for {name} in {tensors}]"


def _element_name(model: SemanticModel, filled: DeferrableList) -> str:
    """The name that the tensor has in the loop, or one made of the list's that hides no other."""
    if isinstance(filled.tensor, cst.Name):
        return filled.tensor.value
    return unused(_singular(filled.name), _visible(model.unit(filled.element).scope))


def _singular(name: str) -> str:
    for ending, one in (("sses", "ss"), ("ies", "y"), ("s", "")):
        stem = name.removesuffix(ending)
        if stem not in (name, "") and not iskeyword(stem + one):
            return stem + one
    return "value"


def _visible(scope: Scope | None) -> set[str]:
    """The names that code in a scope knows."""
    found: set[str] = set()
    while scope is not None:
        found.update(scope.bindings, scope.reads)
        scope = scope.parent
    return found
