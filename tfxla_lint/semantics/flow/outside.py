"""Which names of a scope code reads that stands elsewhere, or that asks for them by texts."""

from __future__ import annotations

from collections.abc import Sequence

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
_OF_MODULE = _LOOKING - {"builtins.locals", "builtins.vars"}


def read_from_outside(
    binders: Sequence[Binder], names: Names, attributes: Attributes, scope: Scope
) -> frozenset[str]:
    """The names of `scope` that other modules read, or that `locals()` and the like may tell."""
    home = next(binder for binder in binders if binder.module_scope is scope.module)
    if any(_looks(names, home, call, scope) for call in home.nodes(cst.Call)):
        return frozenset(scope.bindings)
    if scope.kind is not ScopeKind.MODULE:
        return frozenset()
    others = [binder for binder in binders if binder is not home]
    found = {
        name
        for name in scope.bindings
        if any(names.member(node) == Member(scope, name) for node in attributes.named(name))
    }
    for other in others:
        found |= _imported(names, other, scope)
    return frozenset(found)


def _looks(names: Names, home: Binder, call: cst.Call, scope: Scope) -> bool:
    """Whether a call may tell of the names of a scope."""
    asked = names.of(call.func) & _LOOKING
    if not asked or (call.args and "builtins.vars" in asked):
        return False
    is_of_all = scope.kind is ScopeKind.MODULE and bool(asked & _OF_MODULE)
    return is_of_all or running_scope(home.scope(call)) is scope


def _imported(names: Names, other: Binder, scope: Scope) -> set[str]:
    """The names of a module that another one imports, each by itself or all by a star."""
    found = set()
    for inner in (other.module_scope, *other.inner_scopes.values()):
        bindings = (b for each in inner.bindings.values() for b in each if b.imported is not None)
        targets = {names.target(binding) for binding in bindings}
        if other.module_scope.star_imports:
            unbound = (name for name in inner.reads if inner.home(name) is None)
            targets |= {names.starred(name, inner) for name in unbound}
        found |= {t.name for t in targets if isinstance(t, Member) and t.scope is scope}
    return found
