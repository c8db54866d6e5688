"""What code sees of the names of the code around it: the bindings in force whenever it runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.graph import FlowGraph
from tfxla_lint.semantics.flow.reaching import Reached
from tfxla_lint.semantics.flow.uses import running_scope, runs_later
from tfxla_lint.semantics.scopes import Binding, Scope, ScopeKind
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.flow.flow import Flow

#: What runs as its class is called.
_MAKING = frozenset({"__init__", "__new__"})


class Visibility:
    """Answers for functions by the places at which the code around them has them run."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._runs: dict[tuple[int, int, bool], frozenset[int] | None] = {}

    def outer(self, name: str, reader: Scope, home: Scope) -> Reached:
        """The bindings of `name` in `home` that code of the inner scope `reader` may see."""
        every = tuple(home.bindings[name])
        if len(every) == 1:
            return Reached(every)
        points = self.points(reader, home)
        if points is None:
            return Reached(every)
        reaching = self._flow.reaching(home)
        seen: dict[int, Binding] = {}
        for point in points:
            for binding in reaching.at(name, point).bindings:
                seen[id(binding)] = binding
        return Reached(tuple(b for b in every if id(b) in seen))

    def points(self, reader: Scope, home: Scope, by_anyone: bool = False) -> frozenset[int] | None:
        """The points of `home` at which code of `reader` may run; None for any time.

        A method that nobody in sight calls runs at the end, as what others import does; `by_anyone`
        asks when it may run at all: Python itself and libraries call methods unseen.
        """
        key = id(reader), id(home), by_anyone
        if key not in self._runs:
            self._runs[key] = self._find(reader, home, by_anyone)
        return self._runs[key]

    def runs_unseen(self, unit: Unit) -> bool:
        """Whether code that is not seen may call a method: for what it is named, or since its class or
        an object of it was handed on."""
        info = unit.class_
        if info is None:
            return False
        if unit.name in _MAKING:
            home = info.scope.parent
            reads = self._flow.reads(home, info.name) if home is not None else ()
            return not all(self._is_resolved_call(read) for read in reads)
        is_special = unit.name.startswith("__") and unit.name.endswith("__")
        return is_special or not self._flow.calls.callers(unit) or info.has_foreign_base

    def _find(self, reader: Scope, home: Scope, by_anyone: bool) -> frozenset[int] | None:
        graph = self._flow.graph(home)
        found: set[int] = set()
        pending, seen = [running_scope(reader)], set[int]()
        while pending:
            scope = pending.pop()
            if id(scope) in seen:
                continue
            seen.add(id(scope))
            if scope.kind is ScopeKind.MODULE:
                found.add(FlowGraph.EXIT)
                continue
            if scope.kind is ScopeKind.CLASS:
                node: Iterable[cst.CSTNode] = [scope.node]
                callers: list[Unit] = []
            else:
                unit = self._flow.unit(scope)
                if unit is None or not self._is_seen_through(unit):
                    return None
                if by_anyone and self.runs_unseen(unit):
                    return None
                edges = self._flow.calls.callers(unit)
                if not edges:
                    found.add(FlowGraph.EXIT)
                node = [edge.node for edge in edges]
                callers = [edge.caller for edge in edges]
            if by_anyone and any(runs_later(self._flow.scope(place)) for place in node):
                return None
            for place in node:
                point = graph.point(place) if self._runs_in(place, home) else None
                if point is not None:
                    found.add(point)
            for caller in callers:
                if caller.scope is not home:
                    if caller.is_module or caller.scope.module is not home.module:
                        found.add(FlowGraph.EXIT)
                    else:
                        pending.append(caller.scope)
        return frozenset(found)

    def _runs_in(self, node: cst.CSTNode, home: Scope) -> bool:
        return running_scope(self._flow.scope(node)) is home

    def _is_seen_through(self, unit: Unit) -> bool:
        """Whether all that can run a function of this module is a call that was resolved."""
        if unit.is_lambda or unit.unknown_decorators or unit.is_generator or unit.is_async:
            return False
        if any(edge.how == "unknown" for edge in self._flow.calls.handed(unit)):
            return False
        if unit.class_ is not None:
            reads: Iterable[cst.CSTNode] = self._flow.attributes.named(unit.name)
        else:
            home = unit.scope.parent
            reads = self._flow.reads(home, unit.name) if home is not None else ()
        return all(self._is_resolved_call(read) or self._is_run_by(read, unit) for read in reads)

    def _is_run_by(self, read: cst.CSTNode, unit: Unit) -> bool:
        """Whether a function is handed to a call that is known to run it there (`strategy.run`)."""
        argument = self._flow.parent(read)
        call = self._flow.parent(argument) if isinstance(argument, cst.Arg) else None
        return call is not None and any(e.callee is unit for e in self._flow.calls.at(call))

    def _is_resolved_call(self, read: cst.CSTNode) -> bool:
        """Whether a mention of a function is a call that is known to run it, or known not to."""
        call = self._flow.parent(read)
        if not isinstance(call, cst.Call) or call.func is not read:
            return False
        return bool(self._flow.calls.at(call))
