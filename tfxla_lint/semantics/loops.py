"""Loops: what they range over, how often they turn, and which ones run a piece of code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import UNKNOWN, Kind, Value

Loop: TypeAlias = "cst.For | cst.While"

#: A loop of at most this many turns is not worth a trace.
FEW_TURNS = 3
#: A loop that turned this often in a recorded run is worth one; that run may have been cut short.
MANY_TURNS = 8

_ASKING = behaviour.names(Effect.ASKS)

_STRUCTURE = frozenset(
    {Kind.LAYER, Kind.MODEL, Kind.VARIABLE, Kind.METRIC, Kind.OPTIMIZER, Kind.CALLBACK,
     Kind.FUNCTION, Kind.TRACED, Kind.CLASS, Kind.DATASET}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LoopInfo:
    """What is known of a loop.

    `over` is one of "dataset", "range", "data", "while", "structure" (layers, variables), "person"
    (each turn waits for what somebody types) and "unknown"; `turns` the number of turns where it is a constant; `measured` the number of turns in
    a recorded run.
    """

    node: Loop
    over: str
    turns: int | None
    measured: int | None = None

    @property
    def is_short(self) -> bool:
        """Whether it turns a few times only, over the parts of a model, or as slowly as people."""
        if self.over in ("structure", "person"):
            return True
        return self.turns is not None and self.turns <= FEW_TURNS

    @property
    def is_certain(self) -> bool:
        """Whether it surely turns many times, or was seen to."""
        if self.is_short:
            return False
        was_seen = self.measured is not None and self.measured >= MANY_TURNS
        return was_seen or self.over in ("dataset", "range", "data", "while")


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
        self._continues: dict[int, list[cst.Continue]] = {}

    def continues(self, loop: Loop) -> list[cst.Continue]:
        """The `continue` statements that go on to the next turn of `loop`."""
        key = id(loop)
        if key not in self._continues:
            found = (n for n in walk(loop.body, into_scopes=False) if type(n) is cst.Continue)
            self._continues[key] = [node for node in found if self._nearest(node) is loop]
        return self._continues[key]

    def _nearest(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The innermost loop around a node."""
        parent = self._binder.parent(node)
        while parent is not None and not isinstance(parent, (cst.For, cst.While)):
            parent = self._binder.parent(parent)
        return parent

    def info(self, loop: Loop) -> LoopInfo:
        """What is known of `loop`."""
        known = self._known.get(id(loop))
        if known is None:
            known = self._known[id(loop)] = self._describe(loop)
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
        """Those of `around` that are not short."""
        return [loop for loop in self.around(node, unit) if not self.info(loop).is_short]

    def _describe(self, loop: Loop) -> LoopInfo:
        if _ends_at_once(loop):
            return LoopInfo(loop, "unknown", 1)
        if self._waits_for_person(loop):
            return LoopInfo(loop, "person", None)
        if isinstance(loop, cst.While):
            return LoopInfo(loop, "while", None)
        value = self._evaluator.values.get(id(loop.iter), UNKNOWN)
        over, turns = self._ranges_over(loop.iter, value)
        return LoopInfo(loop, over, turns, self._measured(loop))

    def _waits_for_person(self, loop: Loop) -> bool:
        """Whether every turn asks for input, whatever it does then."""
        always = list(_always_run(loop.body))
        if isinstance(loop, cst.While):
            always.append(loop.test)
        calls = (n for node in always for n in walk(node, into_scopes=False))
        return any(
            self._evaluator.names.of(call.func) & _ASKING
            for call in calls
            if isinstance(call, cst.Call)
        )

    def _ranges_over(self, node: cst.CSTNode, value: Value) -> tuple[str, int | None]:
        if value.kind is Kind.DATASET:
            size = value.pipeline.size if value.pipeline is not None else None
            return "dataset", size
        if value.kind is Kind.RANGE:
            return "range", _range_turns(value)
        if value.kind in (Kind.NDARRAY, Kind.TENSOR, Kind.STRING):
            known = value.shape[0] if value.shape and type(value.shape[0]) is int else None
            return "data", known
        if value.kind in (Kind.LIST, Kind.TUPLE):
            return _over_list(value)
        if value.class_ is not None and value.class_.method("__next__") is not None:
            return "data", None
        if isinstance(node, cst.Call):
            return self._over_call(node)
        return "unknown", None

    def _over_call(self, node: cst.Call) -> tuple[str, int | None]:
        """`enumerate(x)`, `zip(x, y)`, `tqdm(x)`, `d.items()`: what they pass on."""
        if "itertools.count" in self._evaluator.names.of(node.func):
            return "range", None
        name = node.func.value if isinstance(node.func, cst.Name) else None
        if name in ("enumerate", "zip", "reversed", "iter", "list", "sorted", "tqdm"):
            inner = [
                self._ranges_over(a.value, self._evaluator.values.get(id(a.value), UNKNOWN))
                for a in node.args
                if a.keyword is None
            ]
            if any(over == "structure" for over, _ in inner):
                return "structure", None
            for over, turns in inner:
                if over != "unknown":
                    return over, turns
        value = self._evaluator.values.get(id(node), UNKNOWN)
        if value.kind is Kind.ITERATOR and _holds_structure(value):
            return "structure", None
        return "unknown", None


def _always_run(body: cst.BaseSuite) -> Iterator[cst.CSTNode]:
    """The simple statements that run whenever the block does."""
    for statement in body.body:
        if isinstance(statement, (cst.With, cst.Try, cst.TryStar)):
            yield from _always_run(statement.body)
        elif not isinstance(statement, cst.BaseCompoundStatement):
            yield statement


def _ends_at_once(loop: Loop) -> bool:
    """Whether the first turn ends with `break` (or leaves the function) on every path."""
    if not isinstance(loop.body, cst.IndentedBlock) or not loop.body.body:
        return False
    last = loop.body.body[-1]
    if not isinstance(last, cst.SimpleStatementLine):
        return False
    if not isinstance(last.body[-1], (cst.Break, cst.Return, cst.Raise)):
        return False
    return not any(isinstance(node, cst.Continue) for node in walk(loop.body, into_scopes=False))


def _range_turns(value: Value) -> int | None:
    bounds = [v.constant for v in value.elements or ()]
    if not bounds or not all(type(b) is int for b in bounds):
        return None
    try:
        return len(range(*bounds))
    except (ValueError, TypeError):
        return None


def _over_list(value: Value) -> tuple[str, int | None]:
    if value.item is not None and _is_structure(value.item):
        return "structure", None
    turns = len(value.elements) if value.elements is not None else None
    if value.item is not None and value.item.kind in (Kind.TENSOR, Kind.NDARRAY):
        return "data", turns
    return "unknown", turns


def _is_structure(value: Value) -> bool:
    return value.kind in _STRUCTURE


def _holds_structure(value: Value) -> bool:
    item = value.item
    if item is None:
        return False
    return _is_structure(item) or any(_is_structure(e) for e in item.elements or ())
