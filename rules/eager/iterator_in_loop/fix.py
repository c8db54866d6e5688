"""Puts statements that do not depend on the turns of a loop ahead of it."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, Remove, Statement
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import target_names, walk


def anchor_of(model: SemanticModel, node: cst.CSTNode) -> Statement | None:
    """The outermost loop around `node` in which nothing that it reads is bound."""
    scope = model.binder.scope(node)
    names = {
        name.value for name in walk(node) if isinstance(name, cst.Name) and _is_read(scope, name)
    }
    chosen: Loop | None = None
    for loop in reversed(model.loops.around(node, model.unit(node))):
        inside = {id(inner) for inner in walk(loop)}
        if any(id(b.node) in inside for name in names for b in scope.lookup(name)):
            break
        chosen = loop
    statement = statement_of(model, chosen) if chosen is not None else None
    return statement if isinstance(statement, cst.BaseCompoundStatement) else None


def _is_read(scope: Scope, name: cst.Name) -> bool:
    return any(read is name for read in scope.reads.get(name.value, ()))


def moved_ahead(model: SemanticModel, assign: cst.Assign, loop: Loop) -> list[NodeEdit]:
    """Move an assignment to names that nothing else binds out of the body of `loop`, or nothing."""
    line = model.parent(assign)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return []
    if line not in loop.body.body or len(assign.targets) != 1:
        return []
    names = target_names(assign.targets[0].target)
    scope = model.binder.scope(assign)
    is_plain = names and all(
        len(found := scope.lookup(name)) == 1 and found[0].scope is scope for name in names
    )
    anchor = anchor_of(model, assign.value)
    if not is_plain or anchor is None or any(row.comment is not None for row in line.leading_lines):
        return []
    return [InsertBefore(anchor, [line.with_changes(leading_lines=[])]), Remove(line)]
