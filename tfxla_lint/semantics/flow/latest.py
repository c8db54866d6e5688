"""Which of a function's own writes of an attribute a read of it sees: `self.data = self.data.map(f)`."""

from __future__ import annotations

from typing import Protocol

import libcst as cst

from tfxla_lint.semantics.flow.attributes import Attributes, Write
from tfxla_lint.semantics.flow.calls import Calls
from tfxla_lint.semantics.flow.graph import FlowGraph
from tfxla_lint.semantics.flow.reaching import Reached
from tfxla_lint.semantics.flow.sparse import Before, Sparse
from tfxla_lint.semantics.flow.uses import running_scope
from tfxla_lint.semantics.scopes import Binding, Scope
from tfxla_lint.semantics.units import Unit

#: The fact that something else than a write of this function may have been last.
_ELSEWHERE = 1


class _Flow(Protocol):
    """What is asked of the flow."""

    @property
    def attributes(self) -> Attributes: ...

    @property
    def calls(self) -> Calls: ...

    def scope(self, node: cst.CSTNode) -> Scope: ...

    def unit(self, scope: Scope) -> Unit | None: ...

    def reached(self, name: cst.Name) -> Reached: ...

    def graph(self, scope: Scope) -> FlowGraph: ...

    def sparse(self, scope: Scope) -> Sparse: ...


class Latest:
    """Answers for attributes of what a name holds that the function binds once, such as `self`."""

    def __init__(self, flow: _Flow) -> None:
        self._flow = flow
        self._solved: dict[tuple[int, str], tuple[list[Write], Before | None]] = {}

    def before(self, node: cst.Attribute) -> list[Write] | None:
        """The writes of which one was surely the last before a read; None where it may be another."""
        if not isinstance(node.value, cst.Name):
            return None
        scope = running_scope(self._flow.scope(node))
        binding = self._flow.reached(node.value).only
        if binding is None or binding.scope is not scope:
            return None
        writes, solution = self._solution(scope, binding, node.attr.value)
        point = self._flow.graph(scope).point(node)
        if solution is None or point is None:
            return None
        state = solution(point)
        if state & _ELSEWHERE:
            return None
        return [write for bit, write in enumerate(writes, 1) if state >> bit & 1] or None

    def _solution(
        self, scope: Scope, binding: Binding, name: str
    ) -> tuple[list[Write], Before | None]:
        key = id(binding), name
        if key not in self._solved:
            writes = [w for w in self._flow.attributes.writes(name) if self._is_of(w, binding)]
            solution = self._solve(scope, binding, name, writes) if writes else None
            self._solved[key] = writes, solution
        return self._solved[key]

    def _is_of(self, write: Write, binding: Binding) -> bool:
        holder = write.target.value
        if not isinstance(holder, cst.Name) or holder.value != binding.name:
            return False
        return self._flow.reached(holder).only is binding

    def _solve(
        self, scope: Scope, binding: Binding, name: str, writes: list[Write]
    ) -> Before | None:
        graph = self._flow.graph(scope)
        made, ended = {FlowGraph.ENTRY: _ELSEWHERE}, dict[int, int]()
        for bit, write in enumerate(writes, 1):
            point = graph.point(write.target)
            if point is None or running_scope(self._flow.scope(write.target)) is not scope:
                return None
            made[point], ended[point] = 1 << bit, (1 << len(writes) + 1) - 1
        for call in self._calls(scope):
            point = graph.point(call)
            if point is None or self._may_write(call, binding, name):
                at = FlowGraph.ENTRY if point is None else point
                made[at] = made.get(at, 0) | _ELSEWHERE
        return self._flow.sparse(scope).solve(made, ended)

    def _calls(self, scope: Scope) -> list[cst.Call]:
        unit = self._flow.unit(scope)
        return list(unit.own(cst.Call)) if unit is not None else []

    def _may_write(self, call: cst.Call, binding: Binding, name: str) -> bool:
        """Whether a call runs code that binds an attribute of this name, or unknown code that is
        given the object."""
        if not any(self._flow.calls.at(call)):
            given = (argument.value for argument in call.args)
            return any(isinstance(g, cst.Name) and g.value == binding.name for g in given)
        writers = {id(self._flow.scope(w.target)) for w in self._flow.attributes.writes(name)}
        return any(id(unit.scope) in writers for unit in self._flow.calls.run_by([call]))
