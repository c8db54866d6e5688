"""The flow graph of one scope: its points of execution, and which may follow which.

A point is what is evaluated in one go: a small statement, the test of an `if`, the head of a loop,
an item of a `with`, a `def`. An exception leads from every point of a `try` to its handlers; a
`finally` stands once, so that a jump through it may seem to go on behind it: paths are added, never
lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.links import NOWHERE
from tfxla_lint.semantics.scopes import Scope


@dataclass(slots=True, eq=False)
class Point:
    """One step of execution; `node` is what is evaluated (a statement or a part of one).

    `caught` are those of its `successors` that only an exception leads to.
    """

    index: int
    node: cst.CSTNode
    successors: list[int] = field(default_factory=list)
    caught: set[int] = field(default_factory=set)
    predecessors: list[int] = field(default_factory=list)


class FlowGraph:
    """The points of a scope in document order, from `ENTRY`, where parameters are bound, to `EXIT`.

    `suppresses` says of a `with` whether it may end on an exception without handing it on.
    """

    ENTRY = 0
    EXIT = 1

    def __init__(
        self, binder: Binder, scope: Scope, suppresses: Callable[[cst.With], bool] | None = None
    ) -> None:
        self._binder = binder
        self.scope = scope
        self.points = [Point(self.ENTRY, scope.node), Point(self.EXIT, scope.node)]
        #: The point at which a node is evaluated, for the outermost node of each.
        self._at: dict[int, int] = {id(scope.node): self.ENTRY}
        self._ranges: dict[int, range] = {}
        _Builder(self, suppresses or (lambda node: False)).build()

    def point(self, node: cst.CSTNode) -> int | None:
        """The point at which `node` is evaluated; None where it stands in another scope's code.

        What stands in a nested function belongs to the point of its `def`.
        """
        at, held = self._at, self._binder.links.held
        current: cst.CSTNode | None = node
        while current is not None:
            found = at.get(id(current))
            if found is not None:
                return found
            current = held.get(id(current), NOWHERE)[0]
        return None

    def inside(self, statement: cst.CSTNode) -> range:
        """The points of a statement, those of its block included."""
        return self._ranges.get(id(statement), range(0))

    def holds(self, outer: cst.CSTNode, node: cst.CSTNode) -> bool:
        """Whether `node` is `outer` or stands below it."""
        current: cst.CSTNode | None = node
        while current is not None and current is not outer:
            current = self._binder.parent(current)
        return current is not None

    def add(self, node: cst.CSTNode, after: Sequence[int]) -> int:
        """A new point that follows the points `after`."""
        index = len(self.points)
        self.points.append(Point(index, node))
        self._at.setdefault(id(node), index)
        for earlier in after:
            self.connect(earlier, index)
        return index

    def connect(self, first: int, then: int) -> None:
        """Note that `then` may follow `first`."""
        point = self.points[first]
        point.caught.discard(then)
        if then not in point.successors:
            point.successors.append(then)
            self.points[then].predecessors.append(first)

    def catch(self, tried: Iterable[int], handler: int) -> None:
        """Note that an exception may lead from any of the points to `handler`."""
        for first in tried:
            point = self.points[first]
            if handler not in point.successors:
                self.connect(first, handler)
                point.caught.add(handler)

    def mark(self, statement: cst.CSTNode, points: range) -> None:
        """Note which points a statement consists of."""
        self._ranges[id(statement)] = points
        if points:
            self._at.setdefault(id(statement), points.start)


@dataclass(slots=True, eq=False)
class _Loop:
    """A loop on the way: where `continue` leads, and the points that `break` leaves."""

    head: int
    broken: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Final:
    """A `finally` on the way: the points that jump through it, by what they jump to."""

    jumps: dict[type[cst.CSTNode], list[int]] = field(default_factory=dict)


class _Builder:
    """Lays out the points of a scope's code."""

    def __init__(self, graph: FlowGraph, suppresses: Callable[[cst.With], bool]) -> None:
        self._graph = graph
        self._suppresses = suppresses
        self._frames: list[_Loop | _Final] = []

    def build(self) -> None:
        node = self._graph.scope.node
        ends = [FlowGraph.ENTRY]
        if isinstance(node, cst.Module):
            ends = self._block(node.body, ends)
        elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            ends = self._block(node.body.body, ends)
        elif isinstance(node, cst.Lambda):
            ends = [self._graph.add(node.body, ends)]
        for end in ends:
            self._graph.connect(end, FlowGraph.EXIT)

    def _block(self, body: Sequence[cst.CSTNode], ends: list[int]) -> list[int]:
        for statement in body:
            start = len(self._graph.points)
            ends = self._statement(statement, ends)
            self._graph.mark(statement, range(start, len(self._graph.points)))
        return ends

    def _statement(self, node: cst.CSTNode, ends: list[int]) -> list[int]:
        if isinstance(node, cst.SimpleStatementLine):
            return self._block(node.body, ends)
        if isinstance(node, cst.If):
            return self._if(node, ends)
        if isinstance(node, cst.For):
            return self._for(node, ends)
        if isinstance(node, cst.While):
            return self._while(node, ends)
        if isinstance(node, cst.With):
            return self._with(node, ends)
        if isinstance(node, (cst.Try, cst.TryStar)):
            return self._try(node, ends)
        if isinstance(node, cst.Match):
            return self._match(node, ends)
        point = self._graph.add(node, ends)
        if isinstance(node, (cst.Break, cst.Continue, cst.Return, cst.Raise)):
            self._jump(type(node), [point])
            return []
        return [point]

    def _jump(self, kind: type[cst.CSTNode], points: list[int]) -> None:
        """Lead points to where a `break`, `continue`, `return` or `raise` goes."""
        for frame in reversed(self._frames):
            if isinstance(frame, _Final):
                frame.jumps.setdefault(kind, []).extend(points)
                return
            if kind is cst.Break:
                frame.broken.extend(points)
                return
            if kind is cst.Continue:
                for point in points:
                    self._graph.connect(point, frame.head)
                return
        for point in points:
            self._graph.connect(point, FlowGraph.EXIT)

    def _if(self, node: cst.If, ends: list[int]) -> list[int]:
        after: list[int] = []
        tests: dict[int, cst.If] = {}
        current: cst.If | cst.Else | None = node
        while isinstance(current, cst.If):
            test = self._graph.add(current, ends)
            tests[test] = current
            after += self._block(current.body.body, [test])
            ends, current = [test], current.orelse
        after += self._block(current.body.body, ends) if current is not None else ends
        for test, branch in tests.items():
            self._graph.mark(branch, range(test, len(self._graph.points)))
        return after

    def _for(self, node: cst.For, ends: list[int]) -> list[int]:
        iterated = self._graph.add(node, ends)
        head = self._graph.add(node, [iterated])
        target = self._graph.add(node.target, [head])
        return self._loop(node, head, [target])

    def _while(self, node: cst.While, ends: list[int]) -> list[int]:
        begun = self._graph.add(node, ends)
        head = self._graph.add(node.test, [begun])
        return self._loop(node, head, [head])

    def _loop(self, node: cst.For | cst.While, head: int, start: list[int]) -> list[int]:
        frame = _Loop(head)
        self._frames.append(frame)
        for end in self._block(node.body.body, start):
            self._graph.connect(end, head)
        self._frames.pop()
        is_endless = isinstance(node, cst.While) and _is_true(node.test)
        after = [] if is_endless else [head]
        if node.orelse is not None:
            after = self._block(node.orelse.body.body, after)
        return after + frame.broken

    def _with(self, node: cst.With, ends: list[int]) -> list[int]:
        for item in node.items:
            ends = [self._graph.add(item, ends)]
        start = ends[0]
        after = self._block(node.body.body, ends)
        if not self._suppresses(node):
            return after
        left = self._graph.add(node.body, after)
        self._graph.catch(range(start, left), left)
        return [left]

    def _try(self, node: cst.Try | cst.TryStar, ends: list[int]) -> list[int]:
        final = _Final() if node.finalbody is not None else None
        if final is not None:
            self._frames.append(final)
        start = self._graph.add(node, ends)
        after = self._block(node.body.body, [start])
        tried = range(start, len(self._graph.points))
        if node.orelse is not None:
            after = self._block(node.orelse.body.body, after)
        for handler in node.handlers:
            entry = self._graph.add(handler, ())
            self._graph.catch(tried, entry)
            after += self._block(handler.body.body, [entry])
        if final is None:
            return after
        self._frames.pop()
        return self._finally(node, final, after, range(start, len(self._graph.points)))

    def _finally(
        self, node: cst.Try | cst.TryStar, final: _Final, after: list[int], tried: range
    ) -> list[int]:
        assert node.finalbody is not None
        entry = self._graph.add(node.finalbody, after)
        self._graph.catch(tried, entry)
        ends = self._block(node.finalbody.body.body, [entry])
        for kind in final.jumps:
            self._jump(kind, ends)
        self._jump(cst.Raise, ends)
        return ends if after else []

    def _match(self, node: cst.Match, ends: list[int]) -> list[int]:
        missed = self._graph.add(node, ends)
        after: list[int] = []
        for case in node.cases:
            missed = self._graph.add(case, [missed])
            after += self._block(case.body.body, [missed])
        return [*after, missed]


def _is_true(test: cst.BaseExpression) -> bool:
    """Whether a test holds whatever happens: `True`, `1`."""
    if isinstance(test, cst.Name):
        return test.value == "True"
    return isinstance(test, cst.Integer) and test.value != "0"


def reverse_postorder(graph: FlowGraph, starts: Iterable[int] = (FlowGraph.ENTRY,)) -> list[int]:
    """The points that can be reached, each before those that follow it but for loops."""
    order: list[int] = []
    seen: set[int] = set()
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(graph.points[start].successors))]
        while stack:
            index, following = stack[-1]
            for then in following:
                if then not in seen:
                    seen.add(then)
                    stack.append((then, iter(graph.points[then].successors)))
                    break
            else:
                order.append(index)
                stack.pop()
    order.reverse()
    return order


def circles(graph: FlowGraph) -> list[int]:
    """For each point the number of its circle: points have one where ways lead to and fro.

    By Kosaraju: what leads to a point, and is not later in the order of ways on, lies on its circle.
    """
    found = [-1] * len(graph.points)
    for number, start in enumerate(reverse_postorder(graph, range(len(graph.points)))):
        pending = [start]
        while pending:
            index = pending.pop()
            if found[index] < 0:
                found[index] = number
                pending += graph.points[index].predecessors
    return found
