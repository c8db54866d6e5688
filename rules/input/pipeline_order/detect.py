"""Stages of a tf.data pipeline that stand in an order which does not do what they are for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.repetition import is_repeated, repeating
from tfxla_lint.semantics.values import Kind

from ..shared.stages import Pipelines, Stage
from ..shared.stateful_maps import draws

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.model import SemanticModel

#: Stages after which the elements are no longer those that the stages before made.
_REMAKING = behaviour.methods(Trait.REMAKES, "dataset")
#: Stages that take a data set apart by the order of its elements.
_SPLITTING = frozenset({"take", "skip"})


@dataclass(frozen=True, slots=True)
class Misplaced:
    """`stage` stands after `earlier`; `why` says what comes of it, `remarks` what shows it."""

    stage: Stage
    earlier: Stage
    why: str
    remarks: list[tuple[cst.CSTNode, str]]


def misplaced_stages(model: SemanticModel) -> Iterator[Misplaced]:
    """Those of all pipelines of a module, one at most for each stage."""
    if not model.ask(_names_tensorflow):
        return  # Something else is shuffled there.
    pipelines = model.ask(Pipelines)
    for stage in pipelines.stages(model):
        if stage.name == "cache" and not stage.is_source:
            found = _cached(model, pipelines, stage)
        elif stage.name == "shuffle" and not stage.is_source:
            found = _shuffled(model, pipelines, stage)
        else:
            found = None
        if found is not None:
            yield found


def _names_tensorflow(model: Answers) -> bool:
    return any("tensorflow" in module.source.text for module in model.world.modules)


def _cached(model: SemanticModel, pipelines: Pipelines, cache: Stage) -> Misplaced | None:
    """`cache` behind random draws, a random order, or a `repeat` that never ends."""
    for earlier in pipelines.before(cache):
        if earlier.name == "cache":
            return None
        if earlier.name == "repeat" and _is_endless(model, earlier):
            why = "it never reaches the end of what it caches, which grows without bound"
            return Misplaced(cache, earlier, why, [(earlier.call, "repeats without end")])
        if earlier.name == "shuffle" and _stays_in_order(model, pipelines, earlier, cache):
            why = "every epoch sees the order of the first one again"
            return Misplaced(cache, earlier, why, [(_place(earlier), "shuffles")])
        if earlier.name != "map":
            continue
        drawn = [draw for draw in draws(model, earlier) if not draw.seeded]
        if drawn:
            why = "every epoch sees the random draws of the first one again"
            remarks = [(_place(earlier), "maps")]
            if drawn[0].call is not earlier.call:
                remarks.append((drawn[0].call, "draws at random"))
            return Misplaced(cache, earlier, why, remarks)
    return None


def _stays_in_order(
    model: SemanticModel, pipelines: Pipelines, shuffle: Stage, cache: Stage
) -> bool:
    """Whether epochs that want an order each get the one that a cache keeps.

    Who splits a data set (`take`, `skip`) or says how it is to be shuffled again wants one order.
    """
    if argument(shuffle.call, "reshuffle_each_iteration", 2) is not None:
        return False
    if any(stage.name in _SPLITTING for stage in pipelines.perhaps_after(shuffle)):
        return False
    later = pipelines.perhaps_after(cache)
    if any(stage.name == "shuffle" for stage in later):
        return False
    readers = pipelines.readers(cache)
    if any(stage.name == "repeat" for stage in later) and readers:
        return True
    return any(_reads_again(model, reader.node) for reader in readers)


def _reads_again(model: SemanticModel, reader: cst.CSTNode) -> bool:
    """Whether a loop or a `fit` goes through its data set more than once."""
    if isinstance(reader, cst.Call):
        epochs = argument(reader, "epochs", 3)
        return epochs is not None and model.value(epochs).constant != 1
    return isinstance(reader, cst.For) and (
        bool(repeating(model, reader)) or is_repeated(model, model.unit(reader))
    )


def _is_endless(model: SemanticModel, repeat: Stage) -> bool:
    count = argument(repeat.call, "count", 0)
    if count is None:
        return not repeat.call.args
    value = model.value(count)
    return value.kind is Kind.NONE or value.constant == -1


def _shuffled(model: SemanticModel, pipelines: Pipelines, shuffle: Stage) -> Misplaced | None:
    """`shuffle` behind `batch`, or behind a `repeat` that counts epochs."""
    before = pipelines.before(shuffle)
    if not pipelines.starts_here(shuffle) or any(s.name == "shuffle" for s in before):
        return None
    for earlier in before:
        if earlier.name in _REMAKING:
            return None
        if earlier.is_batching:
            return _of_batches(model, pipelines, shuffle, earlier)
        if earlier.name == "repeat" and _counts_epochs(model, earlier):
            why = "it mixes the epochs: some examples come again before others came at all"
            return Misplaced(shuffle, earlier, why, [(_place(earlier), "repeats")])
    return None


def _of_batches(
    model: SemanticModel, pipelines: Pipelines, shuffle: Stage, batch: Stage
) -> Misplaced | None:
    after = pipelines.after(shuffle)
    if any(s.is_batching or s.name in _REMAKING or s.name == "shuffle" for s in after):
        return None
    size = argument(batch.call, "batch_size", 0)
    if size is None or model.value(size).constant == 1:
        return None
    is_named = "batch" in model.code(size).lower()
    if not is_named and not pipelines.readers(shuffle):
        return None
    why = "it changes the order of whole batches, whose members stay together in every epoch"
    return Misplaced(shuffle, batch, why, [(_place(batch), "makes the batches")])


def _counts_epochs(model: SemanticModel, repeat: Stage) -> bool:
    """Whether `repeat(n)` is given a number of epochs."""
    count = argument(repeat.call, "count", 0)
    if count is None or _is_endless(model, repeat):
        return False
    known = model.value(count).constant
    if type(known) is int:
        return known > 1
    return "epoch" in model.code(count).lower()


def _place(stage: Stage) -> cst.CSTNode:
    func = stage.call.func
    return func.attr if isinstance(func, cst.Attribute) else func
