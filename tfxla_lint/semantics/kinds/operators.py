"""Operators: the kind of `left <operator> right`, and constants folded."""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from typing import Any

import libcst as cst

from tfxla_lint.semantics.kinds.shapes import broadcast, matmul
from tfxla_lint.semantics.kinds.tensor_ops import shape_of
from tfxla_lint.semantics.values import (
    ARRAYS,
    DRAWN,
    NO_CONSTANT,
    NUMBERS,
    TENSOR,
    UNKNOWN,
    Kind,
    Value,
    join,
    sequence,
)


def matrix_product(left: Value, right: Value) -> Value:
    """The kind of `left @ right`."""
    product = arithmetic(left, right)
    if product.kind in (Kind.TENSOR, Kind.NDARRAY):
        return product._replace(shape=matmul(shape_of(left), shape_of(right)))
    return product


def arithmetic(left: Value, right: Value, is_division: bool = False) -> Value:
    """The kind of `left <operator> right`, elementwise; dividing integers gives floats."""
    kinds = {left.kind, right.kind}
    if left.is_tensor or right.is_tensor:
        if Kind.KERAS_TENSOR in kinds:
            return Value(Kind.KERAS_TENSOR)
        dtype = left.dtype if left.is_tensor and left.dtype else right.dtype
        if is_division and dtype is not None and dtype.startswith(("int", "uint")):
            dtype = None
        return Value(Kind.TENSOR, dtype=dtype, shape=broadcast(shape_of(left), shape_of(right)))
    if left.kind is Kind.TENSOR or right.kind is Kind.TENSOR:
        return TENSOR._replace(mixed=True)
    if left.kind in ARRAYS or right.kind in ARRAYS:
        if kinds <= {*ARRAYS, *NUMBERS}:
            both = Kind.NDARRAY in kinds
            array = left if left.kind is Kind.NDARRAY else right
            shape = array.shape if kinds & (NUMBERS | {Kind.NUMPY_SCALAR}) else None
            return Value(Kind.NDARRAY, shape=shape) if both else Value(Kind.NUMPY_SCALAR)
        return UNKNOWN
    if kinds <= NUMBERS:
        kind = Kind.FLOAT if Kind.FLOAT in kinds else Kind.INT
        name = DRAWN if DRAWN in (left.name, right.name) else None
        return Value(kind, loop=left.loop or right.loop, name=name)
    if Kind.STRING in kinds:
        return Value(Kind.STRING, loop=left.loop or right.loop)
    if kinds == {Kind.LIST} or kinds == {Kind.TUPLE}:
        if left.elements is not None and right.elements is not None and kinds == {Kind.TUPLE}:
            return sequence(Kind.TUPLE, left.elements + right.elements)
        return join(left._replace(elements=None), right._replace(elements=None))
    return UNKNOWN


def fold(operator: type[cst.BaseBinaryOp], left: Any, right: Any) -> Any:
    """The constant that an operator gives, or NO_CONSTANT."""
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return NO_CONSTANT
    if operator is cst.Power and (abs(right) > 64 or abs(left) > 1e6):
        return NO_CONSTANT
    try:
        return _FOLDED[operator](left, right) if operator in _FOLDED else NO_CONSTANT
    except (ArithmeticError, ValueError):
        return NO_CONSTANT


_FOLDED: dict[type[cst.BaseBinaryOp], Callable[[Any, Any], Any]] = {
    cst.Add: python.add,
    cst.Subtract: python.sub,
    cst.Multiply: python.mul,
    cst.FloorDivide: python.floordiv,
    cst.Divide: python.truediv,
    cst.Modulo: python.mod,
    cst.Power: python.pow,
}
