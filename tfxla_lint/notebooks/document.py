"""A notebook's JSON as it is written: where the code of each cell stands, and how to replace it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property

from tfxla_lint.cells import Cell, NoNotebook, code_cells
from tfxla_lint.findings import Edit
from tfxla_lint.notebooks.spelling import Spelling
from tfxla_lint.source import Source, SourceError

#: The most bytes of a notebook; what is larger consists of outputs.
_MOST = 100_000_000
_ESCAPE = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")


@dataclass(frozen=True)
class Document:
    """The JSON of one notebook: `cells` are its code cells, none where its kernel is no Python."""

    source: Source
    cells: tuple[Cell, ...]

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> Document:
        """Read a notebook; raises SourceError, with the place, where it is none."""
        if len(data) > _MOST:
            raise SourceError(
                f"the notebook has more than {_MOST // 1_000_000} MB: clear its outputs"
            )
        source = Source.decoded(data, path, "utf-8")
        try:
            return cls(source, code_cells(source.text))
        except NoNotebook as error:
            raise SourceError(f"no notebook: {error.message}", *source.position(error.at)) from None
        except json.JSONDecodeError as error:
            message = f"no notebook: it is no JSON: {error.msg}"
            raise SourceError(message, *source.position(min(error.pos, len(source.text)))) from None
        except RecursionError:
            raise SourceError("no notebook: its JSON is nested too deeply") from None

    @cached_property
    def is_ascii(self) -> bool:
        """Whether the document escapes what is not ASCII."""
        text = self.source.text
        return text.isascii() and _ESCAPE.search(text) is not None

    def lines(self, cell: Cell) -> list[int]:
        """The lines of the file on which the lines of a cell's code begin."""
        found: list[int] = []
        is_begun = False
        for item in cell.items:
            line = self.source.position(item.start)[0]
            parts = item.value.split("\n")
            found += [line] * (len(parts) - is_begun - (not parts[-1]))
            is_begun = bool(parts[-1]) or (is_begun and len(parts) == 1)
        return found or [self.source.position(cell.source.start)[0]]

    def edit(self, cell: Cell, text: str) -> Edit:
        """The edit of the document that gives a cell other code: only lines that differ are written
        anew, in the way of the others."""
        start, end, _ = cell.source
        return Edit(start, end, Spelling(self.source.text, cell).with_code(text, self._string))

    def clearing(self, cell: Cell) -> list[Edit]:
        """The edits that take away what a cell gave when it was run."""
        empty = {"outputs": "[]", "execution_count": "null", "prompt_number": "null"}
        spots = [(cell.members[name], text) for name, text in empty.items() if name in cell.members]
        return [Edit(spot.start, spot.end, text) for spot, text in spots]

    def _string(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self.is_ascii)
