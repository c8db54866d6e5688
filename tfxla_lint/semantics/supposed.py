"""What a test gives, if what it reads has the values that are supposed of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import libcst as cst

from tfxla_lint.semantics.values import Value

#: The value that is supposed of an expression; one without a constant where nothing is.
Supposed: TypeAlias = "Callable[[cst.BaseExpression], Value]"

_NONE = object()
_COMPARING: dict[type[cst.BaseCompOp], Callable[[Any, Any], bool]] = {
    cst.Equal: lambda left, right: left == right,
    cst.NotEqual: lambda left, right: left != right,
    cst.LessThan: lambda left, right: left < right,
    cst.LessThanEqual: lambda left, right: left <= right,
    cst.GreaterThan: lambda left, right: left > right,
    cst.GreaterThanEqual: lambda left, right: left >= right,
    cst.Is: lambda left, right: left is right,
    cst.IsNot: lambda left, right: left is not right,
    cst.In: lambda left, right: left in right,
    cst.NotIn: lambda left, right: left not in right,
}


def outcome(test: cst.BaseExpression, supposed: Supposed) -> bool | None:
    """Whether a test holds then; None where that is open."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = outcome(test.expression, supposed)
        return None if inner is None else not inner
    if isinstance(test, cst.BooleanOperation):
        decides = isinstance(test.operator, cst.Or)
        sides = [outcome(side, supposed) for side in (test.left, test.right)]
        if decides in sides:
            return decides
        return None if None in sides else not decides
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        return _compared(test.left, test.comparisons[0], supposed)
    found = _constant(test, supposed)
    return None if found is _NONE else bool(found)


def _compared(
    left: cst.BaseExpression, target: cst.ComparisonTarget, supposed: Supposed
) -> bool | None:
    compare = _COMPARING.get(type(target.operator))
    first, second = _constant(left, supposed), _constant(target.comparator, supposed)
    if compare is None or first is _NONE or second is _NONE:
        return None
    if isinstance(target.operator, (cst.Is, cst.IsNot)) and None not in (first, second):
        compare = _COMPARING[cst.Equal if isinstance(target.operator, cst.Is) else cst.NotEqual]
    try:
        return compare(first, second)
    except TypeError:
        return None


def _constant(node: cst.BaseExpression, supposed: Supposed) -> Any:
    if isinstance(node, (cst.Tuple, cst.List, cst.Set)):
        members = [_constant(element.value, supposed) for element in node.elements]
        return _NONE if _NONE in members else members
    value = supposed(node)
    return value.constant if value.has_constant else _NONE
