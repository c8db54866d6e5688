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
    if may_be_caught(model, call, _ERRORS):
        return True
    pending, seen = [model.unit(call)], set[int]()
    while pending:
        unit = pending.pop()
        if id(unit) in seen:
            continue
        seen.add(id(unit))
        for edge in model.calls.untraced(unit):
            if may_be_caught(model, edge.node, _ERRORS):
                return True
            pending.append(edge.caller)
    return False


def expects_none(model: SemanticModel, call: cst.Call) -> bool:
    """Whether something asks if the result of a call, or a member of it, is None."""
    unit = model.unit(call)
    names = set(_names_of_result(model, call))
    names |= set(_names_of_members(unit, call, names))
    return any(
        (isinstance(asked, cst.Name) and asked.value in names) or asked is call
        for asked in _asked_for_none(unit)
    )


def _names_of_result(model: SemanticModel, call: cst.Call) -> Iterator[str]:
    for ancestor in model.ancestors(call):
        if isinstance(ancestor, cst.Assign):
            for target in ancestor.targets:
                yield from target_names(target.target)
        elif isinstance(ancestor, cst.NamedExpr):
            yield from target_names(ancestor.target)
        elif isinstance(ancestor, cst.BaseStatement):
            return


def _names_of_members(unit: Unit, call: cst.Call, names: set[str]) -> Iterator[str]:
    """The targets of loops that go through the result."""
    for node in unit.nodes(into_scopes=False):
        if isinstance(node, (cst.For, cst.CompFor)):
            for inner in walk(node.iter):
                if inner is call or (isinstance(inner, cst.Name) and inner.value in names):
                    yield from target_names(node.target)


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
