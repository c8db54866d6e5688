"""Comments that silence findings: `noqa`, `tfxla-lint: ignore[...]`, `tfxla-lint: ignore-file[...]`.

`disable-file` says the same as `ignore-file`.

A comment speaks for the whole statement on whose lines it stands (for a compound statement: its
header with its decorators); an `ignore[...]` on its own line also for the statement below it.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from tfxla_lint.findings import OWN_PREFIX, Finding
from tfxla_lint.source import Source

#: Gives the codes that a word in a comment means, or None where it is no selector.
Expand = Callable[[str], "frozenset[str] | None"]

_NOQA = re.compile(r"#\s*(?P<word>noqa)\b(?:\s*:\s*(?=[A-Za-z])(?P<list>[^#]*))?", re.IGNORECASE)
_IGNORE = re.compile(
    r"#\s*tfxla-lint\s*:\s*(?P<word>ignore-file|disable-file|ignore)(?![\w-])"
    # A list that does not end names nothing, and not everything.
    r"(?:\s*\[(?P<list>[^\]#]*)\]|(?!\s*\[))",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_CODE = re.compile(r"[A-Za-z]+[0-9]+")


class Kind(Enum):
    """The three comments."""

    NOQA = "noqa"
    IGNORE = "ignore"
    IGNORE_FILE = "ignore-file"


@dataclass(frozen=True)
class Item:
    """One word of a comment's list, from offset `start`, and the codes that it means."""

    text: str
    start: int
    codes: frozenset[str] | None

    @property
    def end(self) -> int:
        """The offset behind the word."""
        return self.start + len(self.text)

    @property
    def is_ours(self) -> bool:
        """Whether the word is a code of this tool, or would be one."""
        return self.text.upper().startswith(OWN_PREFIX)


@dataclass
class Directive:
    """One suppression; `items` is empty where it silences everything.

    It stretches from `start` (its `#`) up to `end`, within a comment that ends at `comment_end`.
    `first_line` and `last_line` are those of the statement it speaks for. `used` collects the
    codes that it silenced.
    """

    kind: Kind
    items: tuple[Item, ...]
    start: int
    end: int
    comment_end: int
    line: int
    first_line: int
    last_line: int
    used: set[str] = field(default_factory=set)

    @property
    def is_blanket(self) -> bool:
        """Whether it names no rule and so silences all of them."""
        return not self.items

    def covers(self, finding: Finding) -> bool:
        """Whether it silences `finding`."""
        if self.kind is not Kind.IGNORE_FILE:
            if not self.first_line <= finding.span.line <= self.last_line:
                return False
        return self.is_blanket or any(finding.code in (item.codes or ()) for item in self.items)


@dataclass(frozen=True)
class Statement:
    """The lines of a statement; `open_lines` are those that can end in a comment."""

    first_line: int
    last_line: int
    open_lines: frozenset[int]


class Suppressions:
    """The suppressions of one file."""

    def __init__(self, directives: list[Directive]) -> None:
        self.directives = directives
        self._of_file = [d for d in directives if d.kind is Kind.IGNORE_FILE]
        #: Those of each statement, by its first line: no two statements share a line.
        self._by_line: dict[int, list[Directive]] = {}
        for directive in directives:
            if directive.kind is not Kind.IGNORE_FILE:
                self._by_line.setdefault(directive.first_line, []).append(directive)
        self._lines = sorted(self._by_line)

    def silences(self, finding: Finding) -> bool:
        """Whether a comment silences `finding`; remembers which did."""
        above = bisect_right(self._lines, finding.span.line)
        near = self._by_line[self._lines[above - 1]] if above else []
        covering = [d for d in (*self._of_file, *near) if d.covers(finding)]
        for directive in covering:
            directive.used.add(finding.code)
        return bool(covering)

    @classmethod
    def read(cls, source: Source, expand: Expand) -> Suppressions:
        """Find the suppressions of `source`, whose text must be valid Python."""
        lowered = source.text.lower()
        if "noqa" not in lowered and "tfxla-lint" not in lowered:
            return cls([])
        if not _speaks_to_us(source.text, expand):
            return cls([])
        layout = Layout.read(source)
        found: list[Directive] = []
        for comment in layout.comments:
            found.extend(_directives(comment, layout, expand))
        return cls(found)


@dataclass(frozen=True)
class Comment:
    """A comment: its text, where it starts, and whether it stands alone between statements."""

    text: str
    start: int
    line: int
    stands_alone: bool


@dataclass(frozen=True)
class Layout:
    """The statements and the comments of a file, as its tokens show them."""

    statements: tuple[Statement, ...]
    comments: tuple[Comment, ...]

    @classmethod
    def read(cls, source: Source) -> Layout:
        """The layout of `source`; an empty one where it cannot be split into tokens."""
        try:
            return _layout(source)
        except (tokenize.TokenError, SyntaxError):
            return cls((), ())

    def statement_at(self, line: int) -> Statement:
        """The statement on whose lines `line` lies, or the line itself."""
        index = bisect_right(self.statements, line, key=lambda s: s.first_line) - 1
        if index >= 0 and line <= self.statements[index].last_line:
            return self.statements[index]
        return Statement(line, line, frozenset())

    def statement_below(self, comment: Comment) -> Statement | None:
        """The statement right below a comment, with nothing but comment lines in between."""
        line = self._below.get(comment.line, comment.line + 1)
        statement = self.statement_at(line)
        return statement if statement.first_line == line and statement.open_lines else None

    @cached_property
    def _below(self) -> dict[int, int]:
        """For each line with nothing but a comment, the first one below it that is no such line."""
        found: dict[int, int] = {}
        for comment in reversed(self.comments):
            if comment.stands_alone:
                found[comment.line] = found.get(comment.line + 1, comment.line + 1)
        return found


_NO_CODE = {
    tokenize.NL,
    tokenize.COMMENT,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}


def _layout(source: Source) -> Layout:
    statements: list[Statement] = []
    comments: list[Comment] = []
    first: int | None = None
    decorated_from: int | None = None
    is_decorator = False
    open_lines: set[int] = set()
    for token in _tokens(source):
        line = token.start[0]
        if token.type == tokenize.COMMENT:
            start = source.line_starts[line - 1] + token.start[1]
            comments.append(Comment(token.string, start, line, first is None))
        if token.type in (tokenize.NL, tokenize.NEWLINE):
            open_lines.add(line)
        if token.type == tokenize.NEWLINE and first is not None:
            if is_decorator:
                decorated_from = decorated_from or first
            else:
                top = decorated_from or first
                lines = frozenset(n for n in open_lines if n >= top)
                statements.append(Statement(top, line, lines))
                decorated_from = None
            first = None
            is_decorator = False
        elif token.type not in _NO_CODE and first is None:
            first = line
            is_decorator = token.string == "@"
            if decorated_from is None:
                open_lines.clear()
    return Layout(tuple(statements), tuple(comments))


def _tokens(source: Source) -> Iterator[tokenize.TokenInfo]:
    """Tokens whose lines are those of `source`: line endings are made equal first."""
    text = source.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return tokenize.generate_tokens(io.StringIO(text, newline="\n").readline)


def _speaks_to_us(text: str, expand: Expand) -> bool:
    """Whether a text may hold a suppression that is no `noqa` with codes of other tools alone."""
    if _IGNORE.search(text):
        return True
    for match in _NOQA.finditer(text):
        items = _items(match, 0, Kind.NOQA, expand)
        if not items or any(item.codes is not None or item.is_ours for item in items):
            return True
    return False


def _directives(comment: Comment, layout: Layout, expand: Expand) -> Iterator[Directive]:
    for pattern in (_NOQA, _IGNORE):
        for match in pattern.finditer(comment.text):
            kind = Kind(match.group("word").lower().replace("disable", "ignore"))
            items = _items(match, comment.start, kind, expand)
            end = comment.start + match.end()
            if kind is Kind.NOQA:
                end = items[-1].end if items else comment.start + match.end("word")
            elif match.group("list") is not None and not items:
                continue
            statement = layout.statement_at(comment.line)
            if comment.stands_alone and kind is Kind.IGNORE:
                statement = layout.statement_below(comment) or statement
            yield Directive(
                kind,
                tuple(items),
                comment.start + match.start(),
                end,
                comment.start + len(comment.text),
                comment.line,
                statement.first_line,
                statement.last_line,
            )


def _items(match: re.Match[str], offset: int, kind: Kind, expand: Expand) -> list[Item]:
    """The words of a list. That of a `noqa` ends at the first word that is neither code nor name."""
    found: list[Item] = []
    listed = match.group("list") or ""
    start = offset + max(match.start("list"), 0)
    for word in _ITEM.finditer(listed):
        text = word.group()
        codes = expand(text)
        gap = listed[found[-1].end - start : word.start()] if found else ""
        if kind is Kind.NOQA and (
            (codes is None and not _CODE.fullmatch(text)) or gap.strip(" \t,")
        ):
            break
        found.append(Item(text, start + word.start(), codes))
    return found
