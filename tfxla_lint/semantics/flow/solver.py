"""The solver of data-flow questions over a flow graph: a direction, a transfer, a union.

States are sets of small numbers, kept as the bits of an integer, so that a join is one `or`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from tfxla_lint.semantics.flow.graph import FlowGraph, reverse_postorder


class Direction(Enum):
    """Whether facts travel with execution or against it."""

    FORWARD = "forward"
    BACKWARD = "backward"


def solve(
    graph: FlowGraph,
    direction: Direction,
    made: Sequence[int],
    ended: Sequence[int],
    boundary: int = 0,
    within: range | None = None,
) -> tuple[list[int], list[int]]:
    """The least states before and after each point, in the order of execution.

    `made` and `ended` are, for each point, the facts that it makes and those that it ends;
    `boundary` holds at the entry (forward) or at every way out (backward). `within` limits the
    question to some points: ways that lead out of them end at the boundary, but for exceptions,
    which leave nothing behind.
    """
    points = graph.points
    size = len(points)
    forward = direction is Direction.FORWARD
    limits = within if within is not None else range(size)
    order = [p for p in _order(graph, limits) if p in limits]
    if not forward:
        order.reverse()
    incoming, outgoing = [0] * size, [0] * size
    pending, waiting = list(reversed(order)), set(order)
    while pending:
        index = pending.pop()
        waiting.discard(index)
        point = points[index]
        sources = point.predecessors if forward else point.successors
        state = 0
        for source in sources:
            if source in limits:
                state |= outgoing[source]
            elif source not in point.caught:
                state |= boundary
        if index == (FlowGraph.ENTRY if forward else FlowGraph.EXIT):
            state |= boundary
        incoming[index] = state
        state = (state & ~ended[index]) | made[index]
        if state == outgoing[index]:
            continue
        outgoing[index] = state
        for then in point.successors if forward else point.predecessors:
            if then in limits and then not in waiting:
                waiting.add(then)
                pending.append(then)
    return (incoming, outgoing) if forward else (outgoing, incoming)


def _order(graph: FlowGraph, limits: range) -> list[int]:
    """A good order to visit points in; of a part of the graph, document order will do."""
    if len(limits) < len(graph.points):
        return list(limits)
    reached = reverse_postorder(graph)
    unreached = set(limits).difference(reached)
    return [*reached, *sorted(unreached)]
