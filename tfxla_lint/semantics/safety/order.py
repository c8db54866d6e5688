"""Whether some code is over when other code first runs: a model is loaded, then asked in a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.project.layout import Place
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.turns import is_run_once
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def runs_before(model: Answers, first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether every way to `first` is surely over before any way to `second` begins.

    Seen are ways that start in one function, or one module's own code, that runs once.
    """
    unit = model.unit(first)
    if unit.is_module and _imports(model, model.unit(second).scope.module, unit.scope):
        return not _imports(model, unit.scope, model.unit(second).scope.module)
    if _is_start(model, unit, first):
        return _is_above_all(model, unit, first, second)
    edges = model.calls.untraced(unit)
    return bool(edges) and all(
        _is_start(model, edge.caller, edge.node)
        and _is_above_all(model, edge.caller, edge.node, second)
        for edge in edges
    )


def _imports(model: Answers, importing: Scope, imported: Scope) -> bool:
    """Whether a module imports another one, itself or through others: that one's code runs first."""
    return id(imported) in model.ask(_imported_by, importing)


def _imported_by(model: Answers, importing: Scope) -> frozenset[int]:
    """The scopes of the modules that a module imports, itself or through others, by identity."""
    pending, found = [importing], set[int]()
    while pending:
        for bindings in pending.pop().bindings.values():
            for binding in bindings:
                target = model.names.target(binding) if binding.imported is not None else None
                scope = target.scope if isinstance(target, Member) else None
                if isinstance(target, Place):
                    scope = model.names.scope_of(target)
                if scope is not None and id(scope) not in found:
                    found.add(id(scope))
                    pending.append(scope)
    return frozenset(found)


def _is_start(model: Answers, unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a unit runs `node` at most once, as a program does on its way."""
    is_plain = unit.is_module or not (unit.is_method or unit.is_lambda)
    is_turned = bool(model.loops.around(node, unit)) or _is_target_of_loop(model, node)
    return is_plain and is_run_once(model, unit) and not is_turned


def _is_target_of_loop(model: Answers, node: cst.CSTNode) -> bool:
    """Whether each turn of a loop sets `node`, which stands in its head."""
    child = node
    for ancestor in model.ancestors(node):
        if isinstance(ancestor, (cst.For, cst.CompFor)):
            return ancestor.target is child
        if isinstance(ancestor, cst.BaseCompoundStatement):
            return False
        child = ancestor
    return False


def _is_above_all(model: Answers, start: Unit, node: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Whether `node` stands above `second`, or above every call in `start` that leads there.

    False where anything else leads there.
    """
    unit = model.unit(second)
    calls: list[cst.CSTNode] = [second] if unit is start else []
    pending, seen = ([] if unit is start else [unit]), {id(unit)}
    while pending:
        edges = model.calls.untraced(pending.pop())
        if not edges:
            return False
        for edge in edges:
            if edge.caller is start:
                calls.append(edge.node)
            elif id(edge.caller) not in seen:
                seen.add(id(edge.caller))
                pending.append(edge.caller)
    order = {id(inner): index for index, inner in enumerate(walk(start.node))}
    places = [order.get(id(call), -1) for call in calls]
    return bool(places) and order.get(id(node), len(order)) < min(places)
