"""First-party imports: the modules and members of other files that names stand for."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.project.layout import INIT, Layout, Place
from tfxla_lint.semantics.links import Links
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope


@dataclass(frozen=True, slots=True)
class Member:
    """A name that is bound at the top of another module."""

    scope: Scope
    name: str


class FirstParty:
    """Resolves the imports of the modules that are analysed together, among themselves.

    `scopes` are the modules' scopes by file. What lies in a file that is not among them is
    outside: nothing is known of it but its dotted name.
    """

    def __init__(self, layout: Layout, scopes: Mapping[str, Scope], links: Links) -> None:
        self._layout = layout
        self._scopes = scopes
        self._links = links
        self._files = {id(scope): file for file, scope in scopes.items()}
        self._known: dict[int, Place | Member | None] = {}

    def of(self, binding: Binding) -> Place | Member | None:
        """The module or the member of a module that an import binds; None for what is outside."""
        key = id(binding)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._resolve(binding)
        return self._known[key]

    def is_in_package(self, scope: Scope) -> bool:
        """Whether a module is part of a package, which programs elsewhere may import."""
        folder = posixpath.dirname(self._files.get(id(scope), ""))
        return bool(folder) and f"{folder}/{INIT}" in self._layout.files

    def scope_of(self, place: Place) -> Scope | None:
        """The scope of the module that lies at `place`, where it is among those analysed."""
        return self._scopes.get(place.file) if place.file is not None else None

    def attribute(self, place: Place, name: str) -> Place | Member | None:
        """What `module.name` is: a submodule, or what the module binds."""
        scope = self.scope_of(place)
        if scope is not None and scope.exported(name):
            return self._through(scope, name)
        child = self._layout.child(place, name)
        if child is not None and self._is_within_reach(child):
            return child
        return self.by_star(scope, name) if scope is not None else None

    def by_star(self, scope: Scope, name: str) -> Member | None:
        """What a `from module import *` of this module makes of `name`."""
        return None if name.startswith("_") else self._by_star(scope, name, set())

    def _by_star(self, scope: Scope, name: str, seen: set[int]) -> Member | None:
        file = self._files.get(id(scope))
        if file is None or id(scope) in seen:
            return None
        seen.add(id(scope))
        for base in reversed(scope.star_imports):
            place = self._layout.find(base, file)
            source = self.scope_of(place) if place is not None else None
            if source is None:
                continue
            if source.exported(name):
                return Member(source, name)
            found = self._by_star(source, name, seen)
            if found is not None:
                return found
        return None

    def starring(self, scope: Scope) -> list[Scope]:
        """The modules that get the names of this one by `from module import *`."""
        found = [scope]
        for source in found:
            for other, file in ((s, self._files[id(s)]) for s in self._scopes.values()):
                places = (self._layout.find(base, file) for base in other.star_imports)
                if other not in found and any(p and self.scope_of(p) is source for p in places):
                    found.append(other)
        return found[1:]

    def _resolve(self, binding: Binding) -> Place | Member | None:
        file = self._files.get(id(binding.scope.module))
        if file is None or not binding.imported:
            return None
        if not isinstance(self._links.parent(binding.node), cst.ImportFrom):
            place = self._layout.find(binding.imported, file)
            return place if place is not None and self._is_within_reach(place) else None
        base, name = _split(binding.imported)
        place = self._layout.find(base, file)
        if place is None:
            return None
        child = self._layout.child(place, name)
        if child is not None and self.scope_of(place) is binding.scope.module:
            # `from . import name` in a package binds its own name to the submodule.
            return child if self._is_within_reach(child) else None
        return self.attribute(place, name)

    def _through(self, scope: Scope, name: str) -> Place | Member:
        """A member, or the module that it is, where the member was imported itself."""
        bindings = scope.exported(name)
        if all(binding.kind is BindingKind.IMPORT for binding in bindings):
            targets = [self.of(binding) for binding in bindings]
            if targets and isinstance(targets[0], Place) and _are_same(targets):
                return targets[0]
        return Member(scope, name)

    def _is_within_reach(self, place: Place) -> bool:
        """Whether something of a module or package is analysed."""
        if place.file in self._scopes:
            return True
        if place.folder is None:
            return False
        prefix = place.folder + "/" if place.folder else ""
        return any(file.startswith(prefix) for file in self._scopes)


def _are_same(targets: Iterable[object]) -> bool:
    return len(set(targets)) == 1


def _split(imported: str) -> tuple[str, str]:
    """The module and the name of `from module import name`."""
    name = imported.rpartition(".")[2]
    base = imported[: -len(name)]
    return (base if not base.strip(".") else base[:-1]), name
