"""How often the turns of a loop, or the runs of a function, reach a place in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics.counters import leaves
from tfxla_lint.semantics.syntax import children, dotted, walk
from tfxla_lint.semantics.values import UNKNOWN, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.binder import Binder
    from tfxla_lint.semantics.kinds.evaluator import Evaluator
    from tfxla_lint.semantics.loops import Loop, Loops
    from tfxla_lint.semantics.scopes import Binding

#: On so few turns, or in a loop of so few, a trace does not pay.
FEW_TURNS = 3
#: What runs once in so many turns is still worth a trace of its own; a training step in so many.
_SHORT_PERIOD = 8
_LONG_PERIOD = 32
_CLOCKS = behaviour.names(Effect.CLOCK)
_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
_HANDLERS = (cst.ExceptHandler, cst.ExceptStarHandler)
_ENTERED_AT_TIMES = frozenset({*_HANDLERS, cst.MatchCase, *_SCOPES})
_WORDS = (cst.Name, cst.SimpleString)
_TEXTS = (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)


class Often(IntEnum):
    """On how many of the turns a place is reached, the fewest first."""

    NEVER = 0  #: below a test that is known not to hold, whatever switches a user turns
    FEW = 1  #: on the first or the last turn, or a few, however many there are
    SELDOM = 2  #: once in very many turns, or where something was raised
    NOW_AND_THEN = 3  #: once in some turns, nobody knows how many
    REGULARLY = 4  #: once in a few turns
    PERHAPS = 5  #: where a test says so, of which nothing is known
    ALWAYS = 6


@dataclass(frozen=True, slots=True)
class Condition:
    """What may keep a turn from a place: a test that has to hold, or not to hold.

    `node` may be a handler, a case of a `match` or a function of its own as well. `holds` is None
    for one of several tests that together decide.
    """

    node: cst.CSTNode
    holds: bool | None

    def otherwise(self) -> Condition:
        """What holds where this does not; open where that is."""
        return self if self.holds is None else Condition(self.node, not self.holds)


class Frequency:
    """Answers how often places are reached."""

    def __init__(self, binder: Binder, evaluator: Evaluator, loops: Loops) -> None:
        self._binder = binder
        self._evaluator = evaluator
        self._loops = loops
        self._known_ends: dict[int, dict[int, list[cst.CSTNode]]] = {}
        #: The innermost loop around what holds a test: each `elif` holds all that follow it.
        self._around: dict[int, Loop | None] = {}
        self._assigned: dict[int, dict[str, list[tuple[cst.CSTNode, cst.BaseExpression]]]] = {}
        self._known_holding: dict[tuple[int, bool | None, int], Often] = {}

    def conditions(self, node: cst.CSTNode, top: cst.CSTNode) -> Iterator[Condition]:
        """What may keep a turn of the loop `top`, or a run of the function `top`, from `node`.

        These are the tests of `if` statements and expressions, left sides of `and` and `or`,
        `except` handlers, nested functions, and what leads to the next turn (or out of the
        function) before; nearest first.
        """
        child, parent = node, self._binder.parent(node)
        while parent is not None and parent is not top:
            kind = type(parent)
            if type(parent) is cst.If or type(parent) is cst.IfExp:
                if child is not parent.test:
                    yield Condition(parent.test, child is parent.body)
            elif type(parent) is cst.BooleanOperation:
                if child is parent.right:
                    yield Condition(parent.left, isinstance(parent.operator, cst.And))
            elif kind in _ENTERED_AT_TIMES:
                yield Condition(parent, True)
            elif type(parent) is cst.IndentedBlock:
                yield from self._skips(parent, child, top)
            child, parent = parent, self._binder.parent(parent)

    def _skips(
        self, block: cst.IndentedBlock, until: cst.CSTNode, top: cst.CSTNode
    ) -> Iterator[Condition]:
        """The tests on which an earlier statement of the block goes on to the next turn."""
        ends = self._ends(top)
        for statement in block.body if ends else ():
            if statement is until:
                return
            for end in ends.get(id(statement), ()):
                around = list(self.conditions(end, block))
                only = not around[0].holds if len(around) == 1 else None
                yield Condition(around[0].node if around else end, only)

    def _ends(self, top: cst.CSTNode) -> dict[int, list[cst.CSTNode]]:
        """By what holds them: the `continue` statements that go on to the next turn of a loop, or
        the `return` statements of a function."""
        known = self._known_ends.get(id(top))
        if known is None:
            known = self._known_ends[id(top)] = {}
            for end in self._loops.ends(top):
                holder = self._binder.parent(end)
                while holder is not None and holder is not top:
                    known.setdefault(id(holder), []).append(end)
                    holder = self._binder.parent(holder)
        return known

    def often(self, node: cst.CSTNode, top: cst.CSTNode) -> Often:
        """On how many of its turns a loop, or of its runs a function or module, reaches `node`."""
        loop = top if isinstance(top, (cst.For, cst.While)) else None
        return min(
            (self.holding(each, loop) for each in self.conditions(node, top)),
            default=Often.ALWAYS,
        )

    def reached(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The parts of a node that are run, whenever the node is, on more than a few turns."""
        if type(node) is cst.IndentedBlock:
            return self._reached_in(node)
        below, kind = children(node), type(node)
        if kind is cst.Try or kind is cst.TryStar:
            return [part for part in below if not isinstance(part, _HANDLERS)]
        if type(node) is cst.If or type(node) is cst.IfExp:
            sides = ((node.body, True), (node.orelse, False))
            gone = [s for s, holds in sides if s is not None and self._is_rare(node.test, holds)]
            return [part for part in below if part not in gone]
        return below

    def _reached_in(self, block: cst.IndentedBlock) -> list[cst.CSTNode]:
        """The statements of a block up to a test that nearly always leads away from the rest."""
        found: list[cst.CSTNode] = []
        for statement in block.body:
            found.append(statement)
            if isinstance(statement, cst.If) and statement.orelse is None:
                if _leads_away(statement.body) and self._is_rare(statement.test, False):
                    break
        return found

    def _is_rare(self, test: cst.BaseExpression, holds: bool) -> bool:
        return self.holding(Condition(test, holds), self._loop_around(test)) <= Often.SELDOM

    def _loop_around(self, test: cst.BaseExpression) -> Loop | None:
        """The innermost loop of its function that a test stands in."""
        above: list[int] = []
        loop = self._binder.parent(test)
        while loop is not None and not isinstance(loop, (cst.For, cst.While)):
            if id(loop) in self._around:
                loop = self._around[id(loop)]
                break
            above.append(id(loop))
            loop = None if isinstance(loop, _SCOPES) else self._binder.parent(loop)
        self._around.update(dict.fromkeys(above, loop))
        return loop

    def holding(self, condition: Condition, loop: Loop | None) -> Often:
        """On how many turns of `loop` a condition holds."""
        key = (id(condition.node), condition.holds, id(loop))
        if key not in self._known_holding:
            self._known_holding[key] = self._judged(condition, loop)
        return self._known_holding[key]

    def _judged(self, condition: Condition, loop: Loop | None) -> Often:
        node, holds = condition.node, condition.holds
        if isinstance(node, (*_HANDLERS, *_SCOPES)):
            return Often.FEW if isinstance(node, _HANDLERS) and leaves(node.body) else Often.SELDOM
        if not isinstance(node, cst.BaseExpression) or holds is None:
            return Often.PERHAPS
        return self._holding(node, holds, loop)

    def _holding(self, test: cst.BaseExpression, holds: bool, loop: Loop | None) -> Often:
        value = self._value(test)
        if value.has_constant and bool(value.constant) is holds:
            return Often.ALWAYS
        if value.has_constant:
            return Often.PERHAPS if self._asks_switch(test) else Often.NEVER
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            return self._holding(test.expression, not holds, loop)
        if isinstance(test, cst.BooleanOperation):
            sides = (self._holding(side, holds, loop) for side in (test.left, test.right))
            return min(sides) if isinstance(test.operator, cst.And) is holds else max(sides)
        if loop is not None and self._is_at_end(test, holds, loop):
            return Often.FEW
        found = self._by_period(test, holds, loop)
        if found is None:
            found = self._by_counter(test, holds, loop)
        if found is None:
            found = self._by_flag(test, holds, loop) or self._by_clock(test, holds, loop)
        if found is not None:
            return found
        has_period = any(self._is_modulo(node) for node in walk(test))
        return Often.NOW_AND_THEN if has_period else Often.PERHAPS

    def _asks_switch(self, test: cst.BaseExpression) -> bool:
        """Whether a test reads a name, or what a class holds, that one line sets to a word: a switch, for
        a user to turn, between the things that a program can do. Within a loop, it is one if the program asks for
        both: whether it is on, and whether it is off."""
        bound = [found for node in walk(test) if len(found := self._setting(node)) == 1]
        switches = [f[0] for f in bound if isinstance(f[0].value, _WORDS)]
        if self._loop_around(test) is None:
            return bool(switches)
        return any(self._is_asked_both_ways(switch) for switch in switches)

    def _setting(self, node: cst.CSTNode) -> Sequence[Binding]:
        """What binds a name, or the attribute of a class (`Config.is_open`) in its body."""
        if isinstance(node, cst.Name):
            return self._binder.scope(node).lookup(node.value)
        info = self._value(node.value).class_ if isinstance(node, cst.Attribute) else None
        if info is None or not isinstance(node, cst.Attribute):
            return ()
        return info.scope.bindings.get(node.attr.value, ())

    def _is_asked_both_ways(self, switch: Binding) -> bool:
        """Whether there is an `if` for a name that holds, and one for it if it does not."""
        asked = set[bool]()
        for read in switch.scope.reads.get(switch.name, ()):
            child: cst.CSTNode = read
            parent, holds = self._binder.parent(read), True
            while isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not):
                child, parent, holds = parent, self._binder.parent(parent), not holds
            if isinstance(parent, cst.If) and parent.test is child:
                asked.add(holds)
        return len(asked) > 1

    def _by_period(self, test: cst.BaseExpression, holds: bool, loop: Loop | None) -> Often | None:
        """The answer for `step % 100 == 0` and `step % 100`."""
        if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
            operator = test.comparisons[0].operator
            if not isinstance(operator, (cst.Equal, cst.NotEqual)):
                return None
            left, is_once = test.left, isinstance(operator, cst.Equal) is holds
        else:
            left, is_once = test, not holds
        if not isinstance(left, cst.BinaryOperation) or not self._is_modulo(left):
            return None
        period = self._value(left.right).constant
        if type(period) is not int or period < 1:
            return Often.NOW_AND_THEN if is_once else Often.PERHAPS
        if not is_once:
            return Often.REGULARLY if period <= 2 else Often.ALWAYS
        if period <= _SHORT_PERIOD:
            return Often.REGULARLY
        turns = self._loops.info(loop).most if loop is not None else None
        if turns is not None and turns <= period * FEW_TURNS:
            return Often.FEW
        return Often.NOW_AND_THEN if period <= _LONG_PERIOD else Often.SELDOM

    def _is_modulo(self, node: cst.CSTNode) -> bool:
        return (
            isinstance(node, cst.BinaryOperation)
            and isinstance(node.operator, cst.Modulo)
            and not isinstance(node.left, _TEXTS)
        )

    def _by_counter(self, test: cst.BaseExpression, holds: bool, loop: Loop | None) -> Often | None:
        """The answer for `step == 0`, `not step`, `step < 3`, `step in (0, 10)`."""
        if loop is None:
            return None
        counters = self._loops.counters
        if counters.counter(test, loop) is not None:
            return Often.ALWAYS if holds else Often.FEW
        found = counters.compared(test, holds, loop)
        if found is None:
            return None
        if found.operator is cst.Equal:
            return Often.FEW
        if found.operator is cst.NotEqual:
            return Often.ALWAYS
        if found.operator is cst.In:
            assert isinstance(test, cst.Comparison)
            members = self._value(test.comparisons[0].comparator).elements
            return Often.FEW if members is not None and len(members) <= FEW_TURNS else None
        last = found.last_turn
        return Often.FEW if last is not None and last <= FEW_TURNS else None

    def _by_flag(self, test: cst.BaseExpression, holds: bool, loop: Loop | None) -> Often | None:
        """The answer for `if first:` with `first = False` below it, and nowhere else in the loop."""
        name, branch = dotted(test), self._branch(test, holds)
        if loop is None or name is None or branch is None:
            return None
        assigned = self._assigned_in(loop).get(name, ())
        given = {id(target): self._value(value) for target, value in assigned}
        lowered = [given.pop(id(node), None) for node in walk(branch) if id(node) in given]
        if given or not lowered:
            return None
        ends = (value is not None and value.has_constant for value in lowered)
        is_over = all(ends) and all(bool(v.constant) is not holds for v in lowered if v is not None)
        return Often.FEW if is_over else None

    def _by_clock(self, test: cst.BaseExpression, holds: bool, loop: Loop | None) -> Often | None:
        """The answer for `if time() - last > 20: last = time(); ...`: that much time lies between."""
        branch = self._branch(test, holds)
        if loop is None or branch is None or not isinstance(test, cst.Comparison):
            return None
        assigned = self._assigned_in(loop)
        read, pending = set[str](), [*walk(test)]
        asks_clock = False
        while pending:
            node = pending.pop()
            if isinstance(node, cst.Call):
                asks_clock = asks_clock or bool(self._evaluator.names.of(node.func) & _CLOCKS)
            name = dotted(node)
            if name is not None and name not in read:
                read.add(name)
                pending += [n for _, value in assigned.get(name, ()) for n in walk(value)]
        below = {id(node) for node in walk(branch)}
        is_reset = any(id(target) in below for name in read for target, _ in assigned.get(name, ()))
        return Often.NOW_AND_THEN if asks_clock and is_reset else None

    def _assigned_in(self, loop: Loop) -> dict[str, list[tuple[cst.CSTNode, cst.BaseExpression]]]:
        """By the name of each target: the targets of assignments in a loop, with their values."""
        found = self._assigned.get(id(loop))
        if found is None:
            found = self._assigned[id(loop)] = {}
            for statement in walk(loop.body):
                if isinstance(statement, cst.Assign):
                    for target in (part.target for part in statement.targets):
                        found.setdefault(dotted(target) or "", []).append((target, statement.value))
        return found

    def _is_at_end(self, test: cst.BaseExpression, holds: bool, loop: Loop) -> bool:
        """Whether a turn on which a test holds, or not, is the last one: what it leads to leaves the
        loop (`if done: ... break`), or nothing sets what `while not done` asks behind `if done`."""
        if self._loop_around(test) is not loop:
            return False
        branch = self._branch(test, holds)
        suite = branch.body if isinstance(branch, cst.Else) else branch
        if isinstance(suite, cst.BaseSuite) and leaves(suite):
            return True
        name = dotted(test)
        if (
            name is None
            or not isinstance(loop, cst.While)
            or _truth(loop.test, name, holds) is not False
        ):
            return False
        inner = [*walk(loop.body)]
        at = next((i for i, node in enumerate(inner) if node is test), None)
        return at is not None and not any(_binds(node, name) for node in inner[at:])

    def _branch(self, test: cst.BaseExpression, holds: bool) -> cst.CSTNode | None:
        """What an `if` that tests only this, or that it does not hold, runs then."""
        parent = self._binder.parent(test)
        while isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not):
            parent, holds = self._binder.parent(parent), not holds
        if not isinstance(parent, cst.If):
            return None
        return parent.body if holds else parent.orelse

    def _value(self, node: cst.CSTNode) -> Value:
        return self._evaluator.values.get(id(node), UNKNOWN)


def _truth(test: cst.BaseExpression, name: str, holds: bool) -> bool | None:
    """What a test comes to where `name` holds, or does not; None where that does not say it."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = _truth(test.expression, name, holds)
        return None if inner is None else not inner
    if isinstance(test, cst.BooleanOperation):
        decisive = isinstance(test.operator, cst.Or)
        sides = [_truth(side, name, holds) for side in (test.left, test.right)]
        return decisive if decisive in sides else None if None in sides else not decisive
    return holds if dotted(test) == name else None


def _binds(node: cst.CSTNode, name: str) -> bool:
    """Whether a statement or clause gives a name or an attribute another value."""
    if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr)):
        return any(dotted(part) == name for part in walk(node.target))
    return False


def _leads_away(suite: cst.BaseSuite) -> bool:
    """Whether a block leaves the turn, the loop or the function at its end."""
    last = suite.body[-1] if suite.body else None
    if isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Continue):
        return True
    return leaves(suite)
