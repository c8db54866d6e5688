"""What a Python expression gives turn by turn of a loop, where the loop's target and constants decide."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_MOST_TURNS = 20_000
_TENSOR_RANGE = "tensorflow.range"
_OPERATIONS: dict[type[cst.BaseBinaryOp], Callable[[Any, Any], Any]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"builtins.{function.__name__}": function
    for function in (int, float, min, max, abs, str, round)
}


def values_over(model: Answers, node: cst.BaseExpression, loop: Loop) -> list[Any] | None:
    """The values of an expression turn by turn, where its target and constants alone decide."""
    if not isinstance(loop, cst.For):
        return None
    turns = _members(model, loop)
    if turns is None:
        return None
    found: list[Any] = []
    for turn in turns:
        value = _Turn(model, loop, turn).of(node)
        if value is None:
            return None
        found += value
    return found


def _members(model: Answers, loop: cst.For) -> list[dict[str, Any]] | None:
    """What the target's names hold on each turn, those of them that are known."""
    value = model.value(loop.iter)
    members = _constants(value)
    if members is not None and isinstance(loop.target, cst.Name):
        return [{loop.target.value: member} for member in members]
    if not isinstance(loop.iter, cst.Call):
        return None
    if model.names.one(loop.iter.func) == _TENSOR_RANGE and isinstance(loop.target, cst.Name):
        return _counted(model, loop.iter, loop.target.value)
    if model.names.one(loop.iter.func) != "builtins.enumerate" or len(loop.iter.args) != 1:
        return None
    turns, target = model.loops.info(loop).turns, loop.target
    if turns is None or turns > _MOST_TURNS or not isinstance(target, (cst.Tuple, cst.List)):
        return None
    first = target.elements[0].value if target.elements else None
    return [{first.value: i} for i in range(turns)] if isinstance(first, cst.Name) else None


def _counted(model: Answers, call: cst.Call, name: str) -> list[dict[str, Any]] | None:
    """What a name holds on each turn over `tf.range` of numbers that are written out."""
    bounds = [model.value(argument.value).constant for argument in call.args]
    is_plain = all(argument.keyword is None and not argument.star for argument in call.args)
    if not is_plain or not 1 <= len(bounds) <= 3 or not all(type(b) is int for b in bounds):
        return None
    turns = range(*bounds) if bounds[2:] != [0] else range(0)
    return [{name: turn} for turn in turns] if len(turns) <= _MOST_TURNS else None


def _constants(value: Value) -> list[Any] | None:
    elements = value.elements
    if elements is None or not all(element.has_constant for element in elements):
        return None
    constants = [element.constant for element in elements]
    if value.kind is Kind.RANGE:
        if not constants or not all(type(c) is int for c in constants):
            return None
        turns = range(*constants) if constants[2:] != [0] else range(0)
        return list(turns) if len(turns) <= _MOST_TURNS else None
    return constants if value.kind in (Kind.LIST, Kind.TUPLE) else None


class _Turn:
    """The values of expressions on one turn of a loop, each in a tuple of one."""

    def __init__(self, model: Answers, loop: cst.For, turn: dict[str, Any]) -> None:
        self._model = model
        self._loop = loop
        self._turn = turn
        self._origins = Origins(model.flow, Through(agree=Agree.ONE), self._judge)
        self.of = self._origins.of

    def _judge(self, node: cst.CSTNode, path: Path) -> tuple[Any] | Look | None:
        value = self._model.value(node)
        if value.has_constant and not path:
            return (value.constant,)
        if isinstance(node, cst.Name):
            bindings = self._model.flow.reached(node).bindings
            around = (self._model.ancestors(binding.node) for binding in bindings)
            if not all(self._loop in ancestors for ancestors in around):
                return None
            is_target = all(binding.kind is BindingKind.FOR for binding in bindings)
            return (self._turn[node.value],) if is_target and node.value in self._turn else THROUGH
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            return self._computed(operator.neg, [node.expression])
        if isinstance(node, cst.BinaryOperation) and type(node.operator) in _OPERATIONS:
            return self._computed(_OPERATIONS[type(node.operator)], [node.left, node.right])
        if isinstance(node, cst.Call):
            function = _FUNCTIONS.get(self._model.names.one(node.func) or "")
            if function is not None and all(not a.star and a.keyword is None for a in node.args):
                return self._computed(function, [argument.value for argument in node.args])
        return None

    def _computed(
        self, function: Callable[..., Any], nodes: list[cst.BaseExpression]
    ) -> tuple[Any] | None:
        values: list[Any] = []
        for node in nodes:
            value = self.of(node)
            if value is None:
                return None
            values += value
        with suppress(ArithmeticError, TypeError, ValueError):
            return (function(*values),)
        return None
