"""Maps of tf.data that one thread runs, because what they map has state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.units import Unit

from ..shared.stages import Pipelines, Reader, Stage, mapped_unit
from ..shared.stateful_maps import Draw, draws, python_calls, variables_read

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_DETERMINISM = "tensorflow.config.experimental.enable_op_determinism"
_ENOUGH_OPS = 2
_READERS_SHOWN = 2


@dataclass(frozen=True, slots=True)
class SequentialMap:
    """A `map` of a function that makes `draw`, or reads a variable at `read`, and what reads the
    pipeline, as far as is seen."""

    stage: Stage
    draw: Draw | None
    read: cst.CSTNode | None
    readers: list[Reader]


def sequential_maps(model: SemanticModel) -> Iterator[SequentialMap]:
    """The maps of single elements, for each epoch anew."""
    maps = [call for call in model.nodes(cst.Call) if _is_map(call)]
    if not maps or _asks_for_determinism(model):
        return
    pipelines = model.ask(Pipelines)
    for stage in pipelines.stages(model):
        if stage.name != "map" or stage.is_source or not _is_sequential(stage):
            continue
        unit = mapped_unit(model, stage)
        if unit is None or _is_kept(pipelines, stage) or python_calls(model, stage):
            continue
        is_of_batches = any(s.is_batching for s in pipelines.before(stage))
        draw = next(iter(draws(model, stage)), None)
        read = next(variables_read(model, stage), None) if draw is None else None
        readers = pipelines.readers(stage)[:_READERS_SHOWN]
        if draw is not None and not is_of_batches and _ops(model, unit) >= _ENOUGH_OPS:
            yield SequentialMap(stage, draw, None, readers)
        elif read is not None and (isinstance(read, cst.Call) or _ops(model, unit) >= _ENOUGH_OPS):
            yield SequentialMap(stage, None, read, readers)


def _is_map(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "map"


def _asks_for_determinism(model: SemanticModel) -> bool:
    return any(model.names.one(call.func) == _DETERMINISM for call in model.nodes(cst.Call))


def _is_sequential(stage: Stage) -> bool:
    return argument(stage.call, "num_parallel_calls", 1) is None and not any(
        a.star for a in stage.call.args
    )


def _is_kept(pipelines: Pipelines, stage: Stage) -> bool:
    """Whether the results are computed once: cached, or taken a few of."""
    return any(
        later.name in ("cache", "take", "snapshot", "save") for later in pipelines.after(stage)
    )


def _ops(model: SemanticModel, unit: Unit) -> int:
    """The calls of operations and layers that a mapped function makes, through calls."""
    names = [
        model.names.one(node.func)
        for inner in model.calls.below(unit)
        for node in inner.nodes()
        if isinstance(node, cst.Call)
    ]
    return sum(name is not None and api.is_op(name) for name in names)
