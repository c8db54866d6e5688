"""What iterating over values yields."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.kinds.files import member
from tfxla_lint.semantics.values import (
    INT,
    NO_CONSTANT,
    SEQUENCES,
    STRING,
    UNBOUND,
    UNKNOWN,
    Kind,
    Value,
    sequence,
)


def item_of(value: Value) -> Value:
    """What iterating over a value yields."""
    if value.item is not None and value.kind is not Kind.DICT:
        return value.item
    if value.kind in (Kind.TENSOR, Kind.VARIABLE):
        shape = value.shape[1:] if value.shape else None
        return Value(Kind.TENSOR, dtype=value.dtype, shape=shape)
    if value.kind is Kind.NDARRAY:
        return Value(
            Kind.NDARRAY, dtype=value.dtype, shape=value.shape[1:] if value.shape else None
        )
    if value.kind is Kind.RANGE:
        return INT
    if value.kind is Kind.STRING:
        return STRING
    if value.kind is Kind.UNBOUND:
        return UNBOUND
    return member(value) or UNKNOWN


def over(source: Value, item: Value) -> Value:
    """An iterator that goes through something, and yields `item` for each member of it."""
    if source.kind is Kind.ITERATOR:
        return Value(Kind.ITERATOR, item=item, receiver=source.receiver, unit=source.unit)
    return Value(Kind.ITERATOR, item=item, receiver=source)


def vary(value: Value, loop: cst.CSTNode) -> Value:
    """`value` as a loop target: its Python scalars change from turn to turn."""
    if value.is_python_scalar:
        return value._replace(constant=NO_CONSTANT, loop=loop)
    if value.kind in SEQUENCES and value.elements is not None:
        return sequence(value.kind, tuple(vary(e, loop) for e in value.elements))
    if value.kind is Kind.TUPLE and value.choices:
        return value._replace(choices=tuple(vary(choice, loop) for choice in value.choices))
    return value
