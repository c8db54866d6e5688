"""What of a step loop moves into functions of its own: all of the step, or what its blocks do."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.rewriting.hoister import LoopHoister
from tfxla_lint.rewriting.inner_steps import inner_steps
from tfxla_lint.rewriting.placement import again
from tfxla_lint.rewriting.plan import HoistPlan, decorator_of
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.syntax import walk


@dataclass(frozen=True)
class Part:
    """What moves into one function: `step` is the loop nearest around, and the work moved."""

    step: StepLoop
    plan: HoistPlan
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
    plans = _plans(model, step)
    for _, plan in plans:
        if plan.blockers or plan.place is None or not plan.moved:
            return Parts(blockers=plan.blockers)
        if step.work.only_measures and model.loops.around(plan.place.before, step.unit):
            return Parts(blockers=[again(step.loop)])
    parts = [
        Part(inner, plan, decorator)
        for inner, plan in plans
        if (decorator := _decorator(model, inner, plan)) is not None
    ]
    return Parts(parts) if len(parts) == len(plans) else Parts()


def _decorator(model: SemanticModel, step: StepLoop, plan: HoistPlan) -> str | None:
    loops = [*model.loops.around(step.loop, step.unit), step.loop]
    return decorator_of(model, plan, loops, step.loop, _is_ragged(model, step))


def _plans(model: SemanticModel, step: StepLoop) -> list[tuple[StepLoop, HoistPlan]]:
    """The plan for a step; where it can't move as a whole, those for the blocks that can."""
    plan = LoopHoister(model, step).plan()
    plans = [] if plan.blockers else [(step, plan)]
    for inner, block in inner_steps(model, step):
        around = {id(node) for node in (block, *model.ancestors(block))}
        below = {id(node) for node in walk(block)}
        if any(id(s) in around or id(s) in below for _, p in plans for s in p.moved):
            continue
        narrow = LoopHoister(model, inner, block).plan()
        if narrow.moved and narrow.place is not None and not narrow.blockers:
            plans.append((inner, narrow))
    plans.sort(key=lambda found: model.line(found[1].moved[0]))
    return plans or [(step, plan)]


def _is_ragged(model: SemanticModel, step: StepLoop) -> bool:
    """Whether the loop is over batches that are padded, each to a length of its own."""
    loop = step.loop
    pipeline = model.value(loop.iter).pipeline if isinstance(loop, cst.For) else None
    return pipeline is not None and pipeline.ragged
