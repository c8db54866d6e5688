"""Lists that a loop over the rows of a tensor fills, and that nothing reads but what stacks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import target_names, walk

from .tensor_rows import TensorRows

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


@dataclass(frozen=True)
class FilledByLoop:
    """The line that makes the list, the loop that fills it, and the lines above the `append`."""

    empty: cst.SimpleStatementLine
    loop: cst.For
    lines: list[cst.SimpleStatementLine]
    assignments: list[cst.Assign]


def filled_list(model: SemanticModel, rows: TensorRows) -> FilledByLoop | None:
    """The list behind `rows`, where the line below the loop stacks it and nothing else is kept.

    The turns bind names and append, no more, and nobody reads those names once the loop is over.
    Other modules may read the names of a module, so there the stack has to take the list's name.
    """
    loop, stacked = rows.turning, rows.call.args[0].value
    if not isinstance(loop, cst.For) or not isinstance(stacked, cst.Name):
        return None
    assignments = _assignments(loop)
    after = _next(model, loop)
    if assignments is None or after is None or statement_of(model, rows.call) is not after:
        return None
    empty = _empty_line(model, stacked, loop)
    if empty is None:
        return None
    unit = model.unit(loop)
    if unit.is_module and (assignments or not _takes_name(after, stacked.value)):
        return None
    bindings = unit.scope.bindings.get(stacked.value)
    if not bindings or bindings[0].scope is not unit.scope:
        return None
    appended = [n for n in walk(loop.body.body[-1]) if _is_name(n, stacked.value)]
    known = {id(stacked), *(id(node) for node in appended)}
    reads = (r for r in unit.scope.reads.get(stacked.value, ()) if id(r) not in known)
    if len(appended) != 1 or any(_may_see(model, read, empty) for read in reads):
        return None
    liveness = model.flow.liveness(unit.scope)
    bound = {name for a in assignments for name in target_names(a.targets[0].target)}
    bound |= set(target_names(loop.target))
    if bound & liveness.after(loop) or stacked.value in liveness.always_live():
        return None
    lines = [n for n in loop.body.body[:-1] if isinstance(n, cst.SimpleStatementLine)]
    return FilledByLoop(empty, loop, lines, assignments)


def _takes_name(statement: cst.CSTNode, name: str) -> bool:
    """Whether a line binds this name, and no other."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return False
    return target_names(small.targets[0].target) == [name]


def _is_name(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def _may_see(model: SemanticModel, read: cst.Name, empty: cst.SimpleStatementLine) -> bool:
    """Whether the list that a line makes may be what a name is read for."""
    binding = model.flow.reached(read).only
    return binding is None or statement_of(model, binding.node) is empty


def _assignments(loop: cst.For) -> list[cst.Assign] | None:
    """What the lines of the turns bind, above the last one, which appends."""
    found: list[cst.Assign] = []
    body = loop.body.body if isinstance(loop.body, cst.IndentedBlock) else ()
    for line in body[:-1]:
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
            return None
        if not isinstance(small, cst.Assign) or len(small.targets) != 1:
            return None
        if not isinstance(small.targets[0].target, cst.Name):
            return None
        found.append(small)
    last = body[-1] if body else None
    is_line = isinstance(last, cst.SimpleStatementLine) and len(last.body) == 1
    return found if is_line else None


def _next(model: SemanticModel, statement: cst.CSTNode) -> cst.CSTNode | None:
    """The statement below one in its block, where that is a single line."""
    return _neighbour(model, statement, 1)


def _neighbour(model: SemanticModel, statement: cst.CSTNode, step: int) -> cst.CSTNode | None:
    block = model.parent(statement)
    body = block.body if isinstance(block, (cst.IndentedBlock, cst.Module)) else ()
    index = next((i for i, s in enumerate(body) if s is statement), -1) + step
    found = body[index] if 0 <= index < len(body) else None
    is_line = isinstance(found, cst.SimpleStatementLine) and len(found.body) == 1
    return found if is_line else None


def _empty_line(
    model: SemanticModel, stacked: cst.Name, loop: cst.For
) -> cst.SimpleStatementLine | None:
    """`results = []` directly above the loop, or with lines between that do not know the name."""
    line = _neighbour(model, loop, -1)
    while line is not None:
        assert isinstance(line, cst.SimpleStatementLine)
        small = line.body[0]
        if isinstance(small, cst.Assign) and len(small.targets) == 1:
            target = small.targets[0].target
            if isinstance(target, cst.Name) and target.value == stacked.value:
                is_empty = isinstance(small.value, cst.List) and not small.value.elements
                return line if is_empty else None
        names = (node.value for node in walk(line) if isinstance(node, cst.Name))
        if stacked.value in names:
            return None
        line = _neighbour(model, line, -1)
    return None
