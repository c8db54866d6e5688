"""Reaching definitions: which binding a read of a name surely sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.scopes import Binding, ScopeKind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


def definition(model: SemanticModel, name: cst.Name) -> Binding | None:
    """The one binding whose value a read of `name` surely sees; None where several may reach it."""
    home = model.binder.scope(name).home(name.value)
    if home is None or home.kind is ScopeKind.COMPREHENSION:
        return None
    return model.flow.reached(name).only


def definition_at(model: SemanticModel, name: cst.Name, node: cst.CSTNode) -> Binding | None:
    """As `definition`, for a local name as a read of it just before `node` would see it."""
    home = model.binder.scope(name).home(name.value)
    if home is None or home is not model.binder.scope(node).function:
        return None
    return model.flow.reaching(home).before(name.value, node).only


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
