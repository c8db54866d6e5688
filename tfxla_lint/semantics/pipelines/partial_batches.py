"""Datasets whose last batch is smaller, and the training steps that are fed with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.steps import AllSteps
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Tracing, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.model import SemanticModel

_PASSING = behaviour.names(Trait.PASSES_MEMBERS)


@dataclass(frozen=True)
class PartialBatch:
    """A `.batch(...)` whose last batch `loop` hands to a step.

    `step` is the call of a traced function or of one that will be traced, or None where the loop
    holds the step inline; `tracing` is there for what is traced already.
    """

    batch: cst.Call
    loop: cst.For
    step: cst.Call | None = None
    tracing: Tracing | None = None

    @property
    def is_compiled(self) -> bool:
        """Whether XLA compiles the step, and so compiles it again for the last batch."""
        return self.tracing is not None and self.tracing.is_compiled


def partial_batches(model: SemanticModel) -> list[PartialBatch]:
    """Those of this module that feed a training step of any module, one for each `.batch` call."""
    every = model.ask(_all)
    return [partial for partial in every if model.is_own(partial.batch)]


def _all(model: Answers) -> list[PartialBatch]:
    found: dict[int, PartialBatch] = {}
    for loop in model.everywhere(cst.For):
        if not model.contexts.is_only_eager(model.unit(loop)) or model.loops.info(loop).is_short:
            continue
        for batch in partial_batch_calls(model, loop.iter):
            if id(batch) not in found:
                partial = _consumer(model, loop, batch)
                if partial is not None:
                    found[id(batch)] = partial
    return list(found.values())


def partial_batch_calls(model: Answers, iterated: cst.BaseExpression) -> Iterator[cst.Call]:
    """The `.batch` calls behind what a loop ranges over that may leave a remainder."""
    value = model.value(iterated)
    if isinstance(iterated, cst.Call) and model.names.of(iterated.func) & _PASSING:
        if any(model.value(given.value).kind is Kind.RANGE for given in iterated.args):
            return  # it may end before the last batch
        for given in iterated.args:
            yield from partial_batch_calls(model, given.value)
    elif value.kind is Kind.DATASET and _is_partial(value):
        assert value.pipeline is not None
        assert value.pipeline.batch is not None
        batch = value.pipeline.batch
        if not (_is_endless(model, batch) or _is_made_to_fit(model, batch)):
            yield batch


def _is_partial(value: Value) -> bool:
    pipeline = value.pipeline
    if pipeline is None or pipeline.batch is None or pipeline.remainder is not True:
        return False
    plain = [a for a in pipeline.batch.args if a.keyword is None]
    given = any(a.keyword and a.keyword.value == "drop_remainder" for a in pipeline.batch.args)
    return not (pipeline.repeated or pipeline.ragged or given or len(plain) > 1)


def _is_endless(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether a pipeline may start from a generator, which may never end."""

    def judge(made: cst.CSTNode, path: Path) -> bool | Look | None:
        if any(name.endswith(".from_generator") for name in model.names.of(made)):
            return True
        if isinstance(made, cst.Call):
            return question.of(made.func) or THROUGH
        return question.of(made.value) or THROUGH if isinstance(made, cst.Attribute) else THROUGH

    through = Through(returns=lambda edge: True, attributes=True, agree=Agree.ANY)
    question = Origins(model.flow, through, judge)
    return bool(question.of(node))


def _is_made_to_fit(model: Answers, batch: cst.Call) -> bool:
    """Whether the batch size is made from a number of rows, or the number of rows from it:
    `batch(len(x))`, and `x[:steps * batch_size]`."""
    size = argument(batch, "batch_size", 0)
    if size is None:
        return False

    def is_length(made: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(made, cst.Call):
            return "builtins.len" in model.names.of(made.func)
        if isinstance(made, cst.Subscript):
            return isinstance(made.value, cst.Attribute) and made.value.attr.value == "shape"
        return THROUGH

    def is_multiple(made: cst.CSTNode, path: Path) -> bool | Look | None:
        if not isinstance(made, cst.BinaryOperation):
            return THROUGH
        sides = (made.left, made.right)
        if isinstance(made.operator, cst.Multiply) and any(
            _are_same(model, s, size) for s in sides
        ):
            return True
        return None

    def is_cut(made: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(made, cst.Call):
            given = (made.func, *(a.value for a in made.args if ".from_" in model.code(made.func)))
            return any(bool(cut.of(node)) for node in given) or THROUGH
        if isinstance(made, cst.Attribute):
            return cut.of(made.value) or THROUGH
        if isinstance(made, cst.Tuple) and not path:
            return any(bool(cut.of(element.value)) for element in made.elements)
        part = made.slice[0].slice if isinstance(made, cst.Subscript) else None
        if isinstance(part, cst.Slice) and part.upper is not None:
            return multiple.of(part.upper)
        return THROUGH

    through = Through(returns=lambda edge: True, attributes=True, agree=Agree.ANY)
    multiple = Origins(model.flow, through, is_multiple)
    cut = Origins(model.flow, through, is_cut)
    return bool(Origins(model.flow, through, is_length).of(size) or cut.of(batch))


def _are_same(model: Answers, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    values = (model.value(one), model.value(other))
    if all(value.has_constant for value in values):
        return bool(values[0].constant == values[1].constant)
    return model.code(one) == model.code(other)


def _consumer(model: Answers, loop: cst.For, batch: cst.Call) -> PartialBatch | None:
    inside = {id(node) for node in walk(loop)}
    for call in (node for node in walk(loop.body, into_scopes=False) if isinstance(node, cst.Call)):
        if not _takes_batch(model, call, inside):
            continue
        for callee in model.callees(call):
            if not trains(model, callee.unit):
                continue
            if callee.tracing is not None and _sees_shapes(callee.tracing):
                return PartialBatch(batch, loop, call, callee.tracing)
            if callee.tracing is None and _will_be_traced(model, callee.unit):
                return PartialBatch(batch, loop, call)
    return PartialBatch(batch, loop) if _is_inline_step(model, loop) else None


def _takes_batch(model: Answers, call: cst.Call, inside: set[int]) -> bool:
    """Whether an argument is what the loop's turn gives, or made from it."""
    for given in call.args:
        for node in walk(given.value):
            if isinstance(node, cst.Name):
                bindings = model.flow.reached(node).bindings
                if any(id(binding.node) in inside for binding in bindings):
                    return True
    return False


def trains(model: Answers, unit: Unit) -> bool:
    """Whether a function takes gradients or updates variables by an optimizer, through calls."""
    return any(model.ask(_trains_itself, inner) for inner in model.calls.below(unit))


def _trains_itself(model: Answers, unit: Unit) -> bool:
    return any(
        isinstance(node, cst.Call)
        and (receiver := model.value(node.func).receiver) is not None
        and receiver.kind in (Kind.TAPE, Kind.OPTIMIZER)
        for node in walk(unit.node)
    )


def _sees_shapes(tracing: Tracing) -> bool:
    """Whether another batch size makes another trace, or another compilation."""
    return tracing.option("input_signature") is None or tracing.is_compiled


def _will_be_traced(model: Answers, unit: Unit) -> bool:
    every = model.ask(AllSteps)
    step = every.function(unit)
    if step is None or every.is_covered(step):
        return False
    return not model.ask(Safety).unit_blockers(unit)


def _is_inline_step(model: Answers, loop: cst.For) -> bool:
    step = model.ask(AllSteps).loop(loop)
    return step is not None and step.work.is_training_step
