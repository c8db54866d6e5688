"""Where the names of a scope are read and bound, by the points of its flow graph."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.binder import Binder, Places
from tfxla_lint.semantics.flow.graph import FlowGraph
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope, ScopeKind

#: What evaluates a part of itself on some runs only.
_BRANCHING = frozenset(
    {
        cst.IfExp,
        cst.BooleanOperation,
        cst.Lambda,
        cst.ListComp,
        cst.SetComp,
        cst.DictComp,
        cst.GeneratorExp,
    }
)


class Reads:
    """The reads of one module by the scope whose names they mean."""

    def __init__(self, binder: Binder) -> None:
        self._by_home: dict[int, list[tuple[cst.Name, Scope]]] = {}
        self._by_name: dict[int, dict[str, list[cst.Name]]] = {}
        for scope in (binder.module_scope, *binder.inner_scopes.values()):
            for name, nodes in scope.reads.items():
                home = scope.home(name)
                if home is not None:
                    found = self._by_home.setdefault(id(home), [])
                    found += [(node, scope) for node in nodes]

    def of(self, home: Scope) -> list[tuple[cst.Name, Scope]]:
        """The reads that mean a name of `home`, each with the scope that it stands in."""
        return self._by_home.get(id(home), [])

    def named(self, home: Scope, name: str) -> list[cst.Name]:
        """The reads that mean one name of `home`."""
        if id(home) not in self._by_name:
            found = self._by_name[id(home)] = {}
            for node, _ in self.of(home):
                found.setdefault(node.value, []).append(node)
        return self._by_name[id(home)].get(name, [])


def running_scope(scope: Scope) -> Scope:
    """The scope whose code a node of `scope` runs in: that around comprehensions."""
    while scope.kind is ScopeKind.COMPREHENSION and scope.parent is not None:
        scope = scope.parent
    return scope


def runs_later(scope: Scope) -> bool:
    """Whether code of a scope runs when somebody takes elements of a generator expression."""
    while scope.kind is ScopeKind.COMPREHENSION and scope.parent is not None:
        if isinstance(scope.node, cst.GeneratorExp):
            return True
        scope = scope.parent
    return False


def is_foreign(binder: Places, binding: Binding, scope: Scope) -> bool:
    """Whether `global` or `nonlocal` lets other code bind a name of `scope` here."""
    if binding.kind is BindingKind.PARAMETER:
        return False
    return running_scope(binder.scope(binding.node)) is not scope


def is_certain(binder: Places, binding: Binding, graph: FlowGraph) -> bool:
    """Whether a binding takes place whenever its point runs (not: behind an `and`, in a match)."""
    if binding.kind is BindingKind.MATCH:
        return False
    index = graph.point(binding.node)
    stop = graph.points[index].node if index is not None else None
    current: cst.CSTNode | None = binding.node
    while current is not None and current is not stop:
        if type(current) in _BRANCHING:
            return False
        current = binder.parent(current)
    return True


def bindings_in(binder: Places, graph: FlowGraph, name: str) -> Iterator[tuple[Binding, int, bool]]:
    """The bindings of a name by the scope's own code: each with its point, and if it is certain.

    They may bind a name of an outer scope, which `global` or `nonlocal` shares.
    """
    scope = graph.scope
    home = scope if name in scope.bindings else scope.home(name)
    for binding in home.bindings[name] if home is not None else ():
        if binding.kind is BindingKind.ANNOTATION or is_foreign(binder, binding, scope):
            continue
        if binding.kind is BindingKind.PARAMETER and binding.scope is not scope:
            continue
        index = graph.point(binding.node)
        if index is not None:
            yield binding, index, is_certain(binder, binding, graph)
