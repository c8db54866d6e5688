"""Whether code expects what asking a tape in vain gives: an exception, or None."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.guards import may_be_caught
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.units import Unit

_ERRORS = frozenset({"RuntimeError"})


def expects_failure(model: SemanticModel, call: cst.Call) -> bool:
    """Whether the exception that a call raises may be caught, here or around what runs this code."""
    leading = (edge.node for edge in model.calls.leading_to(model.unit(call)))
    return any(may_be_caught(model, node, _ERRORS) for node in (call, *leading))


def expects_none(model: SemanticModel, call: cst.Call) -> bool:
    """Whether something asks if the result of a call, or a member of it, is None."""
    unit = model.unit(call)
    asked = model.once(f"asked for None in {id(unit)}", lambda: _Asked(unit))
    if not asked.names and not asked.nodes:
        return False
    names = set(_names_of_result(model, call))
    names |= {target for name in names for target in asked.members.get(name, ())}
    names |= set(asked.members_of_calls.get(id(call), ()))
    return id(call) in asked.nodes or not names.isdisjoint(asked.names)


class _Asked:
    """What a function's code compares with None, and which of its loops go through what.

    `members` are the targets of loops by the names that they go through, `members_of_calls` those
    by the calls.
    """

    def __init__(self, unit: Unit) -> None:
        found = list(_asked_for_none(unit))
        self.names = {node.value for node in found if isinstance(node, cst.Name)} - {"None"}
        self.nodes = {id(node) for node in found}
        self.members: dict[str, list[str]] = {}
        self.members_of_calls: dict[int, list[str]] = {}
        if not found:
            return
        for node in unit.own(cst.For, cst.CompFor):
            for inner in walk(node.iter):
                if isinstance(inner, cst.Name):
                    self.members.setdefault(inner.value, []).extend(target_names(node.target))
                elif isinstance(inner, cst.Call):
                    targets = target_names(node.target)
                    self.members_of_calls.setdefault(id(inner), []).extend(targets)


def _names_of_result(model: SemanticModel, call: cst.Call) -> Iterator[str]:
    for ancestor in model.ancestors(call):
        if isinstance(ancestor, cst.Assign):
            for target in ancestor.targets:
                yield from target_names(target.target)
        elif isinstance(ancestor, cst.NamedExpr):
            yield from target_names(ancestor.target)
        elif isinstance(ancestor, cst.BaseStatement):
            return


def _asked_for_none(unit: Unit) -> Iterator[cst.BaseExpression]:
    """What the code of a unit compares with None."""
    for node in unit.nodes(into_scopes=False):
        if isinstance(node, cst.Comparison):
            sides = [node.left, *(target.comparator for target in node.comparisons)]
            if any(isinstance(side, cst.Name) and side.value == "None" for side in sides):
                yield from sides
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            if node.func.attr.value in _ASSERTIONS:
                yield from (argument.value for argument in node.args)


#: The methods of `unittest.TestCase` that compare with None.
_ASSERTIONS = frozenset({"assertIsNone", "assertIsNotNone"})
