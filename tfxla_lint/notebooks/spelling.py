"""The code of a cell as the JSON spells it, and how other code is written in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tfxla_lint.cells import Cell
from tfxla_lint.differences import Difference, differences

#: Code inside of a string of JSON up to the end of a line, which has two escapes.
_WRITTEN = re.compile(r"(?:[^\\]+|\\(?!n|u000[aA]).)*(\\n|\\u000[aA])?")
#: Writes a string of JSON.
_Writer = Callable[[str], str]


class Spelling:
    """A cell's source in the text of its notebook: pieces of code, and the gaps between them.

    A piece is a line, or the part of one that an item of a list holds. The first gap opens the source
    and the last one closes it; one within a string is empty.
    """

    def __init__(self, text: str, cell: Cell) -> None:
        self._text = text
        self._cell = cell
        self._lines = _lines(cell.text)
        self._pieces: list[tuple[int, int]] = []
        #: The piece that each line begins with; the last number is that of all pieces.
        self._first: list[int] = []
        is_begun = False
        for item in cell.items:
            for match in _WRITTEN.finditer(text, item.start + 1, item.end - 1):
                if match.start() == match.end():
                    continue
                if not is_begun:
                    self._first.append(len(self._pieces))
                self._pieces.append(match.span())
                is_begun = match[1] is None
        self._first.append(len(self._pieces))

    def with_code(self, code: str, write: _Writer) -> str:
        """The source with other code: of lines that stay, and of what parts them, every byte stays."""
        new = _lines(code)
        if not self._pieces or not new:
            return self._afresh(new, write)
        parts: list[str] = []
        at, end, _ = self._cell.source
        for found in differences(self._lines, new):
            (start, _), (_, stop) = (self._gap(self._first[n]) for n in (found.start, found.end))
            parts += [self._text[at:start], self._replaced(found, new, write)]
            at = stop
        return "".join([*parts, self._text[at:end]])

    def _replaced(self, found: Difference, new: Sequence[str], write: _Writer) -> str:
        """What stands in the place of some lines and of the gaps around them."""
        first, last = self._first[found.start], self._first[found.end]
        left, right = self._between(first), self._between(last)
        written = self._written(found, new, write)
        if not written:
            return right if last == len(self._pieces) else left or right
        is_apart = self._is_apart(first) and self._is_apart(last)
        gap = self._separator() if is_apart else ""
        if first == last == len(self._pieces):
            left = gap
        elif first == last:
            right = gap
        gaps = [self._between(n) for n in range(first + 1, last)] if is_apart else []
        gaps += [gap] * len(written)
        gaps = [*gaps[: len(written) - 1], right]
        return left + "".join(line + gap for line, gap in zip(written, gaps, strict=True))

    def _written(self, found: Difference, new: Sequence[str], write: _Writer) -> list[str]:
        """New lines inside of a string, those that are only moved as they were."""
        known: dict[str, str] = {}
        for n in range(found.start, found.end):
            if self._first[n + 1] - self._first[n] == 1:
                start, end = self._pieces[self._first[n]]
                known[self._lines[n]] = self._text[start:end]
        lines = new[found.new_start : found.new_end]
        return [known[line] if line in known else write(line)[1:-1] for line in lines]

    def _gap(self, before: int) -> tuple[int, int]:
        """The place of the gap before a piece."""
        start, end, _ = self._cell.source
        return (
            self._pieces[before - 1][1] if before else start,
            self._pieces[before][0] if before < len(self._pieces) else end,
        )

    def _between(self, before: int) -> str:
        start, end = self._gap(before)
        return self._text[start:end]

    def _is_apart(self, before: int) -> bool:
        """Whether an item of a list begins with a piece, or ends before it."""
        is_list = not isinstance(self._cell.source.value, str)
        return is_list and bool(before % len(self._pieces) == 0 or self._between(before))

    def _separator(self) -> str:
        """What parts two items of the list, with their quotation marks."""
        items = self._cell.items
        if len(items) > 1:
            return self._text[items[0].end - 1 : items[1].start + 1]
        return f'",{self._text[self._cell.source.start + 1 : items[0].start]}"'

    def _afresh(self, new: Sequence[str], write: _Writer) -> str:
        """The source where no line of it stays."""
        start, end, value = self._cell.source
        items = self._cell.items
        if isinstance(value, str):
            return write("".join(new))
        if not items or not new:
            return f"[{', '.join(map(write, new))}]"
        head, tail = self._text[start : items[0].start], self._text[items[-1].end : end]
        return head + self._separator()[1:-1].join(map(write, new)) + tail


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]
