"""Steps that a recorded run made eagerly, also where the code does not show what runs them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import MANY_TURNS
from tfxla_lint.semantics.measured import A_HANDFUL, function
from tfxla_lint.semantics.turns import inside_tape
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.work import Work

if TYPE_CHECKING:
    from tfxla_lint.recording import FunctionRecord
    from tfxla_lint.semantics.model import SemanticModel


@dataclass(frozen=True)
class MeasuredStep:
    """A function that holds a step and was run eagerly many times, and never in a trace."""

    unit: Unit
    work: Work
    record: FunctionRecord

    @property
    def varies_in_value(self) -> bool:
        """Whether it was given many Python values, each of which would be a trace."""
        arguments = self.record.arguments[self.unit.is_method :]
        return any(a.value_count > A_HANDFUL or a.object_count > A_HANDFUL for a in arguments)

    @property
    def varies_in_shape(self) -> bool:
        """Whether some argument took several shapes."""
        return any(argument.shape_count > 1 for argument in self.record.arguments)


def measured_steps(model: SemanticModel, told: Collection[int]) -> Iterator[MeasuredStep]:
    """The steps that a run made, but for units in `told` (ids) and parts of larger steps."""
    if model.recording is None:
        return
    found = {id(unit): step for unit in model.units.all if (step := _step(model, unit))}
    larger = {*told, *found}
    for key, step in found.items():
        if key not in told and not _is_part(model, step.unit, larger):
            yield step


def _step(model: SemanticModel, unit: Unit) -> MeasuredStep | None:
    record = function(model, unit)
    if record is None or record.eager < MANY_TURNS or record.graph or record.traced:
        return None
    if unit.tracing is not None or unit.is_generator or unit.is_async or unit.name == "__init__":
        return None
    work = model.works.of_unit(unit, into_loops=False)
    if not (work.is_training_step or work.is_model_step):
        return None
    return MeasuredStep(unit, work, record)


def _is_part(model: SemanticModel, unit: Unit, larger: Collection[int]) -> bool:
    """Whether some call of it is made by a larger step."""
    loops = {id(step.loop) for step in model.steps.loops}
    for edge in model.calls.untraced(unit):
        if edge.caller is not unit and id(edge.caller) in larger:
            return True
        if inside_tape(model, edge.node) or _stands_in(model, edge.node, loops):
            return True
    return False


def _stands_in(model: SemanticModel, node: cst.CSTNode, loops: Collection[int]) -> bool:
    return any(id(ancestor) in loops for ancestor in model.ancestors(node))
