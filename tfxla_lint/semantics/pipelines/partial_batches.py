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
from tfxla_lint.semantics.guards import hangs_on_size
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Tracing, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.model import SemanticModel

_PASSING = behaviour.names(Trait.PASSES_MEMBERS)


@dataclass(frozen=True)
class PartialBatch:
    """A `.batch(...)` whose last batch `loop` hands to a traced step, which `step` calls."""

    batch: cst.Call
    loop: cst.For
    step: cst.Call
    tracing: Tracing

    @property
    def is_compiled(self) -> bool:
        """Whether XLA compiles the step, and so compiles it again for the last batch."""
        return self.tracing.is_compiled


def partial_batches(model: SemanticModel) -> list[PartialBatch]:
    """Those of this module that feed a training step of any module, one for each `.batch` call."""
    every = model.ask(_all) if functions_run_eagerly(model) is None else []
    return [partial for partial in every if model.is_own(partial.batch)]


def _all(model: Answers) -> list[PartialBatch]:
    fed = _fed_steps(model)
    found: dict[int, PartialBatch] = {}
    for loop in model.everywhere(cst.For) if fed else ():
        if loop not in fed or model.loops.info(loop).is_short:
            continue
        if model.contexts.is_only_eager(model.unit(loop)):
            for batch in partial_batch_calls(model, loop.iter):
                found.setdefault(id(batch), PartialBatch(batch, loop, *fed[loop]))
    return list(found.values())


def _fed_steps(model: Answers) -> dict[cst.For, tuple[cst.Call, Tracing]]:
    """The first call of a traced training step that is given what a turn of each loop brings."""
    turns = _Turns(model)
    found: dict[cst.For, tuple[cst.Call, Tracing]] = {}
    for unit in model.every_unit:
        for edge in model.calls.callers(unit):
            tracing, call = edge.tracing, edge.node
            if tracing is None or not isinstance(call, cst.Call) or not _sees_shapes(tracing):
                continue
            is_step = trains(model, unit) and model.ask(_updates, unit)
            is_step = is_step and not hangs_on_size(model, call)
            for loop in turns.bringing(call) if is_step else ():
                found.setdefault(loop, (call, tracing))
    return found


class _Turns:
    """Loops whose turns bring what a call is given, or what that is made from: around the call, or
    around calls of functions that hand it on."""

    def __init__(self, model: Answers) -> None:
        through = Through(model.calls.untraced, agree=Agree.ALL)
        self._origins: Origins[frozenset[cst.For]] = Origins(model.flow, through, self._judge)

    def bringing(self, call: cst.Call) -> frozenset[cst.For]:
        """The loops of the arguments of a call."""
        return self._all_of(*(given.value for given in call.args))

    def _all_of(self, *nodes: cst.BaseExpression) -> frozenset[cst.For]:
        names = (name for node in nodes for name in walk(node) if isinstance(name, cst.Name))
        return frozenset().union(*(self._origins.of(name) or () for name in names))

    def _judge(self, node: cst.CSTNode, path: Path) -> frozenset[cst.For] | Look:
        if isinstance(node, cst.For):
            return frozenset([node])
        if isinstance(node, cst.Name) or not isinstance(node, cst.BaseExpression):
            return THROUGH
        return self._all_of(node)


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
        is_counted = value.pipeline.batches is not None
        if is_counted or not (_is_endless(model, batch) or _is_made_to_fit(model, batch)):
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
    `batch(len(x))`, and `x[:steps * batch_size]`; or what makes the rows is given a number that may
    be theirs, `batch(32)` of `points(1000)`, so that the program sets both."""
    size = argument(batch, "batch_size", 0)
    if size is None:
        return False
    most = model.value(size).constant

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
            given = [argument.value for argument in made.args]
            if model.value(made).kind is Kind.DATASET:
                given = given if ".from_" in model.code(made.func) else []
            elif type(most) is int and any(_exceeds(model, node, most) for node in given):
                return True
            return any(bool(cut.of(node)) for node in (made.func, *given)) or THROUGH
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


def _exceeds(model: Answers, node: cst.BaseExpression, most: int) -> bool:
    number = model.value(node).constant
    return type(number) is int and number > most


def _are_same(model: Answers, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    values = (model.value(one), model.value(other))
    if all(value.has_constant for value in values):
        return bool(values[0].constant == values[1].constant)
    return model.code(one) == model.code(other)


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


def _updates(model: Answers, unit: Unit) -> bool:
    """Whether a function sets variables, through calls: an evaluation may take gradients, too."""
    return any(model.works.of_unit(inner).updates for inner in model.calls.below(unit))


def _sees_shapes(tracing: Tracing) -> bool:
    """Whether another batch size makes another trace, or another compilation."""
    return tracing.option("input_signature") is None or tracing.is_compiled
