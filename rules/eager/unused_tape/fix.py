"""Puts the block of a `with` statement in its place."""

from __future__ import annotations

import re
from collections.abc import Collection

import libcst as cst

from tfxla_lint.edits import ReplaceStatements, Statement, is_statement

#: Comments that tell another tool about their line alone, and below which they would say more.
_OF_ITS_LINE = re.compile(
    r"#\s*(noqa\b|[\w-]+:\s*(disable|ignore|no[ -]?cover|skip))", re.IGNORECASE
)


def without_with(
    statement: cst.With, dropped: Collection[cst.CSTNode] = ()
) -> ReplaceStatements | None:
    """The statements of the block, dedented; `dropped` are calls whose own lines go too.

    None where the block stands on the line of the `with`, where nothing of it would be left, where a call
    that is to go is more than a line of the block, or where a string would come to document the function.
    """
    if not isinstance(statement.body, cst.IndentedBlock):
        return None
    lines = [line for line in statement.body.body if is_statement(line)]
    gone = [line for line in lines if _is_only(line, dropped)]
    kept: list[Statement] = [line for line in lines if line not in gone]
    if not kept or len(gone) != len(dropped) or any(map(_has_comment, gone)):
        return None
    if _is_string(kept[0]):
        return None
    head = [*statement.leading_lines]
    beside = statement.body.header.comment
    if beside is not None and _OF_ITS_LINE.match(beside.value):
        moved = _beside(kept[0], statement.body.header)
        if moved is None:
            return None
        kept[0] = moved
    elif beside is not None:
        head.append(cst.EmptyLine(comment=beside))
    kept[0] = kept[0].with_changes(leading_lines=[*head, *kept[0].leading_lines])
    if any(row.comment is not None for row in statement.body.footer):
        return None
    return ReplaceStatements(statement, statement, kept)


def _is_string(line: Statement) -> bool:
    first = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(first, cst.Expr) and isinstance(
        first.value, (cst.SimpleString, cst.ConcatenatedString)
    )


def _beside(line: Statement, trailing: cst.TrailingWhitespace) -> Statement | None:
    """A line with a comment behind it; None where there is one already."""
    if not isinstance(line, cst.SimpleStatementLine) or line.trailing_whitespace.comment:
        return None
    return line.with_changes(trailing_whitespace=trailing)


def _is_only(line: Statement, calls: Collection[cst.CSTNode]) -> bool:
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    small = line.body[0]
    return isinstance(small, cst.Expr) and any(small.value is call for call in calls)


def _has_comment(line: Statement) -> bool:
    rows = [row.comment for row in line.leading_lines]
    if isinstance(line, cst.SimpleStatementLine):
        rows.append(line.trailing_whitespace.comment)
    return any(comment is not None for comment in rows)
