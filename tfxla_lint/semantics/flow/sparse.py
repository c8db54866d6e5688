"""Forward questions of data flow whose facts are made and ended at few points of a graph.

Facts change where they are made or ended, and meet on the dominance frontiers of such points: only
there a state is worked out, so that a question costs no more than its own points. States are sets of
small numbers, as in `solver`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property

from tfxla_lint.semantics.flow.dominators import Dominators
from tfxla_lint.semantics.flow.graph import FlowGraph
from tfxla_lint.semantics.flow.solver import Direction, solve

#: The least state before a point.
Before = Callable[[int], int]


class Sparse:
    """Answers for one graph."""

    def __init__(self, graph: FlowGraph) -> None:
        self._graph = graph

    @cached_property
    def dominators(self) -> Dominators:
        """The points that every way to a point leads past."""
        return Dominators(self._graph)

    def solve(self, made: Mapping[int, int], ended: Mapping[int, int]) -> Before:
        """The state before each point, where those named make facts and end some that hold before."""
        points = self._graph.points
        if len(self.dominators.parents) < len(points):
            # What stands behind a `return` has no dominator, and yet may hand facts on.
            every = range(len(points))
            makes, ends = ([rows.get(i, 0) for i in every] for rows in (made, ended))
            return solve(self._graph, Direction.FORWARD, makes, ends)[0].__getitem__
        return _Solution(self._graph, self.dominators, self._frontiers, made, ended)

    @cached_property
    def _frontiers(self) -> dict[int, list[int]]:
        """For each point, those where a way past it meets one that does not lead past it."""
        parents = self.dominators.parents
        found: dict[int, list[int]] = {}
        for point in self._graph.points:
            for runner in point.predecessors if len(point.predecessors) > 1 else ():
                while runner != parents[point.index]:
                    known = found.setdefault(runner, [])
                    if known and known[-1] == point.index:
                        break
                    known.append(point.index)
                    runner = parents[runner]
        return found


class _Solution:
    """The states before all points, of which those in between are those of their dominator."""

    def __init__(
        self,
        graph: FlowGraph,
        dominators: Dominators,
        frontiers: Mapping[int, list[int]],
        made: Mapping[int, int],
        ended: Mapping[int, int],
    ) -> None:
        self._spans = spans = dominators.spans
        pending = [index for index in {*made, *ended} if made.get(index) or ended.get(index)]
        nodes, joins = {FlowGraph.ENTRY, *pending}, set[int]()
        while pending:
            for meeting in frontiers.get(pending.pop(), ()):
                if meeting not in joins:
                    joins.add(meeting)
                    if meeting not in nodes:
                        nodes.add(meeting)
                        pending.append(meeting)
        self._order = sorted(nodes, key=lambda index: spans[index][0])
        self._starts = [spans[index][0] for index in self._order]
        self._above: dict[int, int] = {}
        stack: list[int] = []
        for index in self._order:
            while stack and spans[stack[-1]][1] < spans[index][1]:
                stack.pop()
            if stack:
                self._above[index] = stack[-1]
            stack.append(index)
        self._joined = dict.fromkeys(joins, 0)
        self._after = dict.fromkeys(nodes, 0)
        sources = {
            index: {self._holder(source) for source in graph.points[index].predecessors}
            for index in joins
        }
        changed = True
        while changed:
            changed = False
            for index in self._order:
                if index in sources:
                    state = 0
                    for source in sources[index]:
                        state |= self._after[source]
                    self._joined[index] = state
                state = (self(index) & ~ended.get(index, 0)) | made.get(index, 0)
                changed |= state != self._after[index]
                self._after[index] = state

    def __call__(self, index: int) -> int:
        if index in self._joined:
            return self._joined[index]
        if index in self._after:
            above = self._above.get(index)
            return self._after[above] if above is not None else 0
        return self._after[self._holder(index)]

    def _holder(self, index: int) -> int:
        """The nearest of the points with a state of their own that every way to this one leads past."""
        if index in self._after:
            return index
        start, end = self._spans[index]
        found = self._order[bisect_right(self._starts, start) - 1]
        while self._spans[found][1] < end:
            found = self._above[found]
        return found
