"""What stays what it is: values that nothing changes in place."""

from __future__ import annotations

from tfxla_lint.semantics.values import KERAS_CALLABLES, PYTHON_SCALARS, SEQUENCES, Kind, Value

#: What stays what it is, or is asked anew by a trace as by eager code; lists are looked at themselves.
_LASTING = (
    PYTHON_SCALARS | KERAS_CALLABLES | SEQUENCES
    | {Kind.NONE, Kind.RANGE, Kind.NUMPY_SCALAR, Kind.TENSOR, Kind.VARIABLE, Kind.MODULE,
       Kind.OPTIMIZER, Kind.SCHEDULE, Kind.TAPE, Kind.SHAPE, Kind.DTYPE, Kind.SPEC, Kind.STRATEGY,
       Kind.FUNCTION, Kind.METHOD, Kind.TRACED, Kind.CLASS, Kind.PYTHON_MODULE}
)  # fmt: skip


def is_lasting(value: Value) -> bool:
    """Whether a value that is known is none that something may change in place."""
    choices = value.choices if not value.is_known else ()
    if choices:
        return all(is_lasting(each) for each in choices)
    return value.kind in _LASTING or value.class_ is not None


def is_changeable(value: Value | None) -> bool:
    """Whether a member of a structure may change, or has members of its own that may."""
    if value is None:
        return False
    members = (*(value.elements or ()), value.item)
    return (
        value.kind is Kind.LIST
        or (value.is_known and not is_lasting(value))
        or any(is_changeable(each) for each in members)
    )
