"""Python numbers and strings that are passed to traced functions, and what these do with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.frequency import FEW_TURNS
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import NUMBERS, Kind, Tracing, Value
from tfxla_lint.semantics.varying.turn_values import values_over

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.model import SemanticModel

_SENSITIVE_OPS = behaviour.names(Trait.DTYPE_OF_PYTHON)
_DTYPE_SECOND = frozenset({"tensorflow.constant", "tensorflow.convert_to_tensor"})
_SENSITIVE_BUILTINS = behaviour.names(Trait.SHOWS_TYPE)
_DRAWING = behaviour.prefixes(Effect.FRESH)
#: Draws from what is written out: as many values as that has.
_CHOOSING = behaviour.methods(Trait.CHOOSES)
_NARROWING = behaviour.names(Trait.NARROWS)
#: Those that give one of what they are given.
_CHOOSING_ONE = behaviour.names(Trait.NARROWS) & behaviour.names(Trait.EITHER)
#: What gives few whole numbers for many.
_FEWER = (cst.FloorDivide, cst.RightShift, cst.BitAnd)
_SIZES = frozenset({"builtins.len"})
_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.Power)


@dataclass(frozen=True)
class TracedCall:
    """A call, from code that only runs eagerly, of a function that `tracing` wraps."""

    call: cst.Call
    tracing: Tracing
    edge: Edge | None

    @property
    def unit(self) -> Unit | None:
        """The function, if it is one of the project's."""
        return self.edge.callee if self.edge is not None else None

    def parameter(self, argument: cst.Arg) -> Parameter | None:
        """The parameter that an argument is bound to."""
        if self.edge is None or any(a.star for a in self.call.args):
            return None
        return self.edge.parameter(argument)


def traced_calls(model: SemanticModel) -> Iterator[TracedCall]:
    """The calls of traced functions whose Python arguments are part of the trace's key; none where traces
    are switched off."""
    for call in model.nodes(cst.Call) if functions_run_eagerly(model) is None else ():
        traced = traced_call(model, call)
        if traced is not None:
            yield traced


def traced_call(model: Answers, call: cst.Call) -> TracedCall | None:
    """What is known of one call as such, of any file."""
    function = model.value(call.func)
    edges = model.calls.at(call)
    tracing = edges[0].tracing if len(edges) == 1 else function.tracing
    if tracing is None or not model.contexts.is_only_eager(model.unit(call)):
        return None
    if function.kind not in (Kind.TRACED, Kind.METHOD) or (edges and function.unit is None):
        return None
    if tracing.option("input_signature") or tracing.option("experimental_follow_type_hints"):
        return None
    return TracedCall(call, tracing, edges[0] if edges else None)


def varies(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether a Python number or string surely takes many values: a counter, a loop's target, a
    draw, or what is computed from one without branching."""
    if not model.ask(_Numbers).varying.of(node):
        return False
    loop = model.value(node).loop
    values = values_over(model, node, loop) if isinstance(loop, cst.For) else None
    return values is None or len(set(map(repr, values))) > FEW_TURNS


class _Numbers:
    """The question; rounding and limits leave few values of a draw (`steady` asks behind them)."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        through = Through(callers=model.calls.untraced, agree=Agree.ANY)
        self.varying = Origins(model.flow, through, self._judge)
        self.steady = Origins(model.flow, through, self._judge_steady, self.varying)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        is_draw = isinstance(node, cst.Call) and _is_drawn(self._model, node)
        return is_draw or self._of(node, self.varying)

    def _judge_steady(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        return self._of(node, self.steady)

    def _of(self, node: cst.CSTNode, ask: Origins[bool]) -> bool | Look | None:
        if not isinstance(node, cst.BaseExpression):
            return isinstance(node, (cst.For, cst.CompFor, cst.AugAssign))
        value = self._model.value(node)
        if value.loop is None or not value.is_python_scalar or value.kind is Kind.BOOL:
            return None
        if isinstance(node, cst.BinaryOperation):
            if isinstance(node.operator, cst.Modulo) and value.kind is not Kind.STRING:
                return None
            if isinstance(node.operator, _FEWER) and not self._is_counted(node):
                return None
            return self._moves_on(node) or ask.any([node.left, node.right])
        if isinstance(node, cst.UnaryOperation):
            return ask.of(node.expression)
        if isinstance(node, cst.Subscript):
            indices = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
            return ask.any(indices)
        if isinstance(node, cst.Call):
            names = self._model.names.of(node.func)
            is_narrowed = bool(names & _NARROWING)
            is_choice = names & _CHOOSING_ONE and value.kind is Kind.INT
            if (is_choice or names & _SIZES) and not self._is_counted(node):
                return None
            given = [argument.value for argument in node.args]
            return (self.steady if is_narrowed else ask).any(given)
        if isinstance(node, cst.IfExp):
            return ask.of(node.body) and ask.of(node.orelse)
        if isinstance(node, cst.Name):
            return self._of_turn(node, value.loop, ask)
        if isinstance(node, cst.FormattedString):
            parts = [p for p in node.parts if isinstance(p, cst.FormattedStringExpression)]
            return ask.any([part.expression for part in parts])
        return THROUGH

    def _of_turn(self, node: cst.Name, loop: cst.CSTNode, ask: Origins[bool]) -> bool | Look | None:
        """Of a name that the turns of a loop bind at several places each of them has to vary."""
        bindings = self._model.flow.reached(node).bindings
        turned = [b for b in bindings if loop in self._model.ancestors(b.node)]
        bound = [b.value for b in turned if isinstance(b.value, cst.BaseExpression)]
        if len(turned) < 2 or len(bound) < len(turned):
            return THROUGH
        return all(ask.of(value) for value in bound) or None

    def _is_counted(self, node: cst.BaseExpression) -> bool:
        """Whether the values of an expression are known: whole numbers that a bound cuts off, or that are
        divided, may all be one."""
        loop = self._model.value(node).loop
        return isinstance(loop, cst.For) and values_over(self._model, node, loop) is not None

    def _moves_on(self, node: cst.BinaryOperation) -> bool:
        """Whether an operation is on what it gave before: `step = step + 1`."""
        reads = (n for n in walk(node) if isinstance(n, cst.Name))
        bindings = (b for read in reads for b in self._model.flow.reached(read).bindings)
        return any(binding.value is node for binding in bindings)


def _is_drawn(model: Answers, node: cst.Call) -> bool:
    """Whether a call draws a float or reads a clock: whole numbers may be drawn of a few."""
    value = model.value(node)
    if value.loop is None or value.kind is not Kind.FLOAT:
        return False
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in _CHOOSING:
        return False
    if any(name.startswith(_DRAWING) for name in model.names.of(node.func)):
        return True
    receiver = model.value(node.func).receiver
    return receiver is not None and (receiver.name or "").startswith("numpy.random.")


def reads_of(model: Answers, unit: Unit, parameter: Parameter) -> list[cst.Name] | None:
    """The reads of a parameter, or None where it is rebound or a nested function reads it."""
    if len(model.flow.bound_in(unit.scope, parameter.name, unit.node)) != 1:
        return None
    found = unit.scope.reads.get(parameter.name, [])
    every = sum(
        isinstance(node, cst.Name) and node.value == parameter.name
        for node in walk(unit.node.body if isinstance(unit.node, cst.FunctionDef) else unit.node)
    )
    return found if every == len(found) else None


def arithmetic_dtype(model: Answers, unit: Unit, parameter: Parameter) -> str | None:
    """The dtype of the tensors that a parameter is computed with, where it has no other use."""
    reads = reads_of(model, unit, parameter)
    dtypes = {_partner_dtype(model, read) for read in reads or ()}
    return next(iter(dtypes)) if len(dtypes) == 1 else None


def _partner_dtype(model: Answers, read: cst.Name) -> str | None:
    other = _partner(model, read)
    return other.dtype if other is not None and other.is_tensor else None


def partners(model: Answers, unit: Unit, parameter: Parameter) -> list[Value]:
    """What a parameter is computed with; empty where it has another use."""
    reads = reads_of(model, unit, parameter) or []
    found = [partner for read in reads if (partner := _partner(model, read)) is not None]
    return found if len(found) == len(reads) else []


def _partner(model: Answers, read: cst.Name) -> Value | None:
    parent = model.parent(read)
    if not isinstance(parent, cst.BinaryOperation) or not isinstance(parent.operator, _ARITHMETIC):
        return None
    return model.value(parent.right if parent.left is read else parent.left)


def is_type_sensitive(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether a function computes something else from `1`, `1.0` and `True`."""
    for read in reads_of(model, unit, parameter) or ():
        parent = model.parent(read)
        if isinstance(parent, (cst.Return, cst.FormattedStringExpression)):
            return True
        if isinstance(parent, cst.Arg):
            call = model.parent(parent)
            assert isinstance(call, cst.Call)
            names = model.names.of(call.func)
            if names & _SENSITIVE_BUILTINS:
                return True
            if names & _SENSITIVE_OPS and not _fixes_dtype(call, names):
                return True
    return False


def _fixes_dtype(call: cst.Call, names: frozenset[str]) -> bool:
    if any(a.keyword is not None and a.keyword.value == "dtype" for a in call.args):
        return True
    plain = sum(1 for argument in call.args if argument.keyword is None)
    return plain > 1 and bool(names & _DTYPE_SECOND)


@dataclass(frozen=True)
class TypeClash:
    """Two calls that share one trace although `later` passes another type than `earlier`."""

    earlier: cst.Arg
    later: cst.Arg
    name: str
    call: TracedCall


def type_clashes(model: SemanticModel) -> Iterator[TypeClash]:
    """Equal numbers of different types passed for one parameter: the first type wins."""
    seen: dict[tuple[int, str], list[tuple[TracedCall, cst.Arg]]] = {}
    for traced in traced_calls(model):
        for argument in traced.call.args:
            value = model.value(argument.value)
            parameter = traced.parameter(argument)
            if parameter is None or traced.unit is None or value.kind not in NUMBERS:
                continue
            if not value.has_constant or not is_type_sensitive(model, traced.unit, parameter):
                continue
            others = seen.setdefault((id(traced.unit), parameter.name), [])
            for other, earlier in others:
                if _shares_trace(model, (other, earlier), (traced, argument)):
                    yield TypeClash(earlier, argument, parameter.name, traced)
                    break
            others.append((traced, argument))


def _shares_trace(
    model: Answers, first: tuple[TracedCall, cst.Arg], second: tuple[TracedCall, cst.Arg]
) -> bool:
    left, right = model.value(first[1].value), model.value(second[1].value)
    if left.constant != right.constant or left.kind is right.kind:
        return False
    arguments = [[a for a in side[0].call.args if a is not side[1]] for side in (first, second)]
    if len(arguments[0]) != len(arguments[1]):
        return False
    return all(_looks_same(model, a, b) for a, b in zip(*arguments, strict=True))


def _looks_same(model: Answers, left: cst.Arg, right: cst.Arg) -> bool:
    """Whether two arguments surely have the same trace type."""
    name = left.keyword.value if left.keyword is not None else None
    if name != (right.keyword.value if right.keyword is not None else None):
        return False
    a, b = model.value(left.value), model.value(right.value)
    if a.has_constant or b.has_constant:
        return a == b
    if not a.is_tensor or not b.is_tensor:
        return False
    same_text = isinstance(left.value, cst.Name) and left.value.deep_equals(right.value)
    return same_text or (
        a.dtype is not None and a.dtype == b.dtype and _same_shape(a.shape, b.shape)
    )


def _same_shape(left: tuple[object, ...] | None, right: tuple[object, ...] | None) -> bool:
    return left is not None and left == right and all(type(size) is int for size in left)
