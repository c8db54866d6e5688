"""Files and notebooks as an editor has them open, and places in them as the protocol counts."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.workspace import PositionCodec

from tfxla_lint.differences import differences
from tfxla_lint.findings import Span
from tfxla_lint.notebooks.module import NotebookSource
from tfxla_lint.source import Source


@dataclass(frozen=True)
class Text:
    """One text of an editor: a file, or the cell number `cell` of a notebook (from 1)."""

    uri: str
    text: str
    version: int | None = None
    cell: int = 0

    @cached_property
    def lines(self) -> Source:
        """The text by its lines, which the protocol ends where Python does."""
        return Source(self.uri, self.text)


@dataclass(frozen=True)
class Opened:
    """What is linted in one piece: a file with its text, or a notebook with those of its cells.

    `uri` is what the editor knows it by, `path` where it lies or would lie; `counted` says what
    the columns of the protocol count.
    """

    uri: str
    path: Path
    data: bytes
    texts: tuple[Text, ...]
    counted: PositionCodec

    def text(self, cell: int) -> Text:
        """The text with the number `cell`, which is 0 for a file."""
        return next(text for text in self.texts if text.cell == cell)

    def location(self, span: Span) -> types.Location:
        """Where a span of the source lies."""
        text = self.text(span.cell.index if span.cell is not None else 0)
        start = self.position(text, span.shown_line, span.column)
        end = self.position(text, span.shown_end_line, span.end_column)
        return types.Location(text.uri, types.Range(start, end))

    def position(self, text: Text, line: int, column: int) -> types.Position:
        """A line and a column of code points, both from 1, as the protocol counts them."""
        before = text.lines.line_text(line)[: column - 1]
        return types.Position(line - 1, self.counted.client_num_units(before))

    def offset(self, source: Source, uri: str, position: types.Position) -> int | None:
        """Where a position of one of the texts lies in the source; None where it is no Python."""
        text = next((text for text in self.texts if text.uri == uri), None)
        if text is None:
            return None
        line = position.line + 1
        if isinstance(source, NotebookSource):
            cell = next((cell for cell in source.cells if cell.index == text.cell), None)
            if cell is None:
                return None
            line += source.position(cell.start)[0] - 1
        words = source.line_text(line)
        units = itertools.accumulate(map(self.counted.client_num_units, words), initial=0)
        column = next((end for end, unit in enumerate(units) if unit >= position.character), None)
        starts = source.line_starts
        if line > len(starts):
            return None
        return starts[line - 1] + (len(words) if column is None else column)

    def edits(self, source: Source, text: str) -> Iterator[tuple[Text, list[types.TextEdit]]]:
        """What an editor has to change so that `text` becomes the text of the source.

        Raises ValueError where that reaches over several cells.
        """
        if not isinstance(source, NotebookSource):
            yield self.texts[0], list(self.between(self.texts[0], text))
            return
        codes = source.with_text(text).codes()
        for cell, code in zip(source.cells, codes, strict=True):
            own = self.text(cell.index)
            if code != own.text:
                yield own, list(self.between(own, code))

    def between(self, text: Text, new: str) -> Iterator[types.TextEdit]:
        """Edits by whole lines."""
        old = split_lines(text.text)
        after = split_lines(new)
        for found in differences(old, after):
            start, end = (self._line_start(text, n, old) for n in (found.start, found.end))
            lines = after[found.new_start : found.new_end]
            yield types.TextEdit(types.Range(start, end), "".join(lines))

    def _line_start(self, text: Text, index: int, lines: Sequence[str]) -> types.Position:
        """The start of a line, or the end of the text."""
        if index < len(lines) or not lines or lines[-1][-1] in "\r\n":
            return types.Position(index, 0)
        return self.position(text, index, len(lines[-1]) + 1)


def split_lines(text: str) -> list[str]:
    """The lines with their ends, as Python and the protocol know them."""
    starts = [*Source("", text).line_starts, len(text)]
    lines = (text[a:b] for a, b in itertools.pairwise(starts))
    return [line for line in lines if line]


def notebook(cells: Sequence[tuple[bool, str]]) -> bytes:
    """The bytes of a notebook with these cells: whether each is Python, and what it holds."""
    rows: list[dict[str, Any]] = [
        {"cell_type": "code" if is_code else "raw", "metadata": {}, "source": text}
        for is_code, text in cells
    ]
    document = {"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(document).encode()
