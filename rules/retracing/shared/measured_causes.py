"""Functions that a recorded run traced again and again, with the argument that made it so."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.measured import A_HANDFUL, foremost, retraced
from tfxla_lint.semantics.measured_words import tracing
from tfxla_lint.semantics.units import Parameter, Unit

if TYPE_CHECKING:
    from tfxla_lint.recording import Argument, FunctionRecord
    from tfxla_lint.semantics.model import SemanticModel


@dataclass(frozen=True)
class MeasuredCause:
    """`argument`, what `parameter` was given, made the run trace `unit` again and again."""

    unit: Unit
    parameter: Parameter
    argument: Argument
    record: FunctionRecord
    calls: tuple[cst.Call, ...]

    @property
    def was_traced(self) -> str:
        """ "`step` was traced 41 times in 50 calls"."""
        return f"`{self.unit.name}` was {tracing(self.record).partition(':')[0]}"


def measured_causes(
    model: SemanticModel, because: str, told: Collection[int]
) -> Iterator[MeasuredCause]:
    """The arguments that made for more than a handful of traces; `because` is as in `Retrace`.

    Left out are the units whose ids are in `told`.
    """
    for unit, record in retraced(model, model.units):
        if id(unit) in told:
            continue
        for found in record.retraces:
            argument = record.argument(found.argument or "")
            parameter = unit.parameter(found.argument or "")
            if found.because != because or found.times < A_HANDFUL:
                continue
            if argument is not None and parameter is not None:
                yield MeasuredCause(unit, parameter, argument, record, _calls(model, unit))


def made_again(model: SemanticModel, told: Collection[int]) -> Iterator[tuple[Unit, str]]:
    """The functions of which the run made more than a handful of tf.function objects, in words."""
    for unit, record in retraced(model, model.units):
        first = foremost(record, "new function")
        if first is None or first.times < A_HANDFUL or id(unit) in told:
            continue
        yield (
            unit,
            f"in the recorded run `{unit.qualname}` became {record.tf_functions} different "
            f"tf.function objects, and was {tracing(record).partition(':')[0]}",
        )


def _calls(model: SemanticModel, unit: Unit) -> tuple[cst.Call, ...]:
    calls = model.nodes(cst.Call)
    return tuple(c for c in calls if any(callee.unit is unit for callee in model.callees(c)))
