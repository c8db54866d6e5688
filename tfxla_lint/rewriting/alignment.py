"""Moves the lines that are aligned below what an open bracket holds along with the bracket."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.brackets import Token, tokens_of
from tfxla_lint.source import Source

_BREAK = re.compile(r"[\r\n]")
_OPENING, _CLOSING = "([{", ")]}"


def aligned(source: Source, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, and new indentation for the lines that begin below what a bracket holds, where one
    of the edits, to the left of that bracket, moves it.

    `edits` are sorted and disjoint. Only lines that blanks indent are moved, and none that an edit
    begins on or that begins inside of a string.
    """
    text = source.text
    moving = [edit for edit in edits if _moves(text, edit)]
    tokens = tokens_of(text) if moving else None
    if tokens is None:
        return list(edits)
    shifts = Counter[int]()
    for edit in moving:
        by = len(edit.text) - (edit.end - edit.start)
        for start in hanging(text, tokens, edit.end, _line_end(text, edit.end)):
            shifts[start] += by
    added = [indented(text, start, by) for start, by in shifts.items() if by]
    free = [a for a in added if not any(e.start <= a.end and a.start <= e.end for e in edits)]
    return sorted([*edits, *free], key=lambda edit: (edit.start, edit.end))


def _moves(text: str, edit: Edit) -> bool:
    """Whether an edit moves what follows it on its line, where brackets may stay open."""
    if _BREAK.search(edit.text) or _BREAK.search(text, edit.start, edit.end):
        return False
    rest = text[edit.end : _line_end(text, edit.end)]
    return len(edit.text) != edit.end - edit.start and any(c in rest for c in _OPENING)


def hanging(text: str, tokens: Sequence[Token], begin: int, end: int) -> list[int]:
    """Where the lines start that are aligned with a bracket of a line, between these offsets."""
    found: list[int] = []
    last = end
    for token in tokens:
        if token.start < end:
            continue
        outer = _holder(token)
        if outer is None:
            break
        start = _line_start(text, token.start)
        if start > last and not text[start : token.start].strip(" "):
            is_own = begin <= outer.start < end and _is_below(text, token, outer, end)
            if is_own or _line_start(text, outer.start) in found:
                found += _comments_above(text, start, token.start - start)
                found.append(start)
        last = max(last, token.end)
    return found


def _holder(token: Token) -> Token | None:
    """The bracket that is open where a line begins with this token."""
    if token.text in _CLOSING:
        return token.partner
    return token.brackets[-1] if token.brackets else None


def _is_below(text: str, token: Token, bracket: Token, end: int) -> bool:
    """Whether a token stands in the column of a bracket's contents, or closes it in its own."""
    after = bracket.after
    if after is None or after.start > end:
        return False
    columns = [after.start, *([bracket.start] if token is bracket.partner else [])]
    column = token.start - _line_start(text, token.start)
    return column in [place - _line_start(text, place) for place in columns]


def _comments_above(text: str, start: int, column: int) -> list[int]:
    """Where the lines start that hold comments in this column, directly above a line."""
    found: list[int] = []
    while start > 0:
        start = _line_start(text, start - 1)
        if not text.startswith(" " * column + "#", start):
            break
        found.append(start)
    return found


def indented(text: str, start: int, by: int) -> Edit:
    """A line that starts there, with so many blanks more, or fewer."""
    end = start
    while text[end] == " ":
        end += 1
    return Edit(start, end, " " * max(end - start + by, 0))


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(text: str, offset: int) -> int:
    found = _BREAK.search(text, offset)
    return found.start() if found is not None else len(text)
