"""Keeps the tensors that a loop computes, and reads their values once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword
from typing import TypeAlias

import libcst as cst

from tfxla_lint.edits import InsertAfter, InsertBefore, NodeEdit, Replace, Rewrite, Statement
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.naming import unused
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.values import KERAS_OBJECTS, Kind

from .deferrable_lists import DeferrableList, deferrable_list
from .deferrable_totals import DeferrableTotal, deferrable_total
from .syncs import Sync

Deferrable: TypeAlias = "DeferrableList | DeferrableTotal"


def read_after_loop(model: SemanticModel, syncs: Sequence[Sync]) -> Rewrite | None:
    """Collect or add up the tensors, and read them behind the loops.

    None where a wait would stay, or a comment in the reading would get lost.
    """
    kept: list[Deferrable] = []
    for sync in syncs:
        found = deferrable_list(model, sync) or deferrable_total(model, sync)
        if found is None or _has_comment(model, found) or _is_variable(model, found.tensor):
            return None
        kept.append(found)
    if not kept:
        return None
    return Rewrite(
        title="Keep the tensors, and read their values after the loop",
        edits=_edits(model, kept),
        applicability=Applicability.UNSAFE,
        assumption="assumes that " + " and that ".join(_assumed(each) for each in kept),
        unit=model.unit(kept[0].element).qualname,
    )


def _assumed(kept: Deferrable) -> str:
    if isinstance(kept, DeferrableTotal):
        return f"`{kept.name}` stays in the range of {kept.dtype}"
    return f"the device has room for the tensors that `{kept.name}` will hold"


def _edits(model: SemanticModel, kept: Sequence[Deferrable]) -> list[NodeEdit]:
    edits: list[NodeEdit] = []
    loops: dict[int, tuple[Loop, list[Statement]]] = {}
    for each in kept:
        edits.append(Replace(each.element, each.tensor))
        if isinstance(each, DeferrableList):
            edits += [Replace(part, _values_of(model, each, part)) for part in each.picked]
            text = f"{each.name} = {_values(model, each, each.name)}"
        else:
            text = f"{each.name} = int({each.name})"
        line = cst.ensure_type(cst.parse_statement(text), cst.SimpleStatementLine)
        if isinstance(each, DeferrableList) and each.flush is not None:
            edits.append(InsertBefore(each.flush, [line]))
            continue
        loops.setdefault(id(each.loop), (each.loop, []))[1].append(line)
    return edits + [InsertAfter(loop, lines) for loop, lines in loops.values()]


def _is_variable(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether this is a variable, which holds something else once the loop is over, as those of Keras are."""
    if model.value(node).kind is Kind.VARIABLE:
        return True
    return isinstance(node, cst.Attribute) and model.value(node.value).kind in KERAS_OBJECTS


def _has_comment(model: SemanticModel, kept: Deferrable) -> bool:
    """Whether a comment stands in the reading, around the tensor."""
    whole, part = (model.code(n) for n in (kept.element, kept.tensor))
    return "#" in whole.replace(part, "", 1)


def _values_of(model: SemanticModel, filled: DeferrableList, part: cst.Subscript) -> str:
    """What `losses[-1]` or `losses[-20:]` held before."""
    text = model.code(part.with_changes(lpar=[], rpar=[]))
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
