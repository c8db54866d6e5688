"""Stages of a tf.data pipeline that run Python for each single element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.pipelines.partial_batches import trains
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import NO_CONSTANT

from .stages import Pipelines, Reader, Stage
from .stateful_maps import python_calls

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.world import World

#: Stages behind which Python runs once, or a few times only.
_KEEPING = behaviour.methods(Trait.ONCE_BEHIND, "dataset")
_TAKE = "take"


@dataclass(frozen=True, slots=True)
class PythonStage:
    """A `map` with the `py_function` calls that it makes, or a `from_generator` without any."""

    stage: Stage
    calls: list[cst.Call]
    readers: list[Reader]


def python_stages(model: SemanticModel) -> Iterator[PythonStage]:
    """Those before the batches of a pipeline that training goes through."""
    if not model.ask(_mentions_python):
        return
    pipelines = model.ask(Pipelines)
    for stage in pipelines.stages(model):
        is_generator = stage.is_source and stage.name == "from_generator"
        calls = python_calls(model, stage) if stage.name == "map" else []
        if not (is_generator or calls):
            continue
        after = pipelines.perhaps_after(stage)
        if not any(s.is_batching and not _is_single(model, s) for s in after):
            continue
        keeping = (s for s in after if s.name in _KEEPING and not _may_be_long(model, s))
        kept = {id(reader.node) for s in keeping for reader in pipelines.readers(s)}
        fresh = (r for r in pipelines.readers(stage) if id(r.node) not in kept)
        readers = [reader for reader in fresh if is_training(model, reader)]
        if readers:
            yield PythonStage(stage, calls, readers[:1])


def _is_single(model: SemanticModel, batch: Stage) -> bool:
    size = argument(batch.call, "batch_size", 0)
    return size is not None and model.value(size).constant == 1


def _may_be_long(model: SemanticModel, stage: Stage) -> bool:
    """Whether a stage takes as many elements as somebody says, or all: they are read anew each time."""
    count = argument(stage.call, "count", 0) if stage.name == _TAKE else None
    return count is not None and model.value(count).constant in (NO_CONSTANT, -1)


def _mentions_python(world: World) -> bool:
    words = ("py_function", "numpy_function", "py_func", "from_generator")
    return any(word in module.source.text for module in world.modules for word in words)


def is_training(model: SemanticModel, reader: Reader) -> bool:
    """Whether steps run on what is read: `fit`, or a loop whose turns train."""
    if isinstance(reader.node, cst.Call):
        return True
    assert isinstance(reader.node, (cst.For, cst.While))
    if model.works.of([reader.node.body]).is_training_step:
        return True
    calls = (node for node in walk(reader.node.body) if isinstance(node, cst.Call))
    return any(trains(model, c.unit) for call in calls for c in model.callees(call))
