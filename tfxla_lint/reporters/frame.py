"""A line of source with carets under a span, as a terminal shows it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from tfxla_lint.findings import Span
from tfxla_lint.reporters.text import COMMAND, is_harmless
from tfxla_lint.source import Source

_TAB_WIDTH = 4
_LONGEST = 160
_CUT = "..."


@dataclass(frozen=True)
class Frame:
    """One source line and its marker, both ready to print."""

    line: int
    text: str
    indent: int
    width: int

    @property
    def marker(self) -> str:
        """Spaces and carets."""
        return " " * self.indent + "^" * self.width


def frame(source: Source, span: Span, longest: int = _LONGEST) -> Frame:
    """The first line of a span; the carets reach to its end, or to the end of that line.

    A line that takes more than `longest` columns is cut.
    """
    text = _disarmed(source.shown_line(span.line))
    start = min(span.column - 1, len(text))
    end = span.end_column - 1 if span.end_line == span.line else len(text.rstrip())
    cells = [_cell(char) for char in text]
    before = sum(width for _, width in cells[:start])
    inside = sum(width for _, width in cells[start : max(end, start)])
    shown, before, inside = _cut(cells, before, max(inside, 1), longest)
    return Frame(span.shown_line, shown.rstrip(), before, inside)


def render_frame(
    item: Frame, gutter: int, dim: Callable[[str], str], mark: Callable[[str], str]
) -> str:
    """The frame's two lines, with line numbers in a column of `gutter` characters."""
    number = dim(f"{item.line:>{gutter}} |")
    blank = dim(f"{'':>{gutter}} |")
    marker = " " * item.indent + mark("^" * item.width)
    return f"{number} {item.text}\n{blank} {marker}\n"


def printed(line: str) -> str:
    """A line of source without what a terminal would obey."""
    return "".join(char if char == "\t" else _cell(char)[0] for char in _disarmed(line))


def _disarmed(line: str) -> str:
    """A line in which no log finds a command of its own; it keeps its length."""
    return COMMAND.sub("\N{MUSIC SHARP SIGN}", line) if "##" in line else line


def _cell(char: str) -> tuple[str, int]:
    """What stands for a character on the screen, and how many columns it takes."""
    if char == "\t":
        return " " * _TAB_WIDTH, _TAB_WIDTH
    if char < "\x7f":
        return (char, 1) if char >= " " else (chr(0x2400 + ord(char)), 1)
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return char, 0
    if not is_harmless(char):
        return "\N{REPLACEMENT CHARACTER}", 1
    return char, 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _cut(
    cells: list[tuple[str, int]], before: int, inside: int, longest: int
) -> tuple[str, int, int]:
    """The text of a line, shortened around the span where the line is very long."""
    total = sum(width for _, width in cells)
    if total <= longest:
        return "".join(char for char, _ in cells), before, inside
    left = max(0, before - longest // 4)
    right = left + longest
    kept: list[str] = []
    column = 0
    first: int | None = None
    for char, width in cells:
        if left <= column and column + width <= right:
            first = column if first is None else first
            kept.append(char)
        column += width
    prefix = _CUT if left else ""
    text = prefix + "".join(kept) + (_CUT if total > right else "")
    moved = before - (first or 0) + len(prefix)
    return text, moved, min(inside, max(1, right - before))
