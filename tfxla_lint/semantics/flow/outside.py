"""Which names of a scope code reads that stands elsewhere, or that asks for them by texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.flow.attributes import Attributes
from tfxla_lint.semantics.flow.uses import running_scope
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.scopes import Scope, ScopeKind

_LOOKING = behaviour.names(Trait.LOOKS)
_BY_NAME = behaviour.names(Trait.BY_NAME)
_OF_MODULE = _LOOKING - {"builtins.locals", "builtins.vars"}


class Outside:
    """Answers for the scopes of some modules; each module's code is looked through once."""

    def __init__(self, binders: Sequence[Binder], names: Names, attributes: Attributes) -> None:
        self._names = names
        self._attributes = attributes
        self._texts = {text for binder in binders for text in self._asked_by_text(binder)}
        self._told = {id(scope) for binder in binders for scope in self._looked_at(binder)}
        self._imported: dict[int, set[str]] = {}
        for binder in binders:
            for member in self._members(binder):
                if member.scope is not binder.module_scope:
                    self._imported.setdefault(id(member.scope), set()).add(member.name)

    def reads(self, scope: Scope) -> frozenset[str]:
        """The names of `scope` that other modules read, or that `locals()` and the like may tell."""
        if id(scope) in self._told:
            return frozenset(scope.bindings)
        if scope.kind is not ScopeKind.MODULE:
            return frozenset()
        found = {name for name in scope.bindings if self._is_asked_for(Member(scope, name))}
        return frozenset(found | self._imported.get(id(scope), set()))

    def _is_asked_for(self, member: Member) -> bool:
        """Whether any module reads a name of another one as an attribute, or by a text."""
        if member.name in self._texts:
            return True
        nodes = self._attributes.named(member.name)
        return any(self._names.member(node) == member for node in nodes)

    def _asked_by_text(self, binder: Binder) -> Iterator[str]:
        """The texts by which a module asks something for an attribute."""
        for call in binder.nodes(cst.Call):
            if self._names.of(call.func) & _BY_NAME and len(call.args) > 1:
                text = call.args[1].value
                if isinstance(text, cst.SimpleString) and isinstance(text.evaluated_value, str):
                    yield text.evaluated_value

    def _looked_at(self, binder: Binder) -> Iterator[Scope]:
        """The scopes of a module whose names some call may tell."""
        for call in binder.nodes(cst.Call):
            asked = self._names.of(call.func) & _LOOKING
            if asked and not (call.args and "builtins.vars" in asked):
                yield running_scope(binder.scope(call))
                if asked & _OF_MODULE:
                    yield binder.module_scope

    def _members(self, binder: Binder) -> Iterator[Member]:
        """What a module imports of others, each name by itself or all by a star."""
        for scope in (binder.module_scope, *binder.inner_scopes.values()):
            bindings = (
                b for each in scope.bindings.values() for b in each if b.imported is not None
            )
            targets = {self._names.target(binding) for binding in bindings}
            if binder.module_scope.star_imports:
                unbound = (name for name in scope.reads if scope.home(name) is None)
                targets |= {self._names.starred(name, scope) for name in unbound}
            yield from (target for target in targets if isinstance(target, Member))
