"""What iterating over an object of the project's own yields: what its methods give."""

from __future__ import annotations

from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.kinds.iteration import item_of
from tfxla_lint.semantics.units import ClassInfo
from tfxla_lint.semantics.values import INT, UNKNOWN, Kind, Value, join_all


def member_of(evaluator: Evaluator, value: Value) -> Value:
    """What iterating over a value yields, by Python's protocols where a class implements one."""
    item = item_of(value)
    if item.is_known or value.kind is not Kind.OBJECT or value.class_ is None:
        return item
    return join_all([_of_class(evaluator, info) for info in evaluator.classes(value)])


def _of_class(evaluator: Evaluator, info: ClassInfo) -> Value:
    step, start = evaluator.method(info, "__next__"), evaluator.method(info, "__iter__")
    if step is not None:
        # What has both is its own iterator.
        return evaluator.invoke(step, [], skip=1, receivers=[info])
    if start is not None:
        return item_of(evaluator.invoke(start, [], skip=1, receivers=[info]))
    by_index = evaluator.method(info, "__getitem__")
    if by_index is None:
        return UNKNOWN
    return evaluator.invoke(by_index, [(None, INT)], skip=1, receivers=[info])
