"""What a recorded run measured of functions and loops, as rules ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.measured_words import counted, duration, tracing

if TYPE_CHECKING:
    from tfxla_lint.recording import FunctionRecord, Retrace
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.loops import Turning
    from tfxla_lint.semantics.units import Unit, Units

#: A traced function may well be traced this often: for a last batch, for training and evaluation.
A_HANDFUL = 5


# What was measured


def function(model: Answers, unit: Unit | None) -> FunctionRecord | None:
    """What was recorded of a function, if this very code was run."""
    if unit is None or not isinstance(unit.node, (cst.FunctionDef, cst.Lambda)):
        return None
    recorded = model.world.recorded(unit.node)
    if recorded is None:
        return None
    is_lambda = isinstance(unit.node, cst.Lambda)
    at = unit.node if isinstance(unit.node, cst.Lambda) else unit.node.name
    record = recorded.functions.get(model.world.line(at))
    return record if record is not None and record.is_lambda is is_lambda else None


def retraced(model: Answers, units: Units) -> list[tuple[Unit, FunctionRecord]]:
    """The functions of a module that were traced more often than is sound, as `tf.function`s."""
    if model.recording is None:
        return []
    found = ((unit, function(model, unit)) for unit in units.all)
    return [(unit, record) for unit, record in found if record and record.traces > A_HANDFUL]


def foremost(record: FunctionRecord, *because: str) -> Retrace | None:
    """The commonest reason for which a function was traced again, if it is one of `because`."""
    found = record.retraces[0] if record.retraces else None
    return found if found is not None and found.because in because else None


def specs(model: Answers, unit: Unit) -> list[tuple[tuple[int | None, ...], str]] | None:
    """The shapes and dtypes that a recorded run passed, where each argument was a tensor of one dtype.

    Sizes that differed from call to call are None.
    """
    record = function(model, unit)
    parameters = unit.parameters[1:] if unit.is_method else unit.parameters
    if record is None or not record.graph or any(p.form == "*" for p in unit.parameters):
        return None
    found = []
    for parameter in parameters:
        argument = record.argument(parameter.name)
        is_tensor = argument is not None and set(argument.kinds) == {"tensor"}
        if argument is None or not is_tensor or len(argument.dtypes) != 1:
            return None
        if argument.shape is None:
            return None
        found.append((argument.shape, next(iter(argument.dtypes))))
    return found or None


# The words for it


def of_tracing(model: Answers, unit: Unit | None) -> str:
    """The end of a message on a function that is traced again: how often it was."""
    record = function(model, unit)
    if record is None or record.traces < 2:
        return ""
    return f" (measured: {tracing(record)})"


def of_eager(model: Answers, unit: Unit | None) -> str:
    """The end of a message on a function that runs eagerly: its calls, and what one takes."""
    record = function(model, unit)
    if record is None or not record.eager or record.graph:
        return ""
    calls = counted(record.eager, "eager call")
    if not record.eager_seconds.count:
        return f" (measured: {calls})"
    return f" (measured: {calls}, {duration(record.eager_seconds.median)} each)"


def of_loop(model: Answers, node: Turning | None) -> str:
    """The end of a message on a loop: its turns, and what one takes."""
    record = model.world.measured(node) if node is not None else None
    if record is None or not record.turns:
        return ""
    turns = counted(record.turns, "turn")
    if not record.seconds.count:
        return f" (measured: {turns})"
    return f" (measured: {turns}, {duration(record.seconds.median)} each)"
