"""Whether what a loop hands from turn to turn keeps its dtype and shape."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Shape
from tfxla_lint.knowledge.dtypes import FLOATS
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import NUMBERS, Kind, Value

#: Functions of one tensor whose result has its dtype and shape.
_ELEMENTWISE = behaviour.elementwise()
#: Functions of two tensors that broadcast.
_BROADCASTING = behaviour.names(Shape.PAIR)
_OPERATORS = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo)
_AUGMENTED = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, cst.DivideAssign)


class Invariants:
    """Judges the names that one loop carries.

    An expression is *like* a carried name where it surely has the dtype and shape which that name
    had before the turn, and *small* where operating on both leaves these as they are: a Python
    number, or a scalar tensor of the same dtype.
    """

    def __init__(self, model: Answers, unit: Unit, loop: cst.For | cst.While) -> None:
        self._model = model
        self._unit = unit
        self._before = model.flow.reaching(unit.scope)
        self._loop = loop
        self._inside = {id(node) for node in walk(loop.body)}
        self._questions: dict[str, Origins[bool]] = {}

    def holds(self, name: str) -> bool:
        """Whether each assignment in the loop leaves the name what it was."""
        inner = self._inner(name)
        if self._is_fixed(name):
            return True
        for binding in inner:
            holder = self._model.parent(binding.node)
            if isinstance(holder, cst.AugAssign):
                if not self._keeps(holder, name):
                    return False
            elif binding.value is None or not self._is_like(binding.value, name):
                return False
        return bool(inner)

    def _inner(self, name: str) -> list[Binding]:
        """What binds a name in the loop."""
        return self._model.flow.bound_in(self._unit.scope, name, self._loop.body)

    def _outer(self, name: str) -> list[Binding]:
        """What a name may be bound to when the loop begins."""
        bindings = self._before.before(name, self._loop).bindings
        return [binding for binding in bindings if id(binding.node) not in self._inside]

    def _is_fixed(self, name: str) -> bool:
        """Whether dtype and shape are known, and the same, before the loop and in it."""
        found: set[tuple[object, ...]] = set()
        for binding in (*self._outer(name), *self._inner(name)):
            value = self._model.value(binding.value if binding.value is not None else binding.node)
            if not value.is_tensor or value.dtype is None or not _is_known(value):
                return False
            found.add((value.dtype, value.shape))
        return len(found) == 1

    def _keeps(self, node: cst.AugAssign, name: str) -> bool:
        if not isinstance(node.operator, _AUGMENTED):
            return False
        if isinstance(node.operator, cst.DivideAssign) and not self._is_float(name):
            return False
        return self._is_small(node.value, name) or self._is_like(node.value, name)

    def _is_float(self, name: str) -> bool:
        outer = self._outer(name)
        for binding in outer:
            value = self._model.value(binding.value) if binding.value is not None else None
            parameter = self._unit.parameter(name)
            if value is None and parameter is not None:
                value = parameter.value
            if value is None or value.dtype not in FLOATS:
                return False
        return bool(outer)

    def _is_like(self, node: cst.BaseExpression, name: str) -> bool:
        """Whether an expression is like the name, also where functions that are called make it."""

        def judge(made: cst.CSTNode, path: Path) -> bool | Look | None:
            if path or not isinstance(made, cst.BaseExpression):
                return THROUGH if path else None
            if isinstance(made, cst.Name):
                return self._name_is_like(made, name)
            if isinstance(made, cst.UnaryOperation):
                return isinstance(made.operator, cst.Minus) and ask.of(made.expression)
            if isinstance(made, cst.BinaryOperation):
                is_kept = not isinstance(made.operator, cst.Divide) or self._is_float(name)
                is_known = isinstance(made.operator, _OPERATORS) and is_kept
                return is_known and self._broadcast([made.left, made.right], name)
            return self._call(made, name) if isinstance(made, cst.Call) else THROUGH

        if name not in self._questions:
            through = Through(returns=lambda edge: len(self._model.flow.calls.at(edge.node)) == 1)
            self._questions[name] = Origins(self._model.flow, through, judge)
        ask = self._questions[name]
        return bool(ask.of(node))

    def _name_is_like(self, node: cst.Name, name: str) -> bool | Look:
        home = self._model.binder.scope(node).home(node.value)
        if home is not self._unit.scope:
            return THROUGH
        if node.value == name or self._starts_alike(node.value, name):
            return True
        bindings = self._model.flow.reached(node).bindings
        return THROUGH if all(id(b.node) in self._inside for b in bindings) else False

    def _starts_alike(self, other: str, name: str) -> bool:
        """Whether another carried name begins the loop with the same dtype and shape, all known.

        That it keeps them is judged when its own turn comes.
        """
        first, second = self._start(other), self._start(name)
        return first is not None and first == second

    def _start(self, name: str) -> tuple[object, ...] | None:
        outer = self._outer(name)
        if len(outer) != 1 or not self._inner(name):
            return None
        parameter = self._unit.parameter(name)
        given = outer[0].value
        value = self._model.value(given) if given is not None else parameter and parameter.value
        if not value or not value.is_tensor or value.dtype is None or not _is_known(value):
            return None
        return value.dtype, value.shape

    def _broadcast(self, sides: list[cst.BaseExpression], name: str) -> bool:
        like = [bool(self._questions[name].of(side)) for side in sides]
        return any(like) and all(
            is_like or self._is_small(side, name) for is_like, side in zip(like, sides, strict=True)
        )

    def _is_small(self, node: cst.BaseExpression, name: str) -> bool:
        value = self._model.value(node)
        if value.kind in NUMBERS and not value.mixed:
            # A float beside integers fails, before the rewrite as after it.
            return value.loop is None
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _OPERATORS):
            return self._is_small(node.left, name) and self._is_small(node.right, name)
        if isinstance(node, cst.Subscript) and len(node.slice) == 1:
            return self._is_element(node)
        return value.is_tensor and value.shape == () and value.dtype is not None

    def _is_element(self, node: cst.Subscript) -> bool:
        """Whether an index takes one element of a vector."""
        holder = self._model.value(node.value)
        is_vector = holder.is_tensor and holder.shape is not None and len(holder.shape) == 1
        index = node.slice[0].slice
        if not is_vector or holder.shape == (...,) or not isinstance(index, cst.Index):
            return False
        return self._model.value(index.value).kind is Kind.INT

    def _call(self, node: cst.Call, name: str) -> bool | Look:
        given = [a.value for a in node.args if a.keyword is None and not a.star]
        called = self._model.names.one(node.func)
        if called in _ELEMENTWISE:
            return bool(given and self._questions[name].of(given[0]))
        if called in _BROADCASTING and len(given) == 2:
            return self._broadcast(given, name)
        return THROUGH if called is None else False


def _is_known(value: Value) -> bool:
    return value.shape is not None and all(type(size) is int for size in value.shape)
