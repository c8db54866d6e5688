"""Whether what one piece of code sees may change from one run of it to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import libcst as cst

from tfxla_lint.semantics.flow.graph import FlowGraph, circles
from tfxla_lint.semantics.flow.uses import running_scope, runs_later
from tfxla_lint.semantics.scopes import Scope


class Changes:
    """Answers by the order in which the code of one scope has a change made, and a read run.

    `graph` gives the flow graph of a scope, `scope` the scope that a node stands in,
    `points` those of a scope that may run the code of another one, by anyone if it is asked for.
    """

    def __init__(
        self,
        graph: Callable[[Scope], FlowGraph],
        scope: Callable[[cst.CSTNode], Scope],
        points: Callable[[Scope, Scope, bool], frozenset[int] | None],
    ) -> None:
        self._graph = graph
        self._scope = scope
        self._points = points
        self._circled: dict[int, list[int]] = {}
        self._around: dict[tuple[int, frozenset[int] | int], tuple[set[int], set[int]]] = {}

    def come_between(self, home: Scope, change: cst.CSTNode, read: cst.CSTNode) -> bool:
        """Whether a change may take place after one run of `read`, and before another one.

        Both concern what `home` holds. A list that is filled before a loop, and a name that is
        bound anew when the loop is over, are the same on every turn.
        """
        changing = self._moments(home, change, by_anyone=True)
        if not changing:
            return True
        reading = self._moments(home, read) or self._graph(home).point(read)
        return any(self._is_between(home, point, reading) for point in changing)

    def may_repeat(self, home: Scope, node: cst.CSTNode) -> bool:
        """Whether the code of `home` may have a node evaluated once more."""
        points = self._moments(home, node, by_anyone=True)
        if not points or len(points) > 1:
            return True
        (point,) = points
        graph, circles = self._graph(home), self._circles(home)
        return any(circles[then] == circles[point] for then in graph.points[point].successors)

    def lie_between(self, home: Scope, change: cst.CSTNode, reads: Iterable[cst.CSTNode]) -> bool:
        """As `come_between`, for a node and some others that the code of `home` has itself."""
        graph = self._graph(home)
        changing, reading = self._moment(home, change), [graph.point(read) for read in reads]
        if changing is None or None in reading:
            return True
        return self._is_between(home, changing, frozenset(p for p in reading if p is not None))

    def circle(self, home: Scope, node: cst.CSTNode) -> int | None:
        """The number of the circle of ways on which the code of `home` has a node; None where it has
        none of its own. What is on no circle has a number to itself."""
        point = self._moment(home, node)
        return self._circles(home)[point] if point is not None else None

    def _is_between(self, home: Scope, point: int, reads: frozenset[int] | int | None) -> bool:
        if isinstance(reads, frozenset) and len(reads) == 1:
            # From the one point to another and back: both stand on one circle.
            circles = self._circles(home)
            return point in reads or circles[point] == circles[next(iter(reads))]
        after, before = self._reach(home, reads)
        is_same = isinstance(reads, frozenset) and point in reads
        return is_same or (point in after and point in before)

    def _circles(self, home: Scope) -> list[int]:
        known = self._circled.get(id(home))
        if known is None:
            known = self._circled[id(home)] = circles(self._graph(home))
        return known

    def _moment(self, home: Scope, node: cst.CSTNode) -> int | None:
        """The point at which the code of `home` has a node evaluated that stands in it; None for any."""
        return self._graph(home).point(node) if not runs_later(self._scope(node)) else None

    def _moments(
        self, home: Scope, node: cst.CSTNode, *, by_anyone: bool = False
    ) -> frozenset[int] | None:
        """The points of `home` that have a node evaluated; None for any."""
        if by_anyone and runs_later(self._scope(node)):
            return None
        if running_scope(self._scope(node)) is home:
            point = self._graph(home).point(node)
            return frozenset({point}) if point is not None else None
        return self._points(self._scope(node), home, by_anyone)

    def _reach(self, home: Scope, points: frozenset[int] | int | None) -> tuple[set[int], set[int]]:
        """The points that may follow, and those that may precede, any of some points.

        What may run whenever the statement at one point has made it follows that point itself.
        """
        graph = self._graph(home)
        every = set(range(len(graph.points)))
        if points is None:
            return every, every
        key = id(home), points
        if key not in self._around:
            if isinstance(points, int):
                self._around[key] = (_reached(graph, [points], forward=True), every)
            else:
                found = [_reached(graph, points, forward=way) for way in (True, False)]
                self._around[key] = found[0], found[1]
        return self._around[key]


def _reached(graph: FlowGraph, starts: Iterable[int], *, forward: bool) -> set[int]:
    """The points that ways from, or to, some points lead past."""
    found: set[int] = set()
    pending = [*starts]
    while pending:
        point = graph.points[pending.pop()]
        for index in point.successors if forward else point.predecessors:
            if index not in found:
                found.add(index)
                pending.append(index)
    return found
