"""Scopes and bindings: which statement gives a name its meaning."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum

import libcst as cst

from tfxla_lint.identity import ByIdentity


class ScopeKind(Enum):
    """What opens a scope."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    COMPREHENSION = "comprehension"


class BindingKind(ByIdentity):
    """How a name gets its meaning."""

    IMPORT = "import"
    FUNCTION = "function"
    CLASS = "class"
    PARAMETER = "parameter"
    ASSIGNMENT = "assignment"
    AUGMENTED = "augmented assignment"
    FOR = "for target"
    WITH = "with target"
    EXCEPT = "except target"
    MATCH = "match capture"
    DELETE = "del"
    ANNOTATION = "bare annotation"


#: What gives a name a function or a class.
DEFINING = frozenset({BindingKind.FUNCTION, BindingKind.CLASS})


@dataclass(slots=True, eq=False)
class Binding:
    """One place that binds `name` in `scope`.

    `value` is the expression bound, where the whole of it is (`x = value`, not `x, y = value`).
    `imported` is the absolute dotted name that an import gives (with leading dots where relative).
    `is_of_main` says that it stands below the main guard of its module, which an import skips.
    """

    name: str
    kind: BindingKind
    node: cst.CSTNode
    scope: Scope
    value: cst.BaseExpression | None = None
    imported: str | None = None
    is_of_main: bool = False


@dataclass(slots=True, eq=False)
class Scope:
    """A region of names: the module, a class body, a function or lambda, a comprehension."""

    kind: ScopeKind
    node: cst.CSTNode
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    reads: dict[str, list[cst.Name]] = field(default_factory=dict)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    star_imports: list[str] = field(default_factory=list)
    #: Whether the code of no other function or class stands within it.
    is_leaf: bool = True
    _read: dict[str, set[int]] = field(default_factory=dict)
    _deleted: frozenset[str] | None = None
    _bound: dict[str, dict[int, list[Binding]]] = field(default_factory=dict)

    def part(self) -> None:
        """Forget what is bound here, which knows its scope, and what is read."""
        for known in (self.bindings, self.reads, self._bound):
            known.clear()

    @property
    def binds_outside(self) -> bool:
        """Whether `global` or `nonlocal` lets it bind names of other scopes."""
        return bool(self.global_names or self.nonlocal_names)

    @property
    def module(self) -> Scope:
        """The module's scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    @property
    def function(self) -> Scope:
        """The nearest enclosing function or module scope (this one, where it is one)."""
        scope = self
        while scope.kind in (ScopeKind.COMPREHENSION, ScopeKind.CLASS) and scope.parent:
            scope = scope.parent
        return scope

    def home(self, name: str) -> Scope | None:
        """The scope in which a read of `name` from here finds its bindings, or None."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            if name in scope.global_names:
                module = scope.module
                return module if name in module.bindings else None
            if name in scope.bindings and (first or scope.kind is not ScopeKind.CLASS):
                if name not in scope.nonlocal_names:
                    return scope
            if scope.kind is not ScopeKind.COMPREHENSION:
                first = False
            scope = scope.parent
        return None

    def is_read(self, node: cst.Name) -> bool:
        """Whether a name that stands in this scope is read there, once all of it is known."""
        known = self._read.get(node.value)
        if known is None:
            known = self._read[node.value] = {id(read) for read in self.reads.get(node.value, ())}
        return id(node) in known

    def bound_by(self, name: str, nodes: Collection[int]) -> list[Binding]:
        """The bindings of a name by the nodes with these ids, once all of the scope is known."""
        known = self._bound.get(name)
        if known is None:
            known = self._bound[name] = {}
            for binding in self.bindings.get(name, ()):
                known.setdefault(id(binding.node), []).append(binding)
        return [binding for node in nodes if node in known for binding in known[node]]

    @property
    def deleted(self) -> frozenset[str]:
        """The names that a `del` takes away, once all of the scope is known."""
        if self._deleted is None:
            kinds = ((name, b.kind) for name, found in self.bindings.items() for b in found)
            self._deleted = frozenset(n for n, kind in kinds if kind is BindingKind.DELETE)
        return self._deleted

    def exported(self, name: str) -> list[Binding]:
        """The bindings of a module's name that another module can get to see by importing it."""
        return [binding for binding in self.bindings.get(name, ()) if not binding.is_of_main]

    def lookup(self, name: str) -> list[Binding]:
        """All bindings that a read of `name` from here can mean; empty for builtins and unknowns."""
        home = self.home(name)
        return home.bindings[name] if home is not None else []
