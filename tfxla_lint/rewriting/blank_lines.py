"""Keeps the blank lines of a stretch of code as they were where the code around them stays."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import takewhile


def with_blank_lines(old: str, new: str) -> str:
    """`new`, the code in the place of `old`, with the blank lines of `old` at its end and within."""
    made = with_same_blanks(old, new)
    lines = made.splitlines(keepends=True)
    return "".join([made, *_lacking(old.splitlines(keepends=True), lines)])


def with_same_blanks(old: str, new: str) -> str:
    """`new`, which holds code of `old`, with the blanks that lines of `old` hold and nothing else.

    A blank line counts as the same one where the code above it or below it is, indentation and all.
    """
    lines = old.splitlines(keepends=True)
    if not any(_has_blanks(line) for line in lines):
        return new
    made = new.splitlines(keepends=True)
    _restore(lines, made)
    return "".join(made)


def _has_blanks(line: str) -> bool:
    return line.isspace() and bool(line.strip("\r\n"))


def _restore(lines: Sequence[str], made: list[str]) -> None:
    """Put the blank lines of `lines` in the place of those in `made` that are the same."""
    sides = [[line if line.strip() else "\n" for line in side] for side in (lines, made)]
    matcher = SequenceMatcher(None, sides[0], sides[1], autojunk=False)
    for start, place, size in matcher.get_matching_blocks():
        if any(line.strip() for line in lines[start : start + size]):
            made[place : place + size] = lines[start : start + size]


def _lacking(lines: Sequence[str], made: Sequence[str]) -> Sequence[str]:
    """The blank lines at the end of `lines` that `made` has not."""
    tails = [list(takewhile(str.isspace, reversed(side))) for side in (lines, made)]
    count = len(tails[0]) - len(tails[1])
    return lines[len(lines) - count :] if count > 0 and made and made[-1][-1] in "\r\n" else []
