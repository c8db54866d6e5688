"""A module's text as lowering sees it: ranges of nodes, lines, indentation, line endings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import dropwhile
from typing import Protocol

import libcst as cst

from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.codegen import code_for
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.positions import Positions
from tfxla_lint.source import Source

_NEWLINE = re.compile(r"\r\n?|\n")


class RewriteRefused(Exception):
    """A rewrite that cannot be written down here without harm; the message says why."""


class Tree(Protocol):
    """What lowering reads of the semantic model."""

    @property
    def module(self) -> cst.Module:
        """The parsed module."""
        ...

    @property
    def source(self) -> Source:
        """The text that was parsed."""
        ...

    @property
    def positions(self) -> Positions:
        """Where the nodes stand in the text."""
        ...

    @property
    def binder(self) -> Binder:
        """The names of the module."""
        ...

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds `node`."""
        ...


@dataclass(frozen=True)
class Change:
    """A text edit, and the comments in its stretch that are meant to go."""

    edit: Edit
    dropped: frozenset[tuple[int, int]] = field(default=frozenset())


def line_start(text: str, offset: int) -> int:
    """Where the line of an offset begins; only a line is searched for the rarer line end."""
    start = text.rfind("\n", 0, offset) + 1
    return max(start, text.rfind("\r", start, offset) + 1)


class Layout:
    """The text around the nodes of one module."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.text = tree.source.text
        self.newline = tree.source.newline
        self.positions = tree.positions
        if not self.positions.exact:
            raise RewriteRefused("the parser does not give the text of this file back exactly")

    def syntactic(self, node: cst.CSTNode) -> tuple[int, int]:
        """See `Positions.syntactic`."""
        return self.positions.syntactic(node)

    def whole(self, node: cst.CSTNode) -> tuple[int, int]:
        """See `Positions.whole`."""
        return self.positions.whole(node)

    def line_start(self, offset: int) -> int:
        """Where the line of an offset begins."""
        return line_start(self.text, offset)

    def indent_at(self, offset: int) -> str:
        """The indentation of the line of an offset."""
        start = self.line_start(offset)
        end = start
        while end < len(self.text) and self.text[end] in " \t\f":
            end += 1
        return self.text[start:end].rpartition("\f")[2]

    def is_first_on_line(self, offset: int) -> bool:
        """Whether only whitespace stands before an offset on its line."""
        return not self.text[self.line_start(offset) : offset].strip()

    def has_comment(self, start: int, end: int) -> bool:
        """Whether a comment stands between two offsets."""
        return bool(self.positions.comments(start, end))

    def ends_line(self, offset: int) -> bool:
        """Whether an offset is the start of a line, or of the file."""
        return offset == 0 or self.text[offset - 1] in "\r\n"

    def code(self, nodes: Iterable[cst.CSTNode], indent: str) -> str:
        """The code of nodes at an indentation, with the file's line endings."""
        code = code_for(nodes, [indent], self.tree.module.default_indent, self.newline)
        return self.with_newlines(code)

    def with_newlines(self, code: str) -> str:
        """`code` with the file's line endings, where the file has only one kind of them."""
        return _NEWLINE.sub(self.newline, code) if self._is_uniform else code

    @property
    def _is_uniform(self) -> bool:
        return _newlines(self.text) <= {self.newline}


@lru_cache(maxsize=1)
def _newlines(text: str) -> frozenset[str]:
    """The kinds of line ends of a file."""
    return frozenset(_NEWLINE.findall(text))


def without_blanks(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """The lines above a statement from the first comment on."""
    return list(dropwhile(lambda line: line.comment is None, lines))
