"""Counters: Python numbers that count the turns of a loop, and what tests of them say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import UNKNOWN, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.binder import Binder
    from tfxla_lint.semantics.kinds.evaluator import Evaluator

Loop: TypeAlias = "cst.For | cst.While"

#: What a progress bar hands on, in front of what it counts.
_PASSING = behaviour.names(Trait.PASSES_MEMBERS)
_ENUMERATE = "builtins.enumerate"
#: A number that is multiplied or divided by this or more on each turn is soon through.
_GROWTH = 2
_MIRRORED: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.GreaterThan,
    cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThan: cst.LessThan,
    cst.GreaterThanEqual: cst.LessThanEqual,
}
_NEGATED: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.GreaterThanEqual,
    cst.LessThanEqual: cst.GreaterThan,
    cst.GreaterThan: cst.LessThanEqual,
    cst.GreaterThanEqual: cst.LessThan,
    cst.Equal: cst.NotEqual,
    cst.NotEqual: cst.Equal,
    cst.In: cst.NotIn,
    cst.NotIn: cst.In,
}


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that is `start` on the first turn and `step` more on each further one."""

    start: int | None
    step: int


@dataclass(frozen=True, slots=True)
class Counted:
    """A comparison of a counter to what no turn changes; `limit` is that where it is known."""

    counter: Counter
    operator: type[cst.BaseCompOp]
    limit: int | None

    @property
    def first_turn(self) -> int | None:
        """The turn, from 0, on which it first holds, if it holds from then on, or then only."""
        if self.limit is None or self.counter.start is None or self.counter.step < 1:
            return None
        limit = self.limit + (self.operator is cst.GreaterThan)
        if self.operator not in (cst.GreaterThan, cst.GreaterThanEqual, cst.Equal):
            return None
        if self.operator is cst.Equal and (limit - self.counter.start) % self.counter.step:
            return None
        return max(0, -((self.counter.start - limit) // self.counter.step))

    @property
    def last_turn(self) -> int | None:
        """The turn, from 0, from which on it no longer holds: for `step < 3` the third."""
        if self.operator not in (cst.LessThan, cst.LessThanEqual):
            return None
        return Counted(self.counter, _NEGATED[self.operator], self.limit).first_turn


class Counters:
    """Finds the counters of loops."""

    def __init__(self, binder: Binder, evaluator: Evaluator) -> None:
        self._binder = binder
        self._evaluator = evaluator
        #: By loop: the names of the attributes that its body stores.
        self._stored: dict[int, set[str]] = {}

    def counter(self, node: cst.BaseExpression, loop: Loop) -> Counter | None:
        """The counter of the turns of `loop` that an expression is, plus a constant perhaps."""
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
            inner, more = self.counter(node.left, loop), self._value(node.right).constant
            if inner is None or type(more) is not int:
                return None
            return Counter(None if inner.start is None else inner.start + more, inner.step)
        if not isinstance(node, cst.Name):
            return None
        bindings = self._binder.scope(node).lookup(node.value)
        inside = [b for b in bindings if self._is_in(b.node, loop)]
        if len(inside) != 1:
            return None
        if isinstance(loop, cst.For) and inside[0].kind is BindingKind.FOR:
            return self._of_target(loop.target, loop.iter, inside[0].node)
        step = self._added(inside[0], loop)
        if step is None:
            return None
        starts = [self._given(b) for b in bindings if b is not inside[0]]
        return Counter(starts[0] if len(starts) == 1 else None, step)

    def compared(self, test: cst.BaseExpression, holds: bool, loop: Loop | None) -> Counted | None:
        """The comparison of a counter that a test is; its opposite where it does not hold."""
        if loop is None or not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return None
        operator: type[cst.BaseCompOp] = type(test.comparisons[0].operator)
        left, right = test.left, test.comparisons[0].comparator
        counter, limit = self.counter(left, loop), right
        if counter is None:
            counter, limit = self.counter(right, loop), left
            operator = _MIRRORED.get(operator, operator)
        if counter is None or not self.is_fixed(limit, loop):
            return None
        operator = operator if holds else _NEGATED.get(operator, operator)
        constant = self._value(limit).constant
        return Counted(counter, operator, constant if type(constant) is int else None)

    def is_fixed(self, node: cst.BaseExpression, loop: Loop) -> bool:
        """Whether an expression is the same on all turns of a loop, as far as names can tell."""
        for part in walk(node):
            if isinstance(part, (cst.Call, cst.Subscript)) and not self._asks_size(part):
                return False
            if isinstance(part, cst.Attribute) and self._is_stored(part.attr.value, loop):
                return False
            if isinstance(part, cst.Name):
                bindings = self._binder.scope(part).lookup(part.value)
                if any(self._is_in(binding.node, loop) for binding in bindings):
                    return False
        return True

    def most_turns(self, test: cst.BaseExpression, holds: bool, loop: Loop) -> int | None:
        """After so many turns a test surely holds, if it is asked on each; None where unknown."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            return self.most_turns(test.expression, not holds, loop)
        if isinstance(test, cst.BooleanOperation):
            if isinstance(test.operator, cst.Or) is not holds:
                return None
            sides = (self.most_turns(side, holds, loop) for side in (test.left, test.right))
            return min((turns for turns in sides if turns is not None), default=None)
        found = self.compared(test, holds, loop)
        return found.first_turn if found is not None else None

    def grows(self, loop: cst.While) -> bool:
        """Whether a loop goes on until a number, multiplied or divided on each turn, is through."""
        test = loop.test
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return False
        names = (test.left, test.comparisons[0].comparator)
        return any(self._is_multiplied(n, loop) for n in names if isinstance(n, cst.Name))

    def _is_multiplied(self, name: cst.Name, loop: Loop) -> bool:
        bindings = self._binder.scope(name).lookup(name.value)
        inside = [b for b in bindings if self._is_in(b.node, loop)]
        made = self._statement(inside[0], loop) if len(inside) == 1 else None
        if not isinstance(made, cst.AugAssign):
            return False
        factor = self._value(made.value).constant
        if type(factor) not in (int, float):
            return False
        if isinstance(made.operator, cst.MultiplyAssign):
            return bool(factor >= _GROWTH or 0 < factor <= 1 / _GROWTH)
        divides = isinstance(made.operator, (cst.DivideAssign, cst.FloorDivideAssign))
        return divides and bool(factor >= _GROWTH)

    def _value(self, node: cst.CSTNode) -> Value:
        return self._evaluator.values.get(id(node), UNKNOWN)

    def _asks_size(self, node: cst.CSTNode) -> bool:
        return isinstance(node, cst.Call) and self._evaluator.names.of(node.func) == {
            "builtins.len"
        }

    def _is_stored(self, attribute: str, loop: Loop) -> bool:
        known = self._stored.get(id(loop))
        if known is None:
            known = self._stored[id(loop)] = set()
            for node in walk(loop.body, into_scopes=False):
                if type(node) is cst.AssignTarget or type(node) is cst.AugAssign:
                    if type(node.target) is cst.Attribute:
                        known.add(node.target.attr.value)
        return attribute in known

    def _is_in(self, node: cst.CSTNode, loop: Loop) -> bool:
        parent: cst.CSTNode | None = node
        while parent is not None and parent is not loop:
            parent = self._binder.parent(parent)
        return parent is loop

    def _of_target(
        self, target: cst.BaseExpression, iterated: cst.BaseExpression, name: cst.CSTNode
    ) -> Counter | None:
        """The counter that a loop's target is: of a range, or of what is enumerated."""
        value = self._value(iterated)
        if value.kind is Kind.RANGE and target is name:
            bounds = [v.constant for v in value.elements or ()]
            start = 0 if len(bounds) == 1 else bounds[0] if bounds else None
            step = bounds[2] if len(bounds) == 3 else 1
            if type(step) is not int:
                return None
            return Counter(start if type(start) is int else None, step)
        if not isinstance(iterated, cst.Call):
            return None
        names = self._evaluator.names.of(iterated.func)
        is_enumerated = names == {_ENUMERATE} or (
            isinstance(iterated.func, cst.Attribute)
            and iterated.func.attr.value == "enumerate"
            and self._value(iterated).kind is Kind.DATASET
        )
        if is_enumerated and isinstance(target, cst.Tuple) and target.elements[0].value is name:
            given = iterated.args[-1].value if len(iterated.args) == 2 else None
            start = self._value(given).constant if given is not None else 0
            return Counter(start if type(start) is int else None, 1)
        if names & _PASSING and not is_enumerated and len(iterated.args) > 0:
            return self._of_target(target, iterated.args[0].value, name)
        return None

    def _statement(self, binding: Binding, loop: Loop) -> cst.CSTNode | None:
        """The assignment of a binding, where each turn of the loop runs it once."""
        assignment: cst.CSTNode | None = binding.node
        while isinstance(assignment, (cst.Name, cst.AssignTarget)):
            assignment = self._binder.parent(assignment)
        child, parent = assignment, self._binder.parent(assignment) if assignment else None
        while isinstance(parent, (cst.SimpleStatementLine, cst.With, cst.IndentedBlock, cst.Try)):
            child, parent = parent, self._binder.parent(parent)
        return assignment if parent is loop and child is loop.body else None

    def _added(self, binding: Binding, loop: Loop) -> int | None:
        """What an assignment adds to its name on every turn: `n += 1`, `n = n + 1`."""
        made = self._statement(binding, loop)
        value: cst.BaseExpression | None = None
        if isinstance(made, cst.AugAssign) and isinstance(made.operator, cst.AddAssign):
            value = made.value
        elif isinstance(made, cst.Assign) and isinstance(made.value, cst.BinaryOperation):
            left = made.value.left
            is_sum = isinstance(made.value.operator, cst.Add)
            if is_sum and isinstance(left, cst.Name) and left.value == binding.name:
                value = made.value.right
        constant = self._value(value).constant if value is not None else None
        return constant if type(constant) is int and constant > 0 else None

    def _given(self, binding: Binding) -> int | None:
        constant = self._value(binding.value).constant if binding.value is not None else None
        return constant if type(constant) is int else None


def leaving(suite: cst.BaseSuite) -> Iterator[cst.If]:
    """The tests, asked whenever a block runs, below which the loop or function is left."""
    for statement in suite.body:
        if isinstance(statement, cst.If) and leaves(statement.body):
            yield statement
        elif isinstance(statement, cst.With):
            yield from leaving(statement.body)


def leaves(suite: cst.BaseSuite) -> bool:
    """Whether a block that runs to its end leaves the loop or the function there."""
    if not suite.body:
        return False
    last: cst.CSTNode = suite.body[-1]
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    if isinstance(last, cst.With):
        return leaves(last.body)
    if isinstance(last, cst.Try):
        ends = last.orelse.body if last.orelse is not None else last.body
        return leaves(ends) and all(leaves(handler.body) for handler in last.handlers)
    if isinstance(last, cst.If):
        other = last.orelse
        return isinstance(other, cst.Else) and leaves(last.body) and leaves(other.body)
    return isinstance(last, (cst.Break, cst.Return, cst.Raise))
