"""Dominators: the points that every way to a point leads past.

The iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm").
"""

from __future__ import annotations

from tfxla_lint.semantics.flow.graph import FlowGraph, reverse_postorder


class Dominators:
    """The dominator tree of a flow graph; points that cannot be reached have none."""

    def __init__(self, graph: FlowGraph) -> None:
        self._order = reverse_postorder(graph)
        self._rank = {index: rank for rank, index in enumerate(self._order)}
        #: For each point that can be reached the nearest one above it, for the entry itself.
        self.parents = self._immediate(graph)
        #: For each point, when a walk of the tree enters and leaves it.
        self.spans = self._numbered()

    def dominates(self, first: int, then: int) -> bool:
        """Whether every way from the entry to `then` leads past `first` (or they are one)."""
        outer, inner = self.spans.get(first), self.spans.get(then)
        if outer is None or inner is None:
            return False
        return outer[0] <= inner[0] and inner[1] <= outer[1]

    def _immediate(self, graph: FlowGraph) -> dict[int, int]:
        rank = self._rank
        parent = {FlowGraph.ENTRY: FlowGraph.ENTRY}
        changed = True
        while changed:
            changed = False
            for index in self._order[1:]:
                known = [p for p in graph.points[index].predecessors if p in parent]
                nearest = known[0]
                for other in known[1:]:
                    while nearest != other:
                        if rank[nearest] > rank[other]:
                            nearest = parent[nearest]
                        else:
                            other = parent[other]
                if parent.get(index) != nearest:
                    parent[index] = nearest
                    changed = True
        return parent

    def _numbered(self) -> dict[int, tuple[int, int]]:
        below: dict[int, list[int]] = {}
        for index, parent in self.parents.items():
            if index != parent:
                below.setdefault(parent, []).append(index)
        spans: dict[int, tuple[int, int]] = {}
        clock = 0
        stack: list[tuple[int, int | None]] = [(FlowGraph.ENTRY, None)]
        while stack:
            index, entered = stack.pop()
            clock += 1
            if entered is not None:
                spans[index] = (entered, clock)
                continue
            stack.append((index, clock))
            stack += [(inner, None) for inner in below.get(index, ())]
        return spans
