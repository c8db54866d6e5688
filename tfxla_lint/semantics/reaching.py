"""Reaching definitions: which binding a read of a name surely sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope, ScopeKind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_BODIES = (cst.IndentedBlock, cst.SimpleStatementSuite, cst.SimpleStatementLine, cst.Module)


def definition(model: SemanticModel, name: cst.Name) -> Binding | None:
    """The one binding whose value a read of `name` surely sees; None where several may reach it.

    An outer name (a global, a closure's) has such a binding only where it is bound once.
    """
    home = model.binder.scope(name).home(name.value)
    if home is None or home.kind is ScopeKind.COMPREHENSION:
        return None
    bindings = home.bindings[name.value]
    if home is not model.binder.scope(name).function:
        return bindings[0] if len(bindings) == 1 else None
    return _Search(model, home, bindings).before(name)


def definition_at(model: SemanticModel, name: cst.Name, node: cst.CSTNode) -> Binding | None:
    """As `definition`, for a local name as a read of it just before `node` would see it."""
    home = model.binder.scope(name).home(name.value)
    if home is None or home is not model.binder.scope(node).function:
        return None
    return _Search(model, home, home.bindings[name.value]).before(node)


class _Search:
    """Looks for the last binding of one name on the way to a node of its own function."""

    def __init__(self, model: SemanticModel, home: Scope, bindings: Sequence[Binding]) -> None:
        self._model = model
        self._home = home
        self._bindings = bindings
        self._around = {
            id(b): {id(b.node), *(id(node) for node in model.ancestors(b.node))} for b in bindings
        }

    def before(self, node: cst.CSTNode) -> Binding | None:
        child, parent = node, self._model.parent(node)
        while parent is not None:
            if isinstance(parent, _BODIES):
                inside = self._among(_until(parent.body, child))
                if inside is not None:
                    return self._last(inside)
            if parent is self._home.node:
                return self._parameter()
            if isinstance(parent, (cst.For, cst.While)) and child is not parent.orelse:
                if self._inside(parent):
                    return self._target(parent)
            if isinstance(parent, (cst.Try, cst.TryStar)) and child is not parent.body:
                if self._inside(parent):
                    return None
            child, parent = parent, self._model.parent(parent)
        return None

    def _inside(self, node: cst.CSTNode) -> list[Binding]:
        """The bindings at or below a node."""
        return [b for b in self._bindings if id(node) in self._around[id(b)]]

    def _among(self, statements: Sequence[cst.CSTNode]) -> cst.CSTNode | None:
        """The last of some statements that binds the name."""
        return next((s for s in reversed(statements) if self._inside(s)), None)

    def _last(self, statement: cst.CSTNode) -> Binding | None:
        """The binding that is in force after a statement, where it surely is."""
        found = self._inside(statement)
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            return found[-1] if found[-1].node is statement else None
        if isinstance(statement, cst.With):
            inner = self._among(statement.body.body)
            return found[-1] if inner is None else self._last(inner)
        if isinstance(statement, cst.SimpleStatementLine):
            inner = self._among(statement.body)
            return self._last(inner) if inner is not None else None
        if isinstance(statement, cst.BaseCompoundStatement):
            return None
        return found[-1] if found[-1].kind is not BindingKind.DELETE else None

    def _target(self, loop: cst.For | cst.While) -> Binding | None:
        """What a loop's turns begin with: its target, unless the body may have bound the name."""
        found = self._inside(loop)
        if isinstance(loop, cst.While) or len(found) != 1:
            return None
        return found[0] if id(loop.target) in self._around[id(found[0])] else None

    def _parameter(self) -> Binding | None:
        found = [b for b in self._bindings if b.kind is BindingKind.PARAMETER]
        return found[0] if found else None


def _until(statements: Sequence[cst.CSTNode], child: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The statements before the one that is, or holds, `child`."""
    for index, statement in enumerate(statements):
        if statement is child:
            return statements[:index]
    return statements


def assigned_value(model: SemanticModel, binding: Binding) -> tuple[cst.BaseExpression, int] | None:
    """The expression that an assignment unpacks, and which of its members the binding gets.

    For `a, b = value` the member is 0 for `a` and 1 for `b`; None for anything less plain.
    """
    element = model.parent(binding.node)
    targets = model.parent(element) if isinstance(element, cst.Element) else None
    if not isinstance(targets, (cst.Tuple, cst.List)):
        return None
    target = model.parent(targets)
    statement = model.parent(target) if isinstance(target, cst.AssignTarget) else None
    if not isinstance(statement, cst.Assign):
        return None
    members = [e for e in targets.elements if not isinstance(e, cst.StarredElement)]
    if len(members) != len(targets.elements):
        return None
    return statement.value, next(i for i, e in enumerate(targets.elements) if e is element)


def only_return(model: SemanticModel, call: cst.Call) -> cst.BaseExpression | None:
    """What a call of a first-party function returns, where that has a single `return`."""
    callees = model.callees(call)
    if len(callees) != 1:
        return None
    unit = callees[0].unit
    if isinstance(unit.node, cst.Lambda):
        return unit.node.body
    returns = [node for node in unit.nodes(into_scopes=False) if isinstance(node, cst.Return)]
    return returns[0].value if len(returns) == 1 else None
