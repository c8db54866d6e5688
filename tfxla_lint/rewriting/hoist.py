"""Hoisting: the tensor part of a loop body becomes a `tf.function` of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, ReplaceStatements, Rewrite, Statement
from tfxla_lint.rewriting.hoist_names import names_of_steps
from tfxla_lint.rewriting.hoist_parts import Part, parts_of
from tfxla_lint.rewriting.outline import assumption_of, gaps_of, outlined, stay_behind
from tfxla_lint.rewriting.proved import judged
from tfxla_lint.rewriting.wrap import wrap
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.eager_models import models_beside
from tfxla_lint.semantics.repeated.epoch_metrics import is_made_before
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.safety.conditions import REGION_CONDITIONS, Condition, Gap
from tfxla_lint.semantics.safety.instances import is_run_often
from tfxla_lint.semantics.safety.proof import call_gaps
from tfxla_lint.semantics.safety.unbuilt import fails_for_good
from tfxla_lint.semantics.steps import StepLoop


def hoist(model: SemanticModel, step: StepLoop) -> tuple[Rewrite | None, list[Blocker]]:
    """The rewrite that hoists a step, or None with what blocks it."""
    found = parts_of(model, step)
    parts = found.parts
    if not parts:
        return None, found.blockers
    for part in parts:
        caught = fails_for_good(model, part.outline.moved, part.outline.moved[0])
        if caught is not None:
            return None, [caught]
    names = names_of_steps(model)[id(step.loop)]
    beside = [(g, w) for g in models_beside(model, step.loop, step.unit) if (w := wrap(model, g))]
    wrapped = [w for _, w in beside]
    texts = [assumption_of(model, part.outline) for part in parts]
    texts += [w.assumption for w in wrapped]
    gaps = [gap for part in parts for gap in gaps_of(model, part.outline, part.step.unit)]
    gaps += [gap for group, _ in beside for gap in call_gaps(model, group.calls)]
    gaps += [gap for part in parts for gap in _made_often(model, part)]
    applicability, said = judged(model, gaps, REGION_CONDITIONS, "; ".join(dict.fromkeys(texts)))
    edits = [edit for w in wrapped for edit in w.edits]
    edits += _metric_edits(model, parts)
    for part, name in zip(parts, names, strict=True):
        edits += outlined(model, part.outline, name, part.decorator, part.step.unit)
    listed = " and ".join(f"`{name}`" for name in names)
    rewrite = Rewrite(
        title=f"Move the step into {'a tf.function' if len(names) == 1 else 'tf.functions'} {listed}",
        edits=_together(edits),
        applicability=applicability,
        assumption=said,
        unit=f"{step.unit.qualname}:{names[0]}",
        is_partial=any(part.outline.staying for part in parts) or _leaves_update(step, parts),
    )
    return rewrite, [blocker for part in parts for blocker in part.outline.staying]


def _made_often(model: SemanticModel, part: Part) -> Iterator[Gap]:
    """That the step is made, and traced, as often as the function is run that it stands in."""
    place = part.outline.place
    if place is not None and not model.unit(place.before).is_module:
        if is_run_often(model, place.before):
            yield Gap(
                Condition.OBJECTS, place.before, "the step may be made often, and traced as often"
            )


def _leaves_update(step: StepLoop, parts: Sequence[Part]) -> bool:
    """Whether gradients are still applied eagerly, which a further fix may change."""
    return stay_behind(step.work.applies, [part.outline for part in parts])


def _metric_edits(model: SemanticModel, parts: Sequence[Part]) -> list[NodeEdit]:
    """Each metric that a loop makes anew is made once, before the function, and set back there."""
    edits: list[NodeEdit] = []
    seen: set[int] = set()
    for part in parts:
        place = part.outline.place
        assert place is not None
        for line in place.metrics:
            if id(line) in seen:
                continue
            seen.add(id(line))
            if not is_made_before(model, line):
                edits.append(InsertBefore(place.before, [cst.SimpleStatementLine(line.body)]))
            assignment = line.body[0]
            assert isinstance(assignment, cst.Assign)
            reset = cst.Attribute(assignment.targets[0].target, cst.Name("reset_state"))
            set_back = line.with_changes(body=[cst.Expr(cst.Call(reset))])
            edits.append(ReplaceStatements(line, line, [set_back]))
    return edits


def _together(edits: Sequence[NodeEdit]) -> list[NodeEdit]:
    """The edits, with all that goes before one statement put there at once."""
    made: dict[int, tuple[Statement, list[Statement]]] = {}
    for edit in edits:
        if isinstance(edit, InsertBefore):
            made.setdefault(id(edit.statement), (edit.statement, []))[1].extend(edit.new)
    inserted = [InsertBefore(before, new) for before, new in made.values()]
    return [*inserted, *(edit for edit in edits if not isinstance(edit, InsertBefore))]
