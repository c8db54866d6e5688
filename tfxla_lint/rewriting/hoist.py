"""Hoisting: the tensor part of a loop body becomes a `tf.function` of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import (
    InsertBefore,
    NodeEdit,
    ReplaceStatements,
    Rewrite,
    Statement,
)
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.attribute_passing import method_edits
from tfxla_lint.rewriting.hoister import LoopHoister
from tfxla_lint.rewriting.inner_steps import inner_steps
from tfxla_lint.rewriting.placement import again
from tfxla_lint.rewriting.plan import (
    HoistPlan,
    assumption_of,
    call_of,
    decorator_of,
    definition_of,
    made_once,
    set_back,
)
from tfxla_lint.rewriting.step_names import function_name, is_role, role_of
from tfxla_lint.rewriting.wrap import wrap
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.eager_models import models_beside
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.syntax import walk


@dataclass(frozen=True)
class _Part:
    """What moves into one function: `step` is the loop nearest around, and the work moved."""

    step: StepLoop
    plan: HoistPlan
    decorator: str


def hoist(model: SemanticModel, step: StepLoop) -> tuple[Rewrite | None, list[Blocker]]:
    """The rewrite that hoists a step, or None with what blocks it."""
    plans = _plans(model, step)
    for _, plan in plans:
        if plan.blockers or plan.place is None or not plan.moved:
            return None, plan.blockers
        if step.work.only_measures and model.loops.around(plan.place.before, step.unit):
            return None, [again(step.loop)]
    parts = [
        _Part(inner, plan, decorator)
        for inner, plan in plans
        if (decorator := _decorator(model, inner, plan)) is not None
    ]
    if len(parts) < len(plans):
        return None, []
    names = _function_names(model, parts)
    wrapped = [w for g in models_beside(model, step.loop, step.unit) if (w := wrap(model, g))]
    texts = [assumption_of(model, part.plan) for part in parts]
    texts += [w.assumption for w in wrapped]
    listed = " and ".join(f"`{name}`" for name in names)
    rewrite = Rewrite(
        title=f"Move the step into {'a tf.function' if len(names) == 1 else 'tf.functions'} {listed}",
        edits=_edits(model, parts, names, [e for w in wrapped for e in w.edits]),
        applicability=Applicability.UNSAFE,
        assumption="; ".join(dict.fromkeys(texts)),
        unit=f"{step.unit.qualname}:{names[0]}",
    )
    return rewrite, []


def _decorator(model: SemanticModel, step: StepLoop, plan: HoistPlan) -> str | None:
    loops = [*model.loops.around(step.loop, step.unit), step.loop]
    return decorator_of(model, plan, loops, step.loop, _is_ragged(model, step))


def _function_names(model: SemanticModel, parts: Sequence[_Part]) -> list[str]:
    names: list[str] = []
    for part in parts:
        plan = part.plan
        owner = part.step.unit if plan.place is not None and plan.place.is_method else None
        role = role_of(model, plan.moved) if len(parts) > 1 or _has_others(model, part) else ""
        taken = (owner, role, names, plan.arguments)
        names.append(function_name(model, part.step.work, plan.results, *taken))
    return names


def _has_others(model: SemanticModel, part: _Part) -> bool:
    """Whether other steps train something too, of the same code or named after what they train."""
    unit, loop = part.step.unit, part.step.loop
    if any(u.tracing and is_role(u.name) for u in model.units.all):
        return True
    return any(
        other.unit is unit and other.loop is not loop and other.work.is_training_step
        for other in model.steps.loops
    )


def _edits(
    model: SemanticModel, parts: Sequence[_Part], names: Sequence[str], wraps: list[NodeEdit]
) -> list[NodeEdit]:
    """The edits that move the parts; functions that go to one place go there in their order."""
    made: dict[int, tuple[Statement, list[Statement]]] = {}
    edits: list[NodeEdit] = []
    metrics: list[cst.SimpleStatementLine] = []
    for part, name in zip(parts, names, strict=True):
        plan = part.plan
        assert plan.place is not None
        before = plan.place.before
        new_metrics = [line for line in plan.place.metrics if line not in metrics]
        metrics += new_metrics
        call = call_of(model, plan, name, part.step.loop)
        _, made_there = made.setdefault(id(before), (before, []))
        made_there += [*made_once(new_metrics), _definition(model, part, name)]
        edits.append(ReplaceStatements(plan.moved[0], plan.moved[-1], [call, *plan.sunk]))
        edits += [ReplaceStatements(line, line, [set_back(line)]) for line in new_metrics]
        edits += method_edits(plan.attributes, plan.attribute_names)
    for edit in wraps:
        if isinstance(edit, InsertBefore) and id(edit.statement) in made:
            made[id(edit.statement)][1][:0] = edit.new
        else:
            edits.append(edit)
    return [*(InsertBefore(before, new) for before, new in made.values()), *edits]


def _definition(model: SemanticModel, part: _Part, name: str) -> cst.FunctionDef:
    return definition_of(model, part.plan, name, part.decorator, part.step.unit)


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
