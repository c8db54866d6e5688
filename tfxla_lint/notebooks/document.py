"""A notebook's JSON as it is written: where the code of each cell stands, and how to replace it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from tfxla_lint.cells import Cell, NoNotebook, code_cells
from tfxla_lint.findings import Edit
from tfxla_lint.source import Source, SourceError

#: The most bytes of a notebook; what is larger consists of outputs.
_MOST = 100_000_000
_ESCAPE = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")
#: A line of code inside of a string of JSON.
_WRITTEN_LINE = re.compile(r"(?:[^\\]|\\[^n])*?\\n|(?:[^\\]|\\[^n])+")


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
        start, end, value = cell.source
        new = _lines(text)
        if isinstance(value, str):
            written = _WRITTEN_LINE.findall(self.source.text[start + 1 : end - 1])
            if [json.loads(f'"{line}"', strict=False) for line in written] != _lines(value):
                return Edit(start, end, self._string(text))
            parts = self._merged(
                _lines(value), new, lambda i, j: "".join(written[i:j]), slice(1, -1)
            )
            return Edit(start, end, f'"{"".join(parts)}"')

        def kept(i: int, j: int) -> str:
            return self.source.text[cell.items[i].start : cell.items[j - 1].end]

        parts = self._merged([item.value for item in cell.items], new, kept, slice(None))
        if not cell.items or not parts:
            return Edit(start, end, f"[{', '.join(parts)}]")
        head = self.source.text[start : cell.items[0].start]
        tail = self.source.text[cell.items[-1].end : end]
        between = "," + head[1:]
        if len(cell.items) > 1:
            between = self.source.text[cell.items[0].end : cell.items[1].start]
        return Edit(start, end, head + between.join(parts) + tail)

    def _merged(
        self, old: list[str], new: list[str], kept: Callable[[int, int], str], shown: slice
    ) -> list[str]:
        """How new lines are written: as it is `kept` where they are old ones."""
        parts: list[str] = []
        for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                parts.append(kept(i, j))
            else:
                parts.extend(self._string(line)[shown] for line in new[k:m])
        return parts

    def clearing(self, cell: Cell) -> list[Edit]:
        """The edits that take away what a cell gave when it was run."""
        empty = {"outputs": "[]", "execution_count": "null", "prompt_number": "null"}
        spots = [(cell.members[name], text) for name, text in empty.items() if name in cell.members]
        return [Edit(spot.start, spot.end, text) for spot, text in spots]

    def _string(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self.is_ascii)


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]
