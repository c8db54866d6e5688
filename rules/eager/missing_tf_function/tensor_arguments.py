"""Varying numbers and arrays become tensors where a function that is to be traced is called."""

from __future__ import annotations

from collections.abc import Sequence

from tfxla_lint.edits import NodeEdit, Replace
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.rewriting.tensor_arguments import number_dtype
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.arrays import is_float_array
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import Kind


def passed_as_tensors(
    model: SemanticModel, unit: Unit, blockers: Sequence[Blocker]
) -> list[NodeEdit] | None:
    """The edits of the calls that lift these blockers, or None where they do not suffice.

    A number that the function only computes with beside tensors is cast to their dtype; so
    `tf.constant(number, dtype)` is the same to it, and one trace serves all numbers. An array of
    any float dtype that only meets tensors is cast likewise.
    """
    edits: list[NodeEdit] = []
    for blocker in blockers:
        parameter = _parameter(model, unit, blocker)
        if parameter is None:
            return None
        dtype = number_dtype(model, unit, parameter)
        found = _calls_with(model, unit, parameter, dtype) if dtype is not None else None
        if found is None:
            return None
        edits += found
    return edits


def _parameter(model: SemanticModel, unit: Unit, blocker: Blocker) -> Parameter | None:
    """The parameter whose values are what a blocker is about."""
    if blocker.reason not in (Reason.PYTHON_ARGUMENT, Reason.NUMPY_ARGUMENT):
        return None
    for parameter in unit.parameters:
        found = model.ask(Safety).parameter_blockers(unit, parameter)
        if any(b.node is blocker.node and b.reason is blocker.reason for b in found):
            return parameter
    return None


def _calls_with(
    model: SemanticModel, unit: Unit, parameter: Parameter, dtype: str
) -> list[NodeEdit] | None:
    """`tf.constant(...)` around the argument of each call, where all of them are seen."""
    edits: list[NodeEdit] = []
    for edge in model.calls.untraced(unit):
        argument = edge.argument(parameter.name)
        if argument is None or not model.is_own(edge.node):
            return None
        if model.value(argument).is_tensor:
            continue
        if parameter.value.kind is Kind.NDARRAY and not is_float_array(model, argument):
            return None
        constant = tensorflow_name(model, "constant", argument)
        spelled = tensorflow_name(model, dtype, argument)
        if constant is None or spelled is None:
            return None
        text = model.code(argument)
        edits.append(Replace(argument, f"{constant}({text}, {spelled})"))
    return edits
