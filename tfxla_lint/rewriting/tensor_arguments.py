"""The dtype of tensors that varying numbers and arrays may become where they are passed."""

from __future__ import annotations

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.arrays import is_cast_to_usual, usual_dtype
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import Kind
from tfxla_lint.semantics.varying.python_arguments import partners


def number_dtype(model: SemanticModel, unit: Unit, parameter: Parameter) -> str | None:
    """The dtype that eager execution casts a parameter to that is a Python float, or an array.

    The project's usual one where none is known; None where a use asks for Python's own number.
    """
    usual = usual_dtype(model)
    if usual is None:
        return None
    if parameter.value.kind is Kind.NDARRAY:
        return usual if is_cast_to_usual(model, unit, parameter.name) else None
    beside = partners(model, unit, parameter)
    if not beside or not all(value.is_tensor for value in beside):
        return None
    known = {value.dtype for value in beside if value.dtype is not None} or {usual}
    dtype = known.pop()
    is_float = dtype.startswith(("float", "bfloat"))
    return dtype if is_float and not known and parameter.value.kind is Kind.FLOAT else None
