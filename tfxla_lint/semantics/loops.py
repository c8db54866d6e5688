"""Loops: what they range over, how often they turn, and which ones run a piece of code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.binding import bind
from tfxla_lint.semantics.counters import Counters, leaves, leaving
from tfxla_lint.semantics.counters import Loop as Loop
from tfxla_lint.semantics.frequency import FEW_TURNS, Frequency, Often
from tfxla_lint.semantics.kinds import files
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.runners import turns_method
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import FILE, KERAS_CALLABLES, UNKNOWN, Kind, Value, range_turns

Comprehension: TypeAlias = "cst.ListComp | cst.SetComp | cst.DictComp | cst.GeneratorExp"
#: A loop or comprehension, or a function that a framework runs many times.
Turning: TypeAlias = "Loop | Comprehension | cst.FunctionDef | cst.Lambda"

#: A loop that turned this often in a recorded run is worth one; that run may have been cut short.
MANY_TURNS = 8

#: What a turn waits for, or what takes longer than all operations beside it.
_WAITING = behaviour.names(Effect.ASKS) | behaviour.names(Effect.WAITS)
_WRITERS = behaviour.names(Effect.WRITES)
_WRITING = behaviour.prefixes(Effect.WRITES)
_PASSING = behaviour.names(Trait.PASSES_MEMBERS)
_ISLICE = "itertools.islice"
#: Builtins that take all members of a generator.
_TAKING = (behaviour.names(Trait.GOES_THROUGH) - behaviour.names(Trait.LAZY)) | {"builtins.sum"}
_MODELS = (Kind.MODEL,)
_CALLED = frozenset({"call", "__call__"})
#: The methods by which a model is run on one batch.
_RUNNING = behaviour.methods(Trait.ONE_BATCH, "model") | _CALLED
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)

_STRUCTURE = frozenset(
    {Kind.LAYER, Kind.MODEL, Kind.VARIABLE, Kind.METRIC, Kind.OPTIMIZER, Kind.CALLBACK,
     Kind.FUNCTION, Kind.TRACED, Kind.CLASS, Kind.DATASET}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LoopInfo:
    """What is known of a loop.

    `over` is one of "dataset", "range", "data", "while" (or through a generator that turns as often),
    "structure" (layers, variables), "wait"
    (each turn waits for somebody, a clock, a file of weights or a figure), "retry" (a turn follows
    where one failed), "growth" (until a number that each turn multiplies is large enough), "framework" (a function that
    something outside runs many times) and "unknown"; `turns` the
    number of turns where it is a constant, `most` what it cannot exceed; `measured` the number of
    turns in a recorded run.
    """

    node: Turning
    over: str
    turns: int | None
    most: int | None
    measured: int | None = None

    @property
    def is_short(self) -> bool:
        """Whether it turns a few times only, over the parts of a model, or as slowly as people."""
        if self.over in ("structure", "wait", "retry", "growth"):
            return True
        return _is_few(self.turns)

    @property
    def is_certain(self) -> bool:
        """Whether it surely turns many times, or was seen to."""
        if self.is_short:
            return False
        was_seen = self.measured is not None and self.measured >= MANY_TURNS
        return was_seen or _turns_surely(self.over)


def _turns_surely(over: str) -> bool:
    """Whether what a loop goes through surely makes it turn many times."""
    return over in ("dataset", "range", "data", "while", "framework")


def each_turn(loop: Turning) -> str:
    """What a report calls the turns: "every turn of the loop", or of what is run many times."""
    if isinstance(loop, (cst.For, cst.While)):
        return "every turn of the loop"
    if isinstance(loop, cst.BaseComp):
        return "every turn of the comprehension"
    name = f"`{loop.name.value}`" if isinstance(loop, cst.FunctionDef) else "this lambda"
    return f"every call of {name}, which is run many times"


def called(loop: Turning) -> str:
    """What a report says beside a loop, or a function that is run many times."""
    if isinstance(loop, cst.BaseComp):
        return "the comprehension"
    return "the loop" if is_loop(loop) else "run many times from outside"


def is_loop(turning: Turning) -> bool:
    """Whether the code itself goes round: no function that something outside runs."""
    return not isinstance(turning, (cst.FunctionDef, cst.Lambda))


def turned_code(turning: Turning) -> cst.CSTNode:
    """What each turn runs."""
    if isinstance(turning, cst.DictComp):
        return turning.value
    return turning.elt if isinstance(turning, cst.BaseSimpleComp) else turning.body


class Loops:
    """The loops of a module."""

    def __init__(
        self,
        binder: Binder,
        evaluator: Evaluator,
        measured: Callable[[Loop], int | None] = lambda loop: None,
    ) -> None:
        self._binder = binder
        self._evaluator = evaluator
        self._measured = measured
        self._known: dict[int, LoopInfo] = {}
        self._ends: dict[int, list[cst.CSTNode]] = {}
        self._calls: dict[int, list[cst.Call]] = {}
        #: The generators that are being looked into.
        self._generators: list[Unit] = []
        self.counters = Counters(binder, evaluator)
        self.frequency = Frequency(binder, evaluator, self)

    def ends(self, top: cst.CSTNode) -> list[cst.CSTNode]:
        """The `continue` statements that go on to the next turn of a loop, or the `return`
        statements of a function."""
        key = id(top)
        if key not in self._ends:
            if isinstance(top, (cst.For, cst.While)):
                found = (n for n in walk(top.body, into_scopes=False) if type(n) is cst.Continue)
                self._ends[key] = [node for node in found if self._nearest(node) is top]
            elif isinstance(top, cst.FunctionDef):
                self._ends[key] = [*self._returns.get(key, ())]
            else:
                self._ends[key] = []
        return self._ends[key]

    @cached_property
    def _returns(self) -> dict[int, list[cst.Return]]:
        """The `return` statements of each function, without a walk through each."""
        found: dict[int, list[cst.Return]] = {}
        for units in self._evaluator.modules:
            for node in units.nodes(cst.Return):
                found.setdefault(id(units.containing(node).node), []).append(node)
        return found

    def _nearest(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The innermost loop around a node."""
        parent = self._binder.parent(node)
        while parent is not None and not isinstance(parent, (cst.For, cst.While)):
            parent = self._binder.parent(parent)
        return parent

    def info(self, loop: Turning) -> LoopInfo:
        """What is known of `loop`."""
        if isinstance(loop, (cst.FunctionDef, cst.Lambda)):
            return LoopInfo(loop, "framework", None, None)
        known = self._known.get(id(loop))
        if known is None:
            if isinstance(loop, (cst.For, cst.While)):
                known = self._describe(loop)
            else:
                known = self._comprehended(loop)
            # What is found within a generator that goes through itself is half of the answer.
            if not self._generators:
                self._known[id(loop)] = known
        return known

    def around(self, node: cst.CSTNode, unit: Unit) -> list[Loop]:
        """The loops of `unit` whose turns run `node`, outermost first."""
        found: list[Loop] = []
        child, parent = node, self._binder.parent(node)
        while parent is not None and child is not unit.node:
            if (type(parent) is cst.For and child is parent.body) or (
                type(parent) is cst.While and child in (parent.body, parent.test)
            ):
                found.append(parent)
            child, parent = parent, self._binder.parent(parent)
        found.reverse()
        return found

    def hot_around(self, node: cst.CSTNode, unit: Unit) -> list[Loop]:
        """Those of `around` that are not short, and reach `node` on more than a few turns."""
        return [
            loop
            for loop in self.around(node, unit)
            if not self.info(loop).is_short and self.often(node, loop) > Often.SELDOM
        ]

    def hot_comprehensions(self, node: cst.CSTNode, unit: Unit) -> list[Comprehension]:
        """The comprehensions of `unit` that evaluate `node` for each member, outermost first, and
        are not short; a generator only where all of it is surely taken at once."""
        found: list[Comprehension] = []
        child, parent = node, self._binder.parent(node)
        while parent is not None and child is not unit.node:
            if isinstance(parent, _COMPREHENSIONS) and child is not parent.for_in:
                if self._is_taken(parent) and not self.info(parent).is_short:
                    found.append(parent)
            child, parent = parent, self._binder.parent(parent)
        found.reverse()
        return found

    def _is_taken(self, comprehension: Comprehension) -> bool:
        if not isinstance(comprehension, cst.GeneratorExp):
            return True
        argument = self._binder.parent(comprehension)
        call = self._binder.parent(argument) if isinstance(argument, cst.Arg) else None
        return isinstance(call, cst.Call) and bool(self._evaluator.names.of(call.func) & _TAKING)

    def often(self, node: cst.CSTNode, top: cst.CSTNode) -> Often:
        """On how many of its turns a loop, or of its runs a function or module, reaches `node`."""
        return self.frequency.often(node, top)

    def _describe(self, loop: Loop) -> LoopInfo:
        if _ends_at_once(loop):
            return LoopInfo(loop, "unknown", 1, 1)
        if _tries_again(loop):
            return LoopInfo(loop, "retry", None, None)
        if self._waits(loop):
            return LoopInfo(loop, "wait", None, None)
        most = list(self._limits(loop))
        if isinstance(loop, cst.While):
            until = self.counters.most_turns(loop.test, False, loop)
            most += [until] if until is not None else []
            over = "growth" if self.counters.grows(loop) else "while"
            return LoopInfo(loop, over, None, min(most, default=None), self._measured(loop))
        value = self._evaluator.values.get(id(loop.iter), UNKNOWN)
        over, turns = self._ranges_over(loop.iter, value)
        if over == "unknown" and turns is None and self._feeds_model(loop):
            over = "data"
        whole = self.most_members(loop.iter)
        most += [whole] if whole is not None else []
        return LoopInfo(loop, over, turns, min(most, default=None), self._measured(loop))

    def has_labels(self, loop: Loop) -> bool:
        """Whether a loop goes through a data set, or takes what it goes through for several things
        at once: samples and their labels."""
        if isinstance(loop, cst.While):
            return False
        over = self.info(loop).over
        target: cst.BaseExpression = loop.target
        if isinstance(loop.iter, cst.Call) and isinstance(target, cst.Tuple):
            if "builtins.enumerate" in self._evaluator.names.of(loop.iter.func):
                target = target.elements[-1].value
        return over == "dataset" or (over == "data" and len(list(target_names(target))) > 1)

    def gives_batches(self, loop: Loop) -> bool:
        """Whether a loop goes through a data set, of TensorFlow or of Keras: each turn takes a batch."""
        if isinstance(loop, cst.While):
            return False
        if self.info(loop).over == "dataset":
            return True
        value = self._of(loop.iter)
        held = value.receiver if value.kind is Kind.ITERATOR and value.receiver else value
        classes = [choice.class_ for choice in held.choices or (held,)]
        return all(info is not None and turns_method(info, "__getitem__") for info in classes)

    def _feeds_model(self, loop: cst.For) -> bool:
        """Whether one model is run on what the loop goes through, which is data then.

        Models also go through parts of what they are given themselves. A traced function may be
        given anything; pairs are samples and their labels.
        """
        holder = self._evaluator.units.containing(loop).class_
        if holder is not None and holder.role in KERAS_CALLABLES:
            return False
        members = set(target_names(loop.target))
        fed = (Kind.MODEL, Kind.TRACED) if len(members) > 1 else (Kind.MODEL,)
        return self._are_fed(loop.body, members, fed, set())

    def _are_fed(
        self, body: cst.BaseSuite, members: set[str], fed: tuple[Kind, ...], seen: set[int]
    ) -> bool:
        """Whether some code gives one of some names to what is of a kind in `fed`, or gives it to a
        function of the project that runs a model on it."""
        for call in walk(body, into_scopes=False):
            if type(call) is not cst.Call or _is_of(call.func, members):
                continue
            given = [a for a in call.args if _is_of(a.value, members)]
            if not given:
                continue
            function = self._evaluator.values.get(id(call.func), UNKNOWN)
            runner = function.receiver if function.name in _RUNNING else None
            if function.kind in fed or (runner is not None and runner.kind in fed):
                return True
            for callee in self._evaluator.callees.get(id(call), ()):
                node, role = callee.unit.node, callee.unit.class_ and callee.unit.class_.role
                if id(node) in seen or not isinstance(node, cst.FunctionDef) or callee.partial:
                    continue
                seen.add(id(node))
                bound = bind(callee.unit, ((_word(a), a) for a in call.args), callee.skip).single
                named = {name for name, a in bound.items() if a in given}
                is_layer = role in KERAS_CALLABLES and callee.unit.name in _CALLED
                if named and not is_layer and self._are_fed(node.body, named, _MODELS, seen):
                    return True
        return False

    def _comprehended(self, node: Comprehension) -> LoopInfo:
        first = node.for_in.iter
        value = self._evaluator.values.get(id(first), UNKNOWN)
        over, turns = self._ranges_over(first, value)
        most = self.most_members(first) if node.for_in.inner_for_in is None else None
        return LoopInfo(node, over, turns, most)

    def _limits(self, loop: Loop) -> Iterator[int]:
        """What the number of turns cannot exceed, by tests that end the loop: `if n > 1: break`."""
        if self.ends(loop):
            return
        for test in leaving(loop.body):
            last = self.counters.most_turns(test.test, True, loop)
            if last is not None:
                yield last + 1

    def writes(self, loop: Loop) -> bool:
        """Whether every turn writes a file, a picture or a record, whatever it does then."""
        called = (self._evaluator.names.of(call.func) for call in self._always_called(loop))
        return any(
            name in _WRITERS or name.startswith(_WRITING) for names in called for name in names
        )

    def _waits(self, loop: Loop) -> bool:
        """Whether every turn asks for input, sleeps, loads weights, or draws a figure,
        whatever it does then.

        Where a turn has a loop of its own, that may take longer than to write something.
        """
        inner = walk(loop.body, into_scopes=False)
        has_loop = any(type(node) in (cst.For, cst.While) for node in inner)
        return any(self._is_wait(call, not has_loop) for call in self._always_called(loop))

    def _always_called(self, loop: Loop) -> Iterator[cst.Call]:
        """The calls that every turn makes, itself or in what it calls."""
        always = list(_always_run(loop.body))
        if isinstance(loop, cst.While):
            always.append(loop.test)
        seen: set[int] = set()
        while always:
            for call in self._calls_of(always.pop()):
                yield call
                for callee in self._evaluator.callees.get(id(call), ()):
                    if id(callee.unit) not in seen and isinstance(
                        callee.unit.node, cst.FunctionDef
                    ):
                        seen.add(id(callee.unit))
                        always += _always_run(callee.unit.node.body)

    def _calls_of(self, statement: cst.CSTNode) -> list[cst.Call]:
        found = self._calls.get(id(statement))
        if found is None:
            nodes = walk(statement, into_scopes=False)
            found = self._calls[id(statement)] = [n for n in nodes if type(n) is cst.Call]
        return found

    def _is_wait(self, call: cst.Call, writing: bool) -> bool:
        names = self._evaluator.names.of(call.func)
        if names & (_WAITING if writing else _WAITING - _WRITERS):
            return True
        function = self._evaluator.values.get(id(call.func), UNKNOWN)
        if function.kind is not Kind.METHOD or function.unit is not None:
            return False
        kind = function.receiver.kind.name.lower() if function.receiver is not None else ""
        is_writing = function.name in behaviour.methods(Effect.WRITES, kind)
        return function.name in behaviour.methods(Effect.WAITS, kind) and (
            writing or not is_writing
        )

    def _ranges_over(self, node: cst.CSTNode, value: Value) -> tuple[str, int | None]:
        if value.kind is Kind.DATASET:
            size = value.pipeline.size if value.pipeline is not None else None
            return "dataset", size
        if value.kind is Kind.RANGE:
            counted = self._counted(node)
            over = self._ranges_over(counted, self._of(counted))[0] if counted else "range"
            return "structure" if over == "structure" else "range", range_turns(value)
        if value.kind in (Kind.NDARRAY, Kind.TENSOR, Kind.STRING):
            known = value.shape[0] if value.shape and type(value.shape[0]) is int else None
            return "data", known
        if value.kind in (Kind.LIST, Kind.TUPLE):
            return _over_list(value)
        if value.kind is Kind.ITERATOR:
            return self._over_iterator(node, value)
        if files.member(value) is not None:
            return "data", None
        if isinstance(node, cst.Call) and "itertools.count" in self._evaluator.names.of(node.func):
            return "range", None
        return self._over_object(value)

    def _counted(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        """What `range(len(x))` counts the members of."""
        for name in ("builtins.range", "builtins.len"):
            if not isinstance(node, cst.Call) or len(node.args) != 1:
                return None
            if name not in self._evaluator.names.of(node.func):
                return None
            node = node.args[0].value
        return node if isinstance(node, cst.BaseExpression) else None

    def _over_iterator(self, node: cst.CSTNode, value: Value) -> tuple[str, int | None]:
        """What `enumerate(x)`, `zip(x, y)`, `d.items()` and generators go through."""
        if value.item is not None and any(map(_is_structure, _with_members(value.item))):
            return "structure", None
        if value.receiver is not None:
            over, turns = self._ranges_over(node, value.receiver)
            if over != "unknown":
                return over, turns
        if self._is_of_dict(node):
            return "unknown", None
        if value.item is not None and any(map(_is_data, _with_members(value.item))):
            return "data", None
        return self._over_generator(value.unit) if value.unit is not None else ("unknown", None)

    def _is_of_dict(self, node: cst.CSTNode) -> bool:
        """Whether an expression is `d.items()` or `d.values()`: things by their names are few, whatever
        they are."""
        if not isinstance(node, cst.Call):
            return False
        receiver = self._of(node.func).receiver
        return receiver is not None and receiver.kind is Kind.DICT

    def _over_object(self, value: Value) -> tuple[str, int | None]:
        """What a loop over an object of the project goes through, by what its class gives."""
        classes = [choice.class_ for choice in value.choices or (value,)]
        known = {("unknown", None) if c is None else self._over_class(c) for c in classes}
        return known.pop() if len(known) == 1 else ("unknown", None)

    def _over_class(self, info: ClassInfo) -> tuple[str, int | None]:
        if info.method("__next__") is not None:
            return "data", None
        made = info.method("__iter__")
        if made is not None:
            return self._over_generator(made) if made.is_generator else ("unknown", None)
        member = info.method("__getitem__")
        if member is None or info.method("__len__") is None:
            return "unknown", None
        given = [self._of(node.value) for node in member.own(cst.Return) if node.value is not None]
        return "structure" if any(map(_is_structure, given)) else "data", None

    def _over_generator(self, unit: Unit) -> tuple[str, int | None]:
        """What a loop over a generator goes through: what a loop does that surely turns many times
        and yields on most of its turns, or the one loop in which it yields."""
        if unit in self._generators:
            return "unknown", None
        self._generators.append(unit)
        try:
            found = [self._yielding(node, unit) for node in unit.own(cst.Yield)]
        finally:
            self._generators.pop()
        certain = [each for each in found if _turns_surely(each[0]) and not _is_few(each[1])]
        if certain and len(found) > 1:
            return certain[0][0], None
        return found[0] if len(found) == 1 else ("unknown", None)

    def _yielding(self, node: cst.Yield, unit: Unit) -> tuple[str, int | None]:
        around = self.around(node, unit)
        if any(self.often(node, loop) <= Often.NOW_AND_THEN for loop in around):
            return "unknown", None
        if isinstance(node.value, cst.From):
            around_it = self._ranges_over(node.value.item, self._of(node.value.item))
            return ("unknown", None) if around and _is_few(around_it[1]) else around_it
        infos = [self.info(loop) for loop in around]
        certain = next((info for info in reversed(infos) if info.is_certain), None)
        if certain is not None:
            over = "dataset" if certain.over == "dataset" else "while"
            return over, certain.turns if len(infos) == 1 else None
        return (infos[0].over, infos[0].turns) if len(infos) == 1 else ("unknown", None)

    def _of(self, node: cst.CSTNode) -> Value:
        return self._evaluator.values.get(id(node), UNKNOWN)

    def most_members(self, node: cst.BaseExpression) -> int | None:
        """What the number of members of something cannot exceed, through what only passes them."""
        value = self._evaluator.values.get(id(node), UNKNOWN)
        names = self._evaluator.names.of(node.func) if isinstance(node, cst.Call) else frozenset()
        known: list[int | None] = [self._ranges_over(node, value)[1]]
        if value.pipeline is not None:
            known.append(value.pipeline.batches)
        if isinstance(node, cst.Call) and names & _PASSING:
            known += [self.most_members(a.value) for a in node.args if a.keyword is None]
        elif isinstance(node, cst.Call) and _ISLICE in names and len(node.args) > 1:
            stop = self._evaluator.values.get(
                id(node.args[1 + (len(node.args) > 2)].value), UNKNOWN
            )
            known += [self.most_members(node.args[0].value), stop.constant]
        return min((number for number in known if type(number) is int), default=None)


def _always_run(body: cst.BaseSuite) -> Iterator[cst.CSTNode]:
    """The simple statements that run whenever the block does."""
    for statement in body.body:
        if isinstance(statement, (cst.With, cst.Try, cst.TryStar)):
            yield from _always_run(statement.body)
        elif not isinstance(statement, cst.BaseCompoundStatement):
            yield statement


def _ends_at_once(loop: Loop) -> bool:
    """Whether the first turn ends with `break` (or leaves the function) on every path."""
    if not leaves(loop.body):
        return False
    return not any(isinstance(node, cst.Continue) for node in walk(loop.body, into_scopes=False))


def _tries_again(loop: Loop) -> bool:
    """Whether a turn ends the loop unless something is raised in it and caught."""
    last = loop.body.body[-1] if loop.body.body else None
    if not isinstance(last, cst.Try):
        return False
    ends = last.orelse.body if last.orelse is not None else last.body
    tried = (*walk(last.body, into_scopes=False), *walk(ends, into_scopes=False))
    return leaves(ends) and not any(isinstance(node, cst.Continue) for node in tried)


def _word(argument: cst.Arg) -> str | None:
    return argument.keyword.value if argument.keyword is not None else argument.star or None


def _is_of(node: cst.BaseExpression, names: set[str]) -> bool:
    """Whether an expression is one of some names, or a part of what it names."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return isinstance(node, cst.Name) and node.value in names


def _over_list(value: Value) -> tuple[str, int | None]:
    if value.item is not None and _is_structure(value.item):
        return "structure", None
    turns = len(value.elements) if value.elements is not None else None
    if value.item is not None and any(map(_is_data, _with_members(value.item))):
        return "data", turns
    return "unknown", turns


def _is_few(turns: int | None) -> bool:
    return turns is not None and turns <= FEW_TURNS


def _is_structure(value: Value) -> bool:
    return value.kind in _STRUCTURE


def _is_data(value: Value) -> bool:
    is_file = (value.kind is Kind.STRING and value.name == FILE) or files.is_path(value)
    return is_file or files.is_row(value) or value.kind in (Kind.TENSOR, Kind.NDARRAY)


def _with_members(value: Value) -> tuple[Value, ...]:
    """A value, or what it is a tuple of: members of several things that are gone through at once."""
    return (value, *(value.elements or ()))
