"""Which statements of a function were rewritten, where the function as a whole was not.

A run of the function that comes to none of them shows nothing of the rewrite.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Sequence

from tfxla_lint.verify.changes import key_of
from tfxla_lint.verify.trees import Tree, first_line

_BLOCKS = ("body", "orelse", "finalbody")
_PARTS = ("handlers", "cases")


def changed_inside(old: Tree, new: Tree, name: str) -> tuple[int, ...]:
    """The lines of the original before which a note says that a changed statement is come to.

    None where every call comes to a change, or where a note has no place.
    """
    before, after = old.functions[name], new.functions[name]
    if _head(before) != _head(after):
        return ()
    found = list(_of_blocks(before.body, after.body))
    lines = old.text.split("\n")
    if not found or before.body[0] in found or not all(_has_place(s, lines) for s in found):
        return ()
    return tuple(sorted({first_line(statement) for statement in found}))


def _of_blocks(old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The innermost statements of a block that differ; where one is new, the block's first."""
    keys = [[key_of(statement) for statement in block] for block in (old, new)]
    matcher = difflib.SequenceMatcher(None, keys[0], keys[1], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "insert":
            yield old[0]
        elif tag != "equal" and i2 - i1 == j2 - j1:
            for left, right in zip(old[i1:i2], new[j1:j2], strict=True):
                yield from _of_statement(left, right)
        elif tag != "equal":
            yield from old[i1:i2]


def _of_statement(old: ast.stmt, new: ast.stmt) -> Iterator[ast.stmt]:
    left, right = _blocks(old), _blocks(new)
    are_alike = [bool(b) for b in left] == [bool(b) for b in right]
    if not any(left) or not are_alike or _head(old) != _head(new):
        yield old
        return
    for a, b in zip(left, right, strict=True):
        if a:
            yield from _of_blocks(a, b)


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    found = [getattr(node, name, []) for name in _BLOCKS]
    for part in (part for name in _PARTS for part in getattr(node, name, [])):
        found += _blocks(part)
    return found


def _head(node: ast.AST) -> str:
    """What a statement is, without the statements in it."""
    rest = {name: value for name, value in ast.iter_fields(node) if name not in _BLOCKS}
    words = [type(node).__name__]
    for name, value in rest.items():
        if name in _PARTS:
            words += [_head(part) for part in value]
        else:
            values = value if isinstance(value, list) else [value]
            words += [ast.dump(v) if isinstance(v, ast.AST) else repr(v) for v in values]
    return " ".join(words)


def _has_place(statement: ast.stmt, lines: Sequence[str]) -> bool:
    """Whether a line before the statement would belong to its block."""
    number = first_line(statement)
    line, above = lines[number - 1], lines[number - 2] if number > 1 else ""
    starts = not line[: statement.col_offset].strip() and not line.lstrip().startswith("elif")
    return starts and not above.rstrip().endswith("\\")
