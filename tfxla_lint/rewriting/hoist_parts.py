"""What of a step loop moves into functions of its own: all of the step, or what its blocks do."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.rewriting.blocks import block_of_loop
from tfxla_lint.rewriting.hoister import outline_of
from tfxla_lint.rewriting.inner_steps import inner_steps
from tfxla_lint.rewriting.outline import Outline, decorator_of
from tfxla_lint.rewriting.placement import again
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.syntax import walk


@dataclass(frozen=True)
class Part:
    """What moves into one function: `step` is the loop nearest around, and the work moved."""

    step: StepLoop
    outline: Outline
    decorator: str


@dataclass(frozen=True)
class Parts:
    """The parts of one step loop; without any, the blockers may say why."""

    parts: list[Part] = field(default_factory=list)
    blockers: list[Blocker] = field(default_factory=list)


def parts_of(model: SemanticModel, step: StepLoop) -> Parts:
    """What moves out of a step loop of the module."""
    return model.once(f"parts of {id(step.loop)}", lambda: _parts(model, step))


def _parts(model: SemanticModel, step: StepLoop) -> Parts:
    parts: list[Part] = []
    for inner, outline in _outlines(model, step):
        if outline.blockers or outline.place is None or not outline.moved:
            return Parts(blockers=outline.blockers)
        if step.work.only_measures and model.loops.around(outline.place.before, step.unit):
            return Parts(blockers=[again(step.loop)])
        loops = [*model.loops.around(inner.loop, inner.unit), inner.loop]
        decorator = decorator_of(model, outline, loops, inner.loop, _is_ragged(model, inner))
        if decorator is None:
            return Parts()
        parts.append(Part(inner, outline, decorator))
    return Parts(parts)


def _outlines(model: SemanticModel, step: StepLoop) -> list[tuple[StepLoop, Outline]]:
    """That of a step; where it can't move as a whole, those of the blocks that can."""
    whole = outline_of(model, block_of_loop(model, step))
    found = [(step, whole)] if whole.moved and not whole.blockers else []
    for inner, suite in inner_steps(model, step):
        around = {id(node) for node in (suite, *model.ancestors(suite))}
        below = {id(node) for node in walk(suite)}
        if any(id(s) in around or id(s) in below for _, o in found for s in o.moved):
            continue
        narrow = outline_of(model, block_of_loop(model, inner, suite))
        if narrow.moved and narrow.place is not None and not (narrow.blockers or narrow.staying):
            found = [pair for pair in found if not pair[1].staying]
            found.append((inner, narrow))
    found.sort(key=lambda pair: model.line(pair[1].moved[0]))
    return found or [(step, whole)]


def _is_ragged(model: SemanticModel, step: StepLoop) -> bool:
    """Whether the loop is over batches that are padded, each to a length of its own."""
    loop = step.loop
    pipeline = model.value(loop.iter).pipeline if isinstance(loop, cst.For) else None
    return pipeline is not None and pipeline.ragged
