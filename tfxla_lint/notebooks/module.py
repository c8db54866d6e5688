"""A notebook as one module: its code cells in order, each below a comment with its number."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile

from tfxla_lint.findings import Edit, InCell, Span
from tfxla_lint.notebooks.document import Document
from tfxla_lint.notebooks.magics import Aside, Masked, mask
from tfxla_lint.notebooks.versions import told_version
from tfxla_lint.source import Source, apply_edits

#: What parts two cells: so many blank lines that none is missing above a definition.
_HEAD = "# %% cell{} {}\n\n\n"
#: IPython takes the indentation off a cell that begins with one.
_INDENTED = re.compile(r"\s*^(?=[ \t]+\S)(?:[ \t]*(?:#.*)?\r?\n)*[ \t]+[^\s#]", re.MULTILINE)
_IMPORTS = re.compile(r"(\s*(import|from)\s.*\n?)+")
#: What makes a function that TensorFlow has to read.
_DEFINES = re.compile(r"^\s*(?:@|(?:async )?def\b)|\bfunction\(", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A code cell in the module: its number among all cells of the notebook from 1, and the place
    of its code, which `head` leads and a line end follows.
    """

    index: int
    id: str
    start: int
    end: int
    masked: Masked
    head: str


@dataclass(frozen=True)
class NotebookSource(Source):
    """The module that a notebook is: `text` is Python, and `encode` gives the notebook's JSON.

    `stem` keeps the comments that part its cells apart from those of its author.
    """

    cells: tuple[Cell, ...] = ()
    stem: str = ""
    document: Document = field(kw_only=True, repr=False, compare=False)
    clears_outputs: bool = False

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> NotebookSource:
        """Read a notebook, which is empty where it is not Python's; raises SourceError."""
        document = Document.from_bytes(data, path)
        codes = [cell.text for cell in document.cells]
        stem = ""
        while any(f"%% cell{stem} " in code or f"# magic{stem} " in code for code in codes):
            stem += "_"
        parts: list[str] = []
        cells: list[Cell] = []
        at = 0
        for cell, code in zip(document.cells, codes, strict=True):
            masked = mask(code, f"magic{stem} {cell.index}.")
            if masked is None:
                continue
            head = _HEAD.format(stem, cell.index) if cells else ""
            head += "if True:\n" if _INDENTED.match(masked.text) else ""
            start = at + len(head)
            at = start + len(masked.text) + 1
            parts += [head, masked.text, "\n"]
            cells.append(Cell(cell.index, cell.id, start, at - 1, masked, head))
        return cls(
            path,
            "".join(parts),
            has_bom=document.source.has_bom,
            cells=tuple(cells),
            stem=stem,
            document=document,
        )

    @cached_property
    def tf_version(self) -> tuple[int, int] | None:
        """The TensorFlow that its commands install or choose; asked of what is linted alone."""
        return told_version([cell.text for cell in self.document.cells])

    def with_text(self, text: str) -> NotebookSource:
        """The notebook with other code; raises ValueError where the cells are not told apart."""
        cells: list[Cell] = []
        at = len(self.cells[0].head) if self.cells else 0
        for cell, following in zip(self.cells, [*self.cells[1:], None], strict=False):
            end = text.find(following.head, at) if following is not None else len(text)
            if end < 0 or (end > at and text[end - 1] != "\n"):
                raise ValueError("it would reach over the border of two cells")
            cells.append(replace(cell, start=at, end=max(end - 1, at)))
            at = end + (len(following.head) if following is not None else 0)
        return replace(self, text=text, cells=tuple(cells), _line_starts=[])

    @property
    def cell_lines(self) -> tuple[tuple[int, int], ...]:
        """The lines on which the cells that are Python begin, with their numbers."""
        return tuple((self.position(cell.start)[0], cell.index) for cell in self.cells)

    @property
    def goes_on(self) -> bool:
        """Whether a cell is tagged as one that raises, which runners of notebooks do not end with."""
        return any("raises-exception" in cell.tags for cell in self.document.cells)

    def units_of_code(self) -> Iterator[tuple[int, str]]:
        """The cells: Jupyter runs each by itself."""
        for cell in self.cells:
            start = cell.start - len(cell.head) + cell.head.rfind("\n\n") + 2 if cell.head else 0
            yield self.position(start)[0] - 1, self.text[start : cell.end]

    def clearing(self) -> NotebookSource:
        """The same notebook, which loses the outputs of the cells that change."""
        return replace(self, clears_outputs=True)

    def reread(self, data: bytes) -> NotebookSource:
        """The notebook that `data` is, in the place of this one."""
        return NotebookSource.from_bytes(data, self.path)

    def codes(self) -> list[str]:
        """The code of each cell as the notebook has it; raises ValueError where some is lost."""
        return [cell.masked.unmask(self.text[cell.start : cell.end]) for cell in self.cells]

    def parts(self, other: Source) -> list[tuple[Source, Source]]:
        """The cells whose code differs, before and after."""
        assert isinstance(other, NotebookSource)
        rows = zip(self.cells, self.codes(), other.codes(), strict=True)
        names = [(f"{self.path}:cell {cell.index}", old, new) for cell, old, new in rows]
        return [(Source(n, old), Source(n, new)) for n, old, new in names if old != new]

    # The JSON

    def encode(self, text: str) -> bytes:
        """The notebook's JSON where its module is `text`: only cells that differ are written."""
        edits = self.file_edits(text)
        return self.document.source.encode(apply_edits(self.document.source.text, edits))

    def file_edits(self, text: str) -> list[Edit]:
        """The edits of the JSON that make `text` the module; raises ValueError where none do."""
        document = self.document
        written = {cell.index: cell for cell in document.cells}
        edits: list[Edit] = []
        for cell, code in zip(self.cells, self.with_text(text).codes(), strict=True):
            old = written[cell.index]
            if code != old.text:
                edits.append(document.edit(old, code))
                edits += document.clearing(old) if self.clears_outputs else ()
        return edits

    @cached_property
    def _file(self) -> Document:
        """The JSON as it is with this code."""
        if not self.file_edits(self.text):
            return self.document
        return Document.from_bytes(self.encode(self.text), self.path)

    def in_file(self, edits: Sequence[Edit]) -> tuple[Source, Sequence[Edit]]:
        """The JSON, and the edits of it that make those of the module."""
        now = replace(self, document=self._file)
        return self._file.source, now.file_edits(apply_edits(self.text, list(edits)))

    # Places

    def cell_at(self, offset: int) -> Cell:
        """The cell in which, or behind which, an offset lies."""
        return self.cells[max(bisect_right(self.cells, offset, key=lambda c: c.start) - 1, 0)]

    def span(self, start: int, end: int) -> Span:
        """The span from offset `start` up to `end`, with its place in a cell."""
        span = super().span(start, end)
        if not self.cells:
            return span
        cell = self.cell_at(start)
        first = self.position(cell.start)[0]
        last = self.position(max(min(end, cell.end), start))[0]
        lines = (span.line - first + 1, last - first + 1)
        place = InCell(cell.index, cell.id, *lines, *self._file_lines(cell, *lines))
        moved = self._asides.get(span.line, _NONE).moved
        column, end_column = span.column + moved, span.end_column + moved
        return replace(span, column=column, end_column=end_column, cell=place)

    def _file_lines(self, cell: Cell, *lines: int) -> Iterator[int]:
        """The lines of the JSON on which some lines of a cell stand."""
        known = self._lines.get(cell.index)
        if known is None:
            written = next(c for c in self._file.cells if c.index == cell.index)
            known = self._lines[cell.index] = self._file.lines(written)
        return (known[min(line, len(known)) - 1] for line in lines)

    @cached_property
    def _lines(self) -> dict[int, list[int]]:
        """What `Document.lines` says of cells, by their index."""
        return {}

    def shown_line(self, line: int) -> str:
        """The text of a line as its author wrote it."""
        aside = self._asides.get(line)
        return aside.original.rstrip("\r") if aside else self.line_text(line)

    @cached_property
    def _asides(self) -> dict[int, Aside]:
        """What stands for lines that are no Python, by the lines of the module."""
        found: dict[int, Aside] = {}
        for cell in self.cells:
            at = cell.start
            for aside in cell.masked.asides.values():
                at = self.text.find(aside.stand_in, at)
                found[self.position(at)[0]] = aside
        return found

    # Edits

    def fitted(self, edits: Sequence[Edit]) -> tuple[Edit, ...] | None:
        """The edits of a fix, each in a cell; None where the fix would reach over several cells,
        change what is no Python, or define a function where TensorFlow cannot read it. An import may
        be added to another cell than the rest.
        """
        found = [self._in_cell(self._trimmed(edit)) for edit in edits]
        kept = tuple(edit for edit in found if edit is not None)
        homes = {self.cell_at(e.start).index for e in kept if not _IMPORTS.fullmatch(e.text)}
        return kept if len(kept) == len(edits) and len(homes) < 2 else None

    def own_edit(self, edit: Edit) -> tuple[Edit, int]:
        """An edit of a cell without the line end behind the cell, and where the cell begins."""
        cell = self.cell_at(edit.start)
        if edit.end > cell.end and edit.text.endswith("\n"):
            is_below = edit.start > cell.end
            edit = Edit(min(edit.start, cell.end), cell.end, "\n" * is_below + edit.text[:-1])
        elif edit.end > cell.end:
            edit = Edit(max(edit.start - 1, cell.start), cell.end, edit.text)
        return edit, cell.start

    def _trimmed(self, edit: Edit) -> Edit:
        """An edit without the lines at its start that it does not change: they may part cells."""
        cell = self.cell_at(edit.start)
        if edit.end <= cell.end + 1:
            return edit
        old = self.text[edit.start : edit.end]
        below = self.cell_at(edit.end - 1)
        if not edit.text and 0 < below.start - edit.start <= len(below.head):
            return replace(edit, start=below.start)
        lines = (text.splitlines(keepends=True) for text in (old, edit.text))
        same = takewhile(lambda pair: pair[0] == pair[1], zip(*lines, strict=False))
        length = sum(len(line) for line, _ in same)
        return Edit(edit.start + length, edit.end, edit.text[length:])

    def _in_cell(self, edit: Edit) -> Edit | None:
        cell = self.cell_at(edit.start)
        if edit.start < cell.start or edit.end > cell.end + 1:
            return None
        if not cell.masked.keeps_source and _DEFINES.search(edit.text):
            return None
        lines = range(self.position(edit.start)[0], self.position(edit.end)[0] + 1)
        for line in self._asides.keys() & set(lines):
            start = self.line_starts[line - 1]
            if edit.start > start or edit.end > start:
                return None
        edit = replace(edit, text=self._ended(cell, edit))
        takes_end = edit.start <= cell.end < edit.end
        if takes_end and not edit.text.endswith("\n") and (edit.text or edit.start == cell.start):
            return replace(edit, end=cell.end)
        return edit

    def _ended(self, cell: Cell, edit: Edit) -> str:
        """The text of an edit with the line ends of its cell, whatever those of others are."""
        newline = Source("", self.text[cell.start : cell.end]).newline
        if newline == self.newline:
            return edit.text
        # The line end behind the cell is the module's, and no part of it.
        is_last = edit.end > cell.end and edit.text.endswith(self.newline)
        body = edit.text.removesuffix(self.newline) if is_last else edit.text
        return body.replace(self.newline, newline) + "\n" * is_last


_NONE = Aside("", "")
