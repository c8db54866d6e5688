"""Reaching definitions: the bindings that a read of a name may see, in the order of execution."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.flow.graph import FlowGraph
from tfxla_lint.semantics.flow.sparse import Before, Sparse
from tfxla_lint.semantics.flow.uses import bindings_in, is_foreign
from tfxla_lint.semantics.scopes import Binding, BindingKind


@dataclass(frozen=True, slots=True)
class Reached:
    """What a read may see; `may_be_unbound` where a way leads to it past every binding."""

    bindings: tuple[Binding, ...]
    may_be_unbound: bool = False

    @property
    def only(self) -> Binding | None:
        """The one binding that the read surely sees, None where several may reach it."""
        if len(self.bindings) != 1 or self.may_be_unbound:
            return None
        found = self.bindings[0]
        return found if found.kind is not BindingKind.DELETE else None


@dataclass(frozen=True, slots=True)
class _Solution:
    bindings: tuple[Binding, ...]
    before: Before

    def holding(self, state: int) -> tuple[Binding, ...]:
        """The bindings that a state tells of, in their order."""
        found = []
        rest = state & ~1
        while rest:
            low = rest & -rest
            found.append(self.bindings[low.bit_length() - 2])
            rest ^= low
        return tuple(found)


class Reaching:
    """Answers for the names of one scope; each name is solved when it is first asked about."""

    def __init__(self, binder: Binder, graph: FlowGraph, sparse: Sparse) -> None:
        self._binder = binder
        self._graph = graph
        self._sparse = sparse
        self._solved: dict[str, _Solution] = {}
        self._bound_elsewhere: dict[str, tuple[Binding, ...]] = {}

    def before(self, name: str, node: cst.CSTNode) -> Reached:
        """The bindings of `name` that may be in force just before `node` is evaluated."""
        index = self._graph.point(node)
        if index is None:
            return Reached(tuple(self._graph.scope.bindings.get(name, ())), True)
        return self.at(name, index)

    def at_end(self, name: str) -> Reached:
        """The bindings of `name` that may be in force when the scope's code is over."""
        return self.at(name, FlowGraph.EXIT)

    def always_before(self, first: cst.CSTNode, then: cst.CSTNode) -> bool:
        """Whether all ways from the start to a node lead past another one (or its own statement)."""
        points = self._graph.point(first), self._graph.point(then)
        if points[0] is None or points[1] is None:
            return False
        return self._sparse.dominators.dominates(points[0], points[1])

    def at(self, name: str, index: int) -> Reached:
        """The bindings of `name` that may be in force just before a point of the flow graph."""
        foreign = self._foreign(name)
        if not foreign and len(self._graph.scope.bindings.get(name, ())) == 1:
            found = next(bindings_in(self._binder, self._graph, name), None)
            if found is not None and found[2] and self._is_past(found[1], index):
                return Reached((found[0],))
        solution = self._solution(name)
        state = solution.before(index)
        return Reached((*solution.holding(state), *foreign), bool(state & 1))

    def _foreign(self, name: str) -> tuple[Binding, ...]:
        """The bindings of a name by other code, which `global` or `nonlocal` lets bind it."""
        known = self._bound_elsewhere.get(name)
        if known is None:
            scope = self._graph.scope
            every = scope.bindings.get(name, ())
            known = tuple(b for b in every if is_foreign(self._binder, b, scope))
            self._bound_elsewhere[name] = known
        return known

    def _is_past(self, binding: int, index: int) -> bool:
        """Whether every way to a point leads past the point of a binding.

        Parameters are bound on entry; others after what their own point reads.
        """
        is_entry = binding == FlowGraph.ENTRY
        return (is_entry or binding != index) and self._sparse.dominators.dominates(binding, index)

    def _solution(self, name: str) -> _Solution:
        known = self._solved.get(name)
        if known is None:
            known = self._solved[name] = self._solve(name)
        return known

    def _solve(self, name: str) -> _Solution:
        found = list(bindings_in(self._binder, self._graph, name))
        made: dict[int, int] = {}
        ended: dict[int, int] = {}
        every = (1 << (len(found) + 1)) - 1
        for bit, (_, index, is_certain) in enumerate(found, 1):
            if is_certain:
                made[index], ended[index] = 1 << bit, every
            else:
                made[index] = made.get(index, 0) | 1 << bit
        if not ended.get(FlowGraph.ENTRY):
            made[FlowGraph.ENTRY] = made.get(FlowGraph.ENTRY, 0) | 1
        return _Solution(tuple(row[0] for row in found), self._sparse.solve(made, ended))
