"""Whole numbers that a loop adds up, where the tensors would do until it is over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Loop

from .deferral import deferral, reading
from .syncs import Sync

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_INTEGERS = frozenset({"int32", "int64"})
#: What reads a whole number as one, around the tensor and behind it.
_AS_INTEGER = re.compile(r"(int\()*(\.numpy\(\)|\.item\(\)|\))+")


@dataclass(frozen=True, slots=True)
class DeferrableTotal:
    """`name += element`, where `element` reads the whole number in `tensor`, of `dtype`.

    The sum of tensors is as exact, and can be read once `loop` is over.
    """

    name: str
    element: cst.BaseExpression
    tensor: cst.BaseExpression
    dtype: str
    loop: Loop


def deferrable_total(model: SemanticModel, sync: Sync) -> DeferrableTotal | None:
    """The total to which the value is added that `sync` waits for, if nothing reads it meanwhile.

    It begins with a whole number of Python; sums of floats would be rounded differently.
    """
    element, before, after = reading(model, sync.tensor)
    statement = model.parent(element)
    if not isinstance(statement, cst.AugAssign) or not isinstance(statement.target, cst.Name):
        return None
    value = model.value(sync.tensor)
    is_sum = isinstance(statement.operator, cst.AddAssign) and statement.value is element
    if not is_sum or value.dtype not in _INTEGERS or value.shape != ():
        return None
    if _AS_INTEGER.fullmatch(before + after) is None:
        return None
    found = deferral(model, statement.target)
    if found is None or found.reads or type(model.value(found.start).constant) is not int:
        return None
    return DeferrableTotal(statement.target.value, element, sync.tensor, value.dtype, found.loop)
