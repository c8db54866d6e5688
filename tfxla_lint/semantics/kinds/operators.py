"""Operators: the kind of `left <operator> right`, and constants folded."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tfxla_lint.semantics.kinds.shapes import broadcast, matmul
from tfxla_lint.semantics.kinds.tensor_ops import shape_of
from tfxla_lint.semantics.values import (
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

_ARRAYS = (Kind.NDARRAY, Kind.NUMPY_SCALAR)


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
    if left.kind in _ARRAYS or right.kind in _ARRAYS:
        if kinds <= {*_ARRAYS, *NUMBERS}:
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


def fold(operator: cst.BaseBinaryOp, left: Any, right: Any) -> Any:
    """The constant that an operator gives, or NO_CONSTANT."""
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return NO_CONSTANT
    try:
        if isinstance(operator, cst.Add):
            return left + right
        if isinstance(operator, cst.Subtract):
            return left - right
        if isinstance(operator, cst.Multiply):
            return left * right
        if isinstance(operator, cst.FloorDivide):
            return left // right
        if isinstance(operator, cst.Divide):
            return left / right
        if isinstance(operator, cst.Modulo):
            return left % right
        if isinstance(operator, cst.Power) and abs(right) <= 64 and abs(left) <= 1e6:
            return left**right
    except (ArithmeticError, ValueError):
        return NO_CONSTANT
    return NO_CONSTANT
