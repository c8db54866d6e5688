"""Liveness: which names a stretch of code reads, binds, and leaves alive."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

import libcst as cst

from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.flow.graph import FlowGraph
from tfxla_lint.semantics.flow.solver import Direction, solve
from tfxla_lint.semantics.flow.uses import Reads, bindings_in, running_scope
from tfxla_lint.semantics.scopes import BindingKind


class Liveness:
    """Liveness of the names of one scope; a name read on any way is alive.

    Names that functions of the scope read, that it shares with outer ones by `global` and
    `nonlocal`, or that are `shown` to code elsewhere, are always alive: they may be read at any time.
    """

    def __init__(
        self, binder: Binder, graph: FlowGraph, reads: Reads, shown: Collection[str] = ()
    ) -> None:
        self._graph = graph
        scope = graph.scope
        shared = scope.global_names | scope.nonlocal_names
        self._bits: dict[str, int] = {}
        self._order: list[str] = []
        self._uses = [0] * len(graph.points)
        self._ends = [0] * len(graph.points)
        always, in_lambdas = {*shared, *shown}, set[str]()
        self._by_point: dict[int, list[tuple[cst.Name, int]]] = {}
        for node, reader in reads.of(scope):
            self._note_read(node)
            runner = running_scope(reader)
            if runner is not scope:
                is_lambda = isinstance(runner.node, cst.Lambda) and runner.parent is scope
                (in_lambdas if is_lambda else always).add(node.value)
        for name in shared:
            home = scope.home(name)
            for node, _ in reads.of(home) if home is not None else ():
                if node.value == name and graph.point(node) is not None:
                    self._note_read(node)
        for name in (*scope.bindings, *shared):
            self._note_bindings(binder, name)
        self._always = frozenset(always | in_lambdas)
        self._in_lambdas = frozenset(in_lambdas - always)

    def _note_read(self, node: cst.Name) -> None:
        index = self._graph.point(node)
        if index is not None:
            bit = self._bit(node.value)
            self._uses[index] |= bit
            self._by_point.setdefault(index, []).append((node, bit))

    def _note_bindings(self, binder: Binder, name: str) -> None:
        bit = self._bit(name)
        for binding, index, is_certain in bindings_in(binder, self._graph, name):
            if binding.kind is BindingKind.DELETE:
                self._uses[index] |= bit
                if isinstance(binding.node, cst.Name):
                    self._by_point.setdefault(index, []).append((binding.node, bit))
            if is_certain:
                self._ends[index] |= bit

    def _bit(self, name: str) -> int:
        if name not in self._bits:
            self._bits[name] = len(self._order)
            self._order.append(name)
        return 1 << self._bits[name]

    def _names(self, state: int) -> set[str]:
        found: set[str] = set()
        names = self._order
        while state:
            low = state & -state
            found.add(names[low.bit_length() - 1])
            state ^= low
        return found

    def always_live(self) -> frozenset[str]:
        """Names that may be read at any time."""
        return self._always

    def reads(self, node: cst.CSTNode, without: Iterable[cst.CSTNode] = ()) -> set[str]:
        """The names of this scope that evaluating `node` can read, or needs to be bound.

        What the statements `without`, below `node`, read does not count.
        """
        state = 0
        points = self._graph.inside(node)
        if points:
            left_out = self._points_of(without)
            for index in points:
                if index not in left_out:
                    state |= self._uses[index]
            return self._names(state)
        point = self._graph.point(node)
        for name, bit in self._by_point.get(point, ()) if point is not None else ():
            if self._graph.holds(node, name):
                state |= bit
        return self._names(state)

    def before(
        self,
        body: Sequence[cst.CSTNode],
        after: Iterable[str],
        without: Iterable[cst.CSTNode] = (),
        hidden: Collection[int] = (),
    ) -> set[str]:
        """The names alive before the statements of `body`, given those alive wherever it is left.

        The statements `without`, below them, are passed over, and so is what the nodes that are
        `hidden`, by their ids, read.
        """
        uses, ends = self._uses, self._ends
        if hidden:
            uses = list(uses)
            for index in (index for statement in body for index in self._graph.inside(statement)):
                read = self._by_point.get(index, ())
                if any(id(node) in hidden for node, _ in read):
                    uses[index] = 0
                    for node, bit in read:
                        uses[index] |= 0 if id(node) in hidden else bit
        left_out = self._points_of(without)
        if left_out:
            uses = [0 if index in left_out else bits for index, bits in enumerate(uses)]
            ends = [0 if index in left_out else bits for index, bits in enumerate(ends)]
        state = 0
        for name in after:
            state |= self._bit(name)
        for points in reversed(_joined([self._graph.inside(s) for s in body])):
            before, _ = solve(self._graph, Direction.BACKWARD, uses, ends, state, points)
            state = before[points.start]
        return self._names(state)

    def _points_of(self, statements: Iterable[cst.CSTNode]) -> set[int]:
        return {index for statement in statements for index in self._graph.inside(statement)}

    def after(self, statement: cst.CSTNode) -> set[str]:
        """The names alive wherever the run of a statement ends."""
        return self._names(self._state_after(statement, self._live)) | self._always

    def after_converted(self, statement: cst.CSTNode) -> set[str]:
        """The same as AutoGraph sees it, for which a lambda reads where it stands and never later."""
        state = self._state_after(statement, self._live_converted)
        return self._names(state) | (self._always - self._in_lambdas)

    def _state_after(self, statement: cst.CSTNode, live: list[int]) -> int:
        points = self._graph.inside(statement)
        state = 0
        for index in points:
            for then in self._graph.points[index].successors:
                if then not in points:
                    state |= live[then]
        return state

    @cached_property
    def _live(self) -> list[int]:
        return self._solved(self._always)

    @cached_property
    def _live_converted(self) -> list[int]:
        return self._solved(self._always - self._in_lambdas) if self._in_lambdas else self._live

    def _solved(self, always: frozenset[str]) -> list[int]:
        boundary = 0
        for name in always:
            boundary |= self._bit(name)
        before, _ = solve(self._graph, Direction.BACKWARD, self._uses, self._ends, boundary)
        before[FlowGraph.EXIT] |= boundary
        return before


def _joined(ranges: Sequence[range]) -> list[range]:
    """Some ranges in their order, those that touch made into one."""
    found: list[range] = []
    for points in ranges:
        if found and found[-1].stop == points.start:
            found[-1] = range(found[-1].start, points.stop)
        elif points:
            found.append(points)
    return found
