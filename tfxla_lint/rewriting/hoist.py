"""Hoisting: the tensor part of a loop body becomes a `tf.function` of its own."""

from __future__ import annotations

from collections.abc import Sequence

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
from tfxla_lint.rewriting.hoist_names import names_of_steps
from tfxla_lint.rewriting.hoist_parts import Part, parts_of
from tfxla_lint.rewriting.plan import (
    assumption_of,
    call_of,
    definition_of,
    made_once,
    set_back,
)
from tfxla_lint.rewriting.wrap import wrap
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.eager_models import models_beside
from tfxla_lint.semantics.repeated.epoch_metrics import is_made_before
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.steps import StepLoop


def hoist(model: SemanticModel, step: StepLoop) -> tuple[Rewrite | None, list[Blocker]]:
    """The rewrite that hoists a step, or None with what blocks it."""
    found = parts_of(model, step)
    parts = found.parts
    if not parts:
        return None, found.blockers
    names = names_of_steps(model)[id(step.loop)]
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


def _edits(
    model: SemanticModel, parts: Sequence[Part], names: Sequence[str], wraps: list[NodeEdit]
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
        not_made = [line for line in new_metrics if not is_made_before(model, line)]
        made_there += [*made_once(not_made), _definition(model, part, name)]
        edits.append(ReplaceStatements(plan.moved[0], plan.moved[-1], [call, *plan.sunk]))
        edits += [ReplaceStatements(line, line, [set_back(line)]) for line in new_metrics]
        edits += method_edits(plan.attributes, plan.attribute_names)
    for edit in wraps:
        if isinstance(edit, InsertBefore) and id(edit.statement) in made:
            made[id(edit.statement)][1][:0] = edit.new
        else:
            edits.append(edit)
    return [*(InsertBefore(before, new) for before, new in made.values()), *edits]


def _definition(model: SemanticModel, part: Part, name: str) -> cst.FunctionDef:
    return definition_of(model, part.plan, name, part.decorator, part.step.unit)
