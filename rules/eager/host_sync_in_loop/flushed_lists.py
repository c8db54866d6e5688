"""Lists that a loop fills on every turn, and reads and empties again on every so many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.turns import is_rare

from .deferral import reads_of

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


def flushed_in(model: SemanticModel, holder: cst.Name, loop: Loop) -> Statement | None:
    """The statement before which the values of a list can be read, all at once.

    That is the first to read the list in a block that the loop comes to now and then, and that
    leaves it empty behind it; nothing else reads or binds the list, but for the empty list that it
    is elsewhere. So every part of it is read once, whatever leaves the loop.
    """
    unit = model.unit(holder)
    reads = reads_of(model, holder.value, unit)
    bindings = unit.scope.bindings.get(holder.value, [])
    is_own = model.binder.scope(holder).home(holder.value) is unit.scope
    if reads is None or unit.is_async or not is_own:
        return None
    emptied = [_emptied(model, binding) for binding in bindings]
    others = [read for read in reads if read is not holder]
    if not others or any(statement is None for statement in emptied):
        return None
    for statement in emptied:
        block = model.parent(statement) if statement is not None else None
        if not isinstance(block, cst.IndentedBlock) or not _is_now_and_then(model, block, loop):
            continue
        lines = [line for line in block.body if is_statement(line)]
        above = lines[: next(at for at, line in enumerate(lines) if line is statement)]
        inside = {id(node): line for line in above for node in walk(line)}
        if all(id(read) in inside for read in others) and not _leaves(above):
            first = min(others, key=lambda read: above.index(inside[id(read)]))
            return inside[id(first)]
    return None


def _is_now_and_then(model: SemanticModel, block: cst.IndentedBlock, loop: Loop) -> bool:
    """Whether a block is that of an `if` of this very loop, which holds on some turns only."""
    condition = model.parent(block)
    return (
        isinstance(condition, cst.If)
        and model.loops.around(block, model.unit(loop))[-1:] == [loop]
        and is_rare(model, block, loop)
    )


def _emptied(model: SemanticModel, binding: Binding) -> Statement | None:
    """The statement by which a binding makes a name an empty list, and does nothing else."""
    target = model.parent(binding.node)
    assignment = model.parent(target) if isinstance(target, cst.AssignTarget) else None
    if not isinstance(assignment, cst.Assign) or len(assignment.targets) != 1:
        return None
    if not is_empty_list(model, assignment.value):
        return None
    line = model.parent(assignment)
    is_alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    return line if is_alone and isinstance(line, cst.SimpleStatementLine) else None


def _leaves(statements: list[Statement]) -> bool:
    """Whether something may leave a block between its statements, other than an exception."""
    leaving = (cst.Return, cst.Break, cst.Continue, cst.Yield, cst.Await)
    return any(isinstance(node, leaving) for node in _parts(statements))


def _parts(statements: list[Statement]) -> Iterator[cst.CSTNode]:
    for statement in statements:
        yield from walk(statement, into_scopes=False)


def is_empty_list(model: SemanticModel, start: cst.BaseExpression) -> bool:
    """`[]`, `list()`."""
    if isinstance(start, cst.Call):
        return model.names.one(start.func) == "builtins.list" and not start.args
    return isinstance(start, cst.List) and not start.elements
