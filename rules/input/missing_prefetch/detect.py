"""Pipelines that training goes through, of which no batch is made ahead of time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.syntax import dotted

from ..shared.python_stages import is_training
from ..shared.stages import SPREAD, Pipelines, Reader, Stage
from ..shared.stateful_maps import python_calls

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: The last TensorFlow whose tf.data ends a pipeline in no `prefetch` of its own.
_LAST_WITHOUT = (2, 9)
#: Options of tf.data without which it adds no `prefetch` (each seen on TensorFlow 2.21).
_SWITCHES = (
    ".experimental_optimization.inject_prefetch",
    ".experimental_optimization.apply_default_optimizations",
    ".autotune.enabled",
)


@dataclass(frozen=True, slots=True)
class Unprefetched:
    """`stage` is the last one of the pipeline that `reader` goes through.

    `switch` is what keeps tf.data from prefetching by itself; None where the target is too old to.
    """

    stage: Stage
    reader: Reader
    switch: cst.CSTNode | None


def unprefetched(model: SemanticModel) -> Iterator[Unprefetched]:
    """Those of a module whose stages are all known, where tf.data does not see to it itself."""
    switch = _switch(model)
    is_old = model.tf_version is not None and model.tf_version <= _LAST_WITHOUT
    if switch is None and not is_old:
        return
    pipelines = model.ask(Pipelines)
    for stage in pipelines.stages(model):
        chain = [stage, *pipelines.before(stage)]
        if pipelines.after(stage) or not pipelines.starts_here(stage):
            continue
        if not any(s.is_batching for s in chain) or any(_is_left_alone(model, s) for s in chain):
            continue
        reader = next((r for r in pipelines.readers(stage) if is_training(model, r)), None)
        if reader is not None:
            yield Unprefetched(stage, reader, switch)


def _is_left_alone(model: SemanticModel, stage: Stage) -> bool:
    """Whether a stage prefetches, or runs Python whose state a batch made ahead would see early."""
    if stage.name in ("prefetch", "from_generator", SPREAD) or stage.is_applied:
        return True
    return stage.name == "map" and bool(python_calls(model, stage))


def _switch(model: SemanticModel) -> cst.CSTNode | None:
    """The option set to `False` that keeps tf.data from prefetching, if the module has one."""
    for statement in model.nodes(cst.Assign):
        target = statement.targets[0].target
        if isinstance(target, cst.Attribute) and (dotted(target) or "").endswith(_SWITCHES):
            if isinstance(statement.value, cst.Name) and statement.value.value == "False":
                return target
    return None
