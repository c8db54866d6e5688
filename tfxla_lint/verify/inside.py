"""Which statements were rewritten, where a function or a block as a whole was not.

A run that comes to none of them shows nothing of the rewrite.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tfxla_lint.differences import differences
from tfxla_lint.verify.changes import MODULE, key_of
from tfxla_lint.verify.trees import Tree, first_line

_BLOCKS = ("body", "orelse", "finalbody")
_PARTS = ("handlers", "cases")
_EXITS = (ast.Break, ast.Continue, ast.Return, ast.Raise)


class Change(NamedTuple):
    """A statement of the original, one of the rewritten version, or one in place of the other.

    `come_to` is what a run of the original comes to where it comes to the change.
    """

    old: ast.stmt | None
    new: ast.stmt | None
    come_to: ast.stmt


def changed_inside(old: Tree, new: Tree, name: str) -> tuple[int, ...]:
    """The lines of the original on which a changed statement is come to.

    None where every call comes to a change, or where a note has no place.
    """
    before, after = old.functions[name], new.functions[name]
    if head_of(before) != head_of(after):
        return ()
    found = [change.come_to for change in changes_inside(before.body, after.body)]
    lines = old.text.split("\n")
    if not found or before.body[0] in found or not all(has_place(s, lines) for s in found):
        return ()
    return tuple(sorted({first_line(statement) for statement in found}))


def changes_inside(old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> Iterator[Change]:
    """The innermost statements of a block that differ; where one is new, the block's first."""
    keys = [[key_of(statement) for statement in block] for block in (old, new)]
    for i1, i2, j1, j2 in differences(*keys):
        if i1 == i2:
            yield from (Change(None, statement, old[0]) for statement in new[j1:j2])
        elif i2 - i1 == j2 - j1:
            for left, right in zip(old[i1:i2], new[j1:j2], strict=True):
                yield from _of_statement(left, right)
        else:
            yield from (Change(statement, None, statement) for statement in old[i1:i2])
            yield from (Change(None, statement, old[i1]) for statement in new[j1:j2])


def crossed_conditions(old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> Iterator[ast.If]:
    """The conditions, in either version, that something moved past, or that moved past something.

    Whether what is done under them comes before or after shows only in a run that comes to it: that
    leaves the block, or has to do with the same objects.
    """
    heads = [[head_of(statement) for statement in block] for block in (old, new)]
    shared = [h for h in heads[0] if heads[0].count(h) == heads[1].count(h) == 1]
    for head in shared:
        at = [block.index(head) for block in heads]
        both = (old[at[0]], new[at[1]])
        before = [{h for h in shared if heads[side].index(h) < at[side]} for side in (0, 1)]
        passed = [old[heads[0].index(head)] for head in before[0] ^ before[1]]
        for statement in both if passed else ():
            if isinstance(statement, ast.If) and (
                isinstance(statement.body[-1], _EXITS)
                or any(_about(statement) & _about(other) for other in passed)
            ):
                yield statement
        for blocks in zip(*map(blocks_of, both), strict=False):
            yield from crossed_conditions(*blocks)


def _about(statement: ast.stmt) -> set[str]:
    """The names and attributes that a statement has to do with, apart from what it calls."""
    nodes = list(ast.walk(statement))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    held = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    attributes = [n for n in nodes if isinstance(n, ast.Attribute) and id(n) not in called]
    owners = [n.func.value for n in nodes if isinstance(n, ast.Call) and hasattr(n.func, "value")]
    names = [n for n in [*nodes, *owners] if isinstance(n, ast.Name)]
    plain = {n.id for n in names if id(n) not in called | held or n in owners}
    return plain | {f".{node.attr}" for node in attributes}


def _of_statement(old: ast.stmt, new: ast.stmt) -> Iterator[Change]:
    left, right = blocks_of(old), blocks_of(new)
    are_alike = [bool(b) for b in left] == [bool(b) for b in right]
    if not any(left) or not are_alike or head_of(old) != head_of(new):
        yield Change(old, new, old)
        return
    for a, b in zip(left, right, strict=True):
        if a:
            yield from changes_inside(a, b)


def statements_of(tree: Tree, unit: str) -> list[ast.stmt]:
    """The statements of a function, or those at module level, with all in their blocks."""
    if unit != MODULE:
        return list(nested(tree.functions[unit].body)) if unit in tree.functions else []
    own = [s.node for s in tree.statements if not s.is_definition]
    return list(nested(own))


def nested(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block with all in their blocks, docstrings aside."""
    for statement in body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_text:
            yield statement
        for block in blocks_of(statement):
            yield from nested(block)


def blocks_of(node: ast.AST) -> list[list[ast.stmt]]:
    """The blocks of a statement."""
    found = [getattr(node, name, []) for name in _BLOCKS]
    for part in (part for name in _PARTS for part in getattr(node, name, [])):
        found += blocks_of(part)
    return found


def head_of(node: ast.AST) -> str:
    """What a statement is, without the statements in it."""
    rest = {name: value for name, value in ast.iter_fields(node) if name not in _BLOCKS}
    words = [type(node).__name__]
    for name, value in rest.items():
        if name in _PARTS:
            words += [head_of(part) for part in value]
        else:
            values = value if isinstance(value, list) else [value]
            words += [ast.dump(v) if isinstance(v, ast.AST) else repr(v) for v in values]
    return " ".join(words)


def has_place(statement: ast.stmt, lines: Sequence[str]) -> bool:
    """Whether a line before the statement would belong to its block."""
    number = first_line(statement)
    line, above = lines[number - 1], lines[number - 2] if number > 1 else ""
    starts = not line[: statement.col_offset].strip() and not line.lstrip().startswith("elif")
    return starts and not above.rstrip().endswith("\\")
