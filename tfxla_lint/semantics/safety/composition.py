"""What the expressions of some code that is to be traced are computed of.

Names that the code binds are followed to what it binds them to, through the functions that it runs;
what comes from outside stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge
    from tfxla_lint.semantics.units import Unit

_Answer = TypeVar("_Answer")
Expression = cst.BaseExpression | cst.AugAssign

_VALUE_FREE = behaviour.names(Trait.VALUE_FREE)
#: What gives members of what it is given.
_MOVING = (behaviour.names(Trait.MOVES) | behaviour.names(Trait.PASSES_MEMBERS)) - _VALUE_FREE
_SETTINGS = frozenset({Kind.STRING, Kind.DTYPE, Kind.SHAPE, Kind.NONE})
_LOOPS = (cst.For, cst.While, cst.ListComp, cst.GeneratorExp)
_HOLDING = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.ITERATOR})


class Composition:
    """Of some code: `inside` are its nodes, and `run` the functions that it runs."""

    def __init__(self, model: Answers, inside: set[int], run: set[int]) -> None:
        self._model = model
        self._inside = inside
        self._run = run
        self._sources: dict[int, list[Expression]] = {}
        self._paths: dict[tuple[int, int], Path] = {}
        self._seen_through: dict[int, list[Expression] | None] = {}
        self._through = Through(self._callers, lambda edge: True, True, True, True)

    def _callers(self, unit: Unit) -> Sequence[Edge]:
        return self._model.calls.callers(unit) if id(unit) in self._run else ()

    def _judge(
        self, found: list[tuple[Expression, Path]], made: cst.CSTNode, path: Path
    ) -> bool | Look | None:
        if isinstance(made, cst.Name) and not self._model.names.of(made):
            if not self._is_outside(made):
                return THROUGH
        elif isinstance(made, (cst.IfExp, cst.BooleanOperation, cst.NamedExpr)):
            return THROUGH
        elif isinstance(made, cst.Call) and any(self._model.calls.at(made)):
            if self._model.value(made.func).kind is not Kind.CLASS:
                return THROUGH
        elif isinstance(made, cst.Subscript):
            if self._model.value(made.value).kind in _HOLDING:
                return THROUGH
        elif path and isinstance(made, (cst.Tuple, cst.List, cst.ListComp, cst.GeneratorExp)):
            return THROUGH
        if not isinstance(made, (cst.BaseExpression, cst.AugAssign)):
            return None
        found.append((made, path))
        return True

    def sources(self, node: cst.BaseExpression) -> list[Expression]:
        """The expressions that may give the value of one; empty where one is not known."""
        if id(node) not in self._sources:
            found: list[tuple[Expression, Path]] = []
            origins = Origins(self._model.flow, self._through, partial(self._judge, found))
            self._sources[id(node)] = [made for made, _ in found] if origins.of(node) else []
            self._paths.update(((id(node), id(made)), path) for made, path in found)
        return self._sources[id(node)]

    def path(self, node: cst.BaseExpression, source: Expression) -> Path:
        """The members of a source of an expression that the expression is; empty for all of it."""
        return self._paths.get((id(node), id(source)), ())

    def _is_outside(self, name: cst.Name) -> bool:
        """Whether a name is bound outside of the code alone."""
        bindings = self._model.flow.reached(name).bindings
        for binding in bindings:
            unit = self._model.flow.unit(binding.scope)
            is_passed = binding.kind is BindingKind.PARAMETER and id(unit) in self._run
            if is_passed or id(binding.node) in self._inside:
                return False
        return bool(bindings)

    def through(self, node: cst.BaseExpression) -> list[Expression] | None:
        """The sources, seen through what only moves members; None where one is not known."""
        if id(node) not in self._seen_through:
            self._seen_through[id(node)] = self._through_moves(node)
        return self._seen_through[id(node)]

    def _through_moves(self, node: cst.BaseExpression) -> list[Expression] | None:
        found: list[Expression] = []
        pending, seen = [node], set()
        while pending:
            part = pending.pop()
            if id(part) in seen:
                continue
            seen.add(id(part))
            sources = self.sources(part)
            if not sources:
                return None
            for source in sources:
                moved = self._moved(source)
                pending += moved
                found += [source] if not moved else []
        return found

    def _moved(self, source: Expression) -> list[cst.BaseExpression]:
        if isinstance(source, cst.Subscript):
            return [source.value]
        if isinstance(source, (cst.Tuple, cst.List)):
            return [element.value for element in source.elements]
        if isinstance(source, cst.Call) and self.names(source) & _MOVING:
            return [argument.value for argument in self.tensors(source)]
        return []

    def repeats(self, node: cst.CSTNode) -> bool:
        """Whether an expression stands in a loop of the code."""
        loops = (a for a in self._model.ancestors(node) if isinstance(a, _LOOPS))
        return any(id(loop) in self._inside for loop in loops)

    def names(self, call: cst.Call) -> frozenset[str]:
        """The names of the function that is called."""
        return self._model.names.of(call.func)

    def tensors(self, call: cst.Call) -> list[cst.Arg]:
        """The arguments of a call that may be tensors."""
        return [a for a in call.args if self._model.value(a.value).kind not in _SETTINGS]

    def settled(
        self,
        node: cst.BaseExpression,
        known: dict[int, _Answer],
        start: _Answer,
        judge: Callable[[cst.BaseExpression], _Answer],
    ) -> _Answer:
        """What holds of an expression once all that it is made of, itself perhaps, is judged."""
        if id(node) in known:
            return known[id(node)]
        order, pending = [], [node]
        while pending:
            part = pending.pop()
            if id(part) not in known:
                known[id(part)] = start
                order.append(part)
                pending += [inner for source in self.sources(part) for inner in self.parts(source)]
        is_changing = True
        while is_changing:
            is_changing = False
            for part in reversed(order):
                found = judge(part)
                is_changing = is_changing or found != known[id(part)]
                known[id(part)] = found
        return known[id(node)]

    def parts(self, source: Expression) -> list[cst.BaseExpression]:
        """The expressions of which an expression is computed."""
        if isinstance(source, (cst.BinaryOperation, cst.AugAssign)):
            return list(sides_of(source))
        if isinstance(source, cst.UnaryOperation):
            return [source.expression]
        if isinstance(source, cst.Subscript):
            return [source.value]
        if isinstance(source, (cst.Tuple, cst.List)):
            return [element.value for element in source.elements]
        if isinstance(source, cst.Dict):
            return [element.value for element in source.elements]
        if isinstance(source, cst.Call):
            return [argument.value for argument in self.tensors(source)]
        return []

    def calls_of(self, unit: Unit) -> list[cst.CSTNode]:
        """Where the code runs a function."""
        return [edge.node for edge in self._callers(unit) if id(edge.node) in self._inside]

    def holder(self, call: cst.Call) -> Kind:
        """The kind of what is called, or of what its method is called on."""
        return self._model.value(call.func).holder.kind


def sides_of(node: Expression) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """What an operation, or a call of two arguments that stands for one, computes with."""
    if isinstance(node, cst.AugAssign):
        return node.target, node.value
    if isinstance(node, cst.BinaryOperation):
        return node.left, node.right
    arguments = cst.ensure_type(node, cst.Call).args
    return arguments[0].value, arguments[-1].value
