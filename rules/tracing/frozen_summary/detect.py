"""Summaries in traced code whose step is a Python number, and hence that of the first call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.guards import excludes_tracing, runs_once
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_SUMMARY = "tensorflow.summary."
_SET_STEP = "tensorflow.summary.experimental.set_step"
#: Where the step stands among the arguments.
_STEP_AT = {"scalar": 2, "image": 2, "histogram": 2, "text": 2, "write": 2, "audio": 3}


@dataclass(frozen=True, slots=True)
class FrozenSummary:
    """A summary, words for its step, and the calls that set the step, if it is the default."""

    node: cst.Call
    step: str
    sources: tuple[cst.Call, ...] = ()


def frozen_summaries(model: SemanticModel, unit: Unit) -> Iterator[FrozenSummary]:
    """The summaries of a traced unit's own code."""
    for node in unit.own(cst.Call):
        found = _judge(model, node)
        if found is not None and not runs_once(model, node):
            if not excludes_tracing(model, node):
                yield found


def _judge(model: SemanticModel, node: cst.Call) -> FrozenSummary | None:
    name = (model.names.one(node.func) or "").removeprefix(_SUMMARY)
    if name not in _STEP_AT or any(argument.star for argument in node.args):
        return None
    step = _step(node, _STEP_AT[name])
    if step is not None:
        if not _is_changing_number(model, step):
            return None
        return FrozenSummary(node, f"`{model.code(step)}`")
    setters = _default_steps(model)
    if setters:
        return FrozenSummary(node, "the step that `set_step` is given", setters)
    return None


def _step(node: cst.Call, position: int) -> cst.BaseExpression | None:
    for argument in node.args:
        if argument.keyword is not None and argument.keyword.value == "step":
            return None if _is_none(argument.value) else argument.value
    plain = [argument.value for argument in node.args if argument.keyword is None]
    if position < len(plain) and not _is_none(plain[position]):
        return plain[position]
    return None


def _is_none(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


def _is_changing_number(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a Python integer from outside of the trace has other values on later calls."""
    if isinstance(node, cst.BinaryOperation):
        sides = (node.left, node.right)
        numbers = all(model.value(side).kind is Kind.INT for side in sides)
        return numbers and any(_is_changing_number(model, side) for side in sides)
    value = model.value(node)
    if value.kind is not Kind.INT or value.maybe_none:
        return False
    if isinstance(node, cst.Attribute):
        return model.ask(Safety).state.attribute_changes(node)
    if not isinstance(node, cst.Name):
        return False
    home = model.binder.scope(node).home(node.value)
    if home is None or model.contexts.traced(model.unit_of_scope(home)) is not None:
        return False
    return model.ask(Safety).state.name_changes(node)


def _default_steps(model: SemanticModel) -> tuple[cst.Call, ...]:
    """The calls of `set_step`, if all of them give it Python integers, and changing ones."""
    calls = [c for c in model.nodes(cst.Call) if _SET_STEP in model.names.of(c.func)]
    given = [call.args[0].value for call in calls if call.args]
    if len(given) != len(calls):
        return ()
    kinds = {model.value(step).kind for step in given if not _is_none(step)}
    changing = any(not model.value(step).has_constant for step in given if not _is_none(step))
    varies = changing or len(calls) > 1
    return tuple(calls) if kinds == {Kind.INT} and varies else ()
