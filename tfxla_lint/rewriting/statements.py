"""Lowers the edits of whole statements: insert, replace, remove, decorate."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import cast

import libcst as cst

from tfxla_lint.edits import (
    Decorate,
    InsertAfter,
    InsertBefore,
    NodeEdit,
    Remove,
    ReplaceDecorator,
    ReplaceStatements,
    Statement,
)
from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.layout import Change, Layout, RewriteRefused
from tfxla_lint.semantics.syntax import walk

_STATEMENTS = (cst.SimpleStatementLine, cst.BaseCompoundStatement)
_DEFINITIONS = (cst.FunctionDef, cst.ClassDef)


class StatementLowering:
    """Turns the statement edits of one rewrite into text edits."""

    def __init__(self, layout: Layout, edits: Sequence[NodeEdit]) -> None:
        self._layout = layout
        self._removed = {id(e.statement) for e in edits if isinstance(e, Remove)}
        self._filled = {
            id(layout.tree.parent(e.statement))
            for e in edits
            if isinstance(e, (InsertBefore, InsertAfter))
        }
        self._replaced = set(self._removed)
        for edit in edits:
            if isinstance(edit, ReplaceStatements):
                self._replaced.update(id(s) for s in self._stretch(edit))

    def insert_before(self, edit: InsertBefore) -> Change:
        """Below the blank lines that lead the statement, above the comments that touch it."""
        statement = edit.statement
        siblings = self._siblings(statement)
        self._check_stays(self._layout.tree.parent(statement))
        self._check_single(statement)
        kept = list(_leading_lines(statement))
        while kept and kept[-1].comment is not None and not _begins_cell(kept[-1]):
            kept.pop()
        offset = self._layout.whole(kept[-1])[1] if kept else self._layout.whole(statement)[0]
        index = self._index(siblings, statement)
        before = siblings[index - 1] if index else None
        text = self._block(edit.new, self._indent(statement), before, _blanks_at_end(kept))
        if edit.new:
            text += self._blank_lines(edit.new[-1], statement, 0, self._indent(statement))
        return Change(Edit(offset, offset, text))

    def insert_after(self, edit: InsertAfter) -> Change:
        """Directly below the statement and what its block owns."""
        statement = edit.statement
        siblings = self._siblings(statement)
        self._check_stays(self._layout.tree.parent(statement))
        self._check_single(statement)
        offset = self._layout.whole(statement)[1]
        index = self._index(siblings, statement)
        after = siblings[index + 1] if index + 1 < len(siblings) else None
        text = self._around(edit.new, statement, after, self._indent(statement))
        if not self._layout.ends_line(offset):
            text = self._layout.newline + _without_newline(text)
        return Change(Edit(offset, offset, text))

    def replace(self, edit: ReplaceStatements) -> Change:
        """The stretch from the lines that lead `first` to the end of `last`."""
        siblings = self._siblings(edit.first)
        start, stop = self._index(siblings, edit.first), self._index(siblings, edit.last)
        for statement in siblings[start : stop + 1]:
            self._check_moved(statement, edit.new)
        if not edit.new:
            return self._emptied(siblings, start, stop)
        before = siblings[start - 1] if start else None
        after = siblings[stop + 1] if stop + 1 < len(siblings) else None
        text = self._around(edit.new, before, after, self._indent(edit.first))
        first, end = self._layout.whole(edit.first)[0], self._layout.whole(edit.last)[1]
        old = self._layout.text[first:end]
        text += self._layout.newline * (_empty_at_end(old) - _empty_at_end(text))
        if not self._layout.ends_line(end):
            text = _without_newline(text)
        return Change(Edit(first, end, text))

    def remove(self, edit: Remove) -> Change:
        """The statement's own lines; of the blank lines on both sides the larger number stays."""
        statement = edit.statement
        siblings = self._siblings(statement)
        self._check_single(statement)
        index = self._index(siblings, statement)
        parent = self._layout.tree.parent(statement)
        is_emptied = isinstance(parent, cst.IndentedBlock) and id(parent) not in self._filled
        is_last = index == len(siblings) - 1
        if is_emptied and is_last and all(id(s) in self._removed for s in siblings):
            return self._passed(statement)
        after = siblings[index + 1] if index + 1 < len(siblings) else None
        start, end = self._own_lines(statement, after)
        return Change(Edit(start, end, ""), self._trailing_comments(statement))

    def decorate(self, edit: Decorate) -> Change:
        """A new line directly above `def`, below the decorators that stand there."""
        self._siblings(edit.function)
        self._check_stays(edit.function)
        start = self._layout.syntactic(edit.function)[0]
        offset = start - len(self._indent(edit.function))
        text = self._layout.code([_decorator(edit.text)], self._indent(edit.function))
        return Change(Edit(offset, offset, text))

    def replace_decorator(self, edit: ReplaceDecorator) -> Change:
        """The decorator's expression; the `@` and a comment behind it stay."""
        start, end = self._layout.whole(edit.decorator.decorator)
        indent = self._layout.indent_at(start)
        text = self._layout.code([_decorator(edit.text).decorator], indent)
        return Change(Edit(start, end, text))

    # Where a statement stands

    def _siblings(self, statement: cst.CSTNode) -> Sequence[Statement]:
        """The statements of the block in which one stands, each on lines of its own."""
        parent = self._layout.tree.parent(statement)
        if not isinstance(statement, _STATEMENTS):
            raise RewriteRefused("the statement shares its line with the one that holds it")
        if not isinstance(parent, (cst.IndentedBlock, cst.Module)):
            raise RewriteRefused("an `elif` is no statement of its own")
        return cast("Sequence[Statement]", parent.body)

    def _index(self, siblings: Sequence[Statement], statement: Statement) -> int:
        index = bisect_left(siblings, self._begin(statement), key=self._begin)
        if index == len(siblings) or siblings[index] is not statement:
            raise TypeError("the statements of a stretch stand in different blocks")
        return index

    def _begin(self, statement: Statement) -> int:
        return self._layout.syntactic(statement)[0]

    def _stretch(self, edit: ReplaceStatements) -> Sequence[Statement]:
        siblings = self._siblings(edit.first)
        start, stop = self._index(siblings, edit.first), self._index(siblings, edit.last)
        if stop < start:
            raise TypeError("the last statement of a stretch stands before the first one")
        return siblings[start : stop + 1]

    def _check_stays(self, node: cst.CSTNode | None) -> None:
        """What an edit is put into or beside may not be replaced as a part of something else."""
        while node is not None:
            if id(node) in self._replaced:
                raise RewriteRefused("two edits of the rewrite overlap")
            node = self._layout.tree.parent(node)

    def _check_single(self, statement: Statement) -> None:
        if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) > 1:
            raise RewriteRefused("several statements share the line")

    def _check_moved(self, statement: Statement, new: Sequence[Statement]) -> None:
        """Of several statements on a line none may be lost by an edit that means one of them."""
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) == 1:
            return
        kept = {id(s) for root in new for line in _simple_lines(root) for s in line.body}
        if any(id(small) not in kept for small in statement.body):
            raise RewriteRefused("several statements share the line")

    def _indent(self, statement: Statement) -> str:
        return self._layout.indent_at(self._layout.syntactic(statement)[0])

    # Code of new statements, with the blank lines around definitions

    def _around(
        self,
        new: Sequence[Statement],
        before: Statement | None,
        after: Statement | None,
        indent: str,
    ) -> str:
        text = self._block(new, indent, before, 0)
        if after is not None and new:
            blanks = _blanks_at_start(_leading_lines(after))
            if any(map(_begins_cell, _leading_lines(after))):
                return text
            text += self._blank_lines(new[-1], after, blanks, indent)
        return text

    def _block(
        self,
        new: Sequence[Statement],
        indent: str,
        before: Statement | None,
        blanks: int,
    ) -> str:
        """The code of `new`, below `before` and the blank lines that follow that."""
        parts: list[str] = []
        for previous, statement in zip([before, *new], new, strict=False):
            own = _blanks_at_start(_leading_lines(statement))
            known = own + (blanks if previous is before else 0)
            if previous is not None:
                parts.append(self._blank_lines(previous, statement, known, indent))
            parts.append(self._layout.code([statement], indent))
        return "".join(parts)

    def _blank_lines(self, above: Statement, below: Statement, known: int, indent: str) -> str:
        """The blank lines that two neighbours still lack, where one of them is a definition."""
        if not isinstance(above, _DEFINITIONS) and not isinstance(below, _DEFINITIONS):
            return ""
        wanted = 1 if indent else 2
        return self._layout.newline * max(wanted - known, 0)

    # Removal

    def _own_lines(self, statement: Statement, after: Statement | None) -> tuple[int, int]:
        """Without the blank lines above, as far as there are others below, or nothing is; in a
        block that now begins below, without those."""
        start, end = self._layout.whole(statement)
        lines = _leading_lines(statement)
        surplus = _blanks_at_end(lines)
        parent = self._layout.tree.parent(statement)
        if id(parent) in self._filled:
            surplus = 0
        elif after is not None:
            siblings = self._siblings(statement)
            above = siblings[: self._index(siblings, statement)]
            below = _blanks_at_start(_leading_lines(after))
            is_first = surplus == len(lines) and all(id(s) in self._removed for s in above)
            if not is_first or isinstance(parent, cst.Module):
                surplus = min(surplus, below)
            elif below and id(after) not in self._removed:
                end = self._layout.whole(_leading_lines(after)[below - 1])[1]
        kept = len(lines) - surplus
        return (self._layout.whole(lines[kept - 1])[1] if kept else start), end

    def _emptied(self, siblings: Sequence[Statement], start: int, stop: int) -> Change:
        """A stretch without anything in its place."""
        first, last = siblings[start], siblings[stop]
        offset, end = self._layout.whole(first)[0], self._layout.whole(last)[1]
        parent = self._layout.tree.parent(first)
        is_filled = len(siblings) > stop - start + 1 or id(parent) in self._filled
        if is_filled or isinstance(parent, cst.Module):
            return Change(Edit(offset, end, ""))
        text = self._indent(first) + "pass"
        text += self._layout.newline if self._layout.ends_line(end) else ""
        return Change(Edit(offset, end, text))

    def _passed(self, statement: Statement) -> Change:
        """`pass` in the place of the only statement of a block."""
        start = self._layout.syntactic(statement)[0]
        if isinstance(statement, _DEFINITIONS) and statement.decorators:
            start = self._layout.syntactic(statement.decorators[0])[0]
        end = self._layout.whole(statement)[1]
        newline = self._layout.newline if self._layout.ends_line(end) else ""
        return Change(Edit(start, end, f"pass{newline}"), self._trailing_comments(statement))

    def _trailing_comments(self, statement: Statement) -> frozenset[tuple[int, int]]:
        """Where the comments behind a statement, and behind those inside of it, stand."""
        return frozenset(
            self._layout.syntactic(line.trailing_whitespace.comment)
            for line in _simple_lines(statement)
            if line.trailing_whitespace.comment is not None
        )


def _leading_lines(statement: Statement) -> Sequence[cst.EmptyLine]:
    return statement.leading_lines


def _begins_cell(line: cst.EmptyLine) -> bool:
    """Whether a line begins a cell, of a notebook or of a script in the percent format."""
    return line.comment is not None and line.comment.value.startswith("# %%")


def _blanks_at_start(lines: Sequence[cst.EmptyLine]) -> int:
    count = 0
    while count < len(lines) and lines[count].comment is None:
        count += 1
    return count


def _blanks_at_end(lines: Sequence[cst.EmptyLine]) -> int:
    return _blanks_at_start(list(reversed(lines)))


def _empty_at_end(text: str) -> int:
    """How many blank lines end a text, such as the block of its last statement owns."""
    return sum(1 for _ in takewhile(str.isspace, reversed(text.splitlines(keepends=True))))


def _without_newline(text: str) -> str:
    if text.endswith("\r\n"):
        return text[:-2]
    return text[:-1] if text.endswith(("\n", "\r")) else text


def _decorator(text: str) -> cst.Decorator:
    try:
        function = cst.parse_statement(f"@{text.strip()}\ndef f(): pass\n")
    except cst.ParserSyntaxError as error:
        raise TypeError(f"not a decorator: {text}") from error
    if not isinstance(function, cst.FunctionDef) or len(function.decorators) != 1:
        raise TypeError(f"not a decorator: {text}")
    return function.decorators[0]


def _simple_lines(
    statement: cst.CSTNode,
) -> Iterator[cst.SimpleStatementLine | cst.SimpleStatementSuite]:
    for node in walk(statement):
        if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
            yield node
