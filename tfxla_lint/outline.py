"""The statements of a source: which lines each takes, in which function it stands, what it says."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from tfxla_lint.digests import digest
from tfxla_lint.source import Source

#: A longer statement is told by its beginning and a digest.
_LONGEST = 200
_SPACE = re.compile(r"\s+")
_LAST_COMMA = re.compile(r",(?=[)\]}])")
_NO_CODE = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)


@dataclass(frozen=True)
class Statement:
    """A statement, or the head of one, with the qualified name of the function or class around it.

    `text` is the same for all ways to lay it out: without comments, line breaks, the last comma of a
    bracket and the choice of quotes.
    """

    first: int
    last: int
    scope: str
    text: str


class Outline:
    """The statements of one source by their lines; what Python cannot read is taken line by line."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_line: dict[int, Statement] = {}
        text = source.text.replace("\r\n", "\n").replace("\r", "\n")
        try:
            for statement in _statements(text):
                for line in range(statement.first, statement.last + 1):
                    self._by_line.setdefault(line, statement)
        except (tokenize.TokenError, SyntaxError):
            pass

    def at(self, line: int) -> Statement:
        """The statement that a line is part of."""
        found = self._by_line.get(line)
        if found is None:
            return Statement(line, line, "", _normal(self._source.line_text(line)))
        return found


def _statements(text: str) -> Iterator[Statement]:
    lines = text.split("\n")
    depth = 0
    scopes: list[tuple[int, str]] = []
    code: list[tokenize.TokenInfo] = []
    comments: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE and code:
            scopes = [scope for scope in scopes if scope[0] <= depth]
            name = ".".join(scope for _, scope in scopes)
            inside = [c for c in comments if c.start > code[0].start]
            said = _normal(_cut(lines, code[0].start, code[-1].end, inside))
            yield Statement(code[0].start[0], code[-1].end[0], name, said)
            opened = _opened(code)
            scopes += [(depth + 1, opened)] if opened else []
            code, comments = [], []
        elif token.type == tokenize.COMMENT:
            comments.append(token)
        elif token.type in (tokenize.INDENT, tokenize.DEDENT):
            depth += 1 if token.type == tokenize.INDENT else -1
        elif token.type not in _NO_CODE:
            code.append(token)


def _opened(code: list[tokenize.TokenInfo]) -> str:
    """The name of the function or class that a statement begins."""
    words = [token.string for token in code[:3]]
    words = words[1:] if words[0] == "async" else words
    return words[1] if len(words) > 1 and words[0] in ("def", "class") else ""


def _cut(
    lines: list[str],
    start: tuple[int, int],
    end: tuple[int, int],
    comments: list[tokenize.TokenInfo],
) -> str:
    """The text between two places, without comments."""
    kept = dict(enumerate(lines[start[0] - 1 : end[0]], start[0]))
    kept[end[0]] = kept[end[0]][: end[1]]
    for comment in comments:
        row, column = comment.start
        if row in kept:
            kept[row] = kept[row][:column]
    kept[start[0]] = kept[start[0]][start[1] :]
    return "\n".join(kept.values())


def _normal(text: str) -> str:
    joined = text.replace("\\\n", " ").replace("'", '"')
    short = _LAST_COMMA.sub("", _SPACE.sub(_space, joined.strip()))
    if len(short) <= _LONGEST:
        return short
    name = digest(short.encode("utf-8", "surrogatepass"))
    return f"{short[: _LONGEST - len(name) - 1]}#{name}"


def _space(match: re.Match[str]) -> str:
    """One space where two words would run together, else none."""
    before, after = match.string[match.start() - 1], match.string[match.end() : match.end() + 1]
    return " " if (before + after).replace("_", "a").isalnum() else ""
