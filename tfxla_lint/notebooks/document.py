"""A notebook's JSON as it is written: where the code of each cell stands, and how to replace it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, NamedTuple

from tfxla_lint.findings import Edit
from tfxla_lint.source import Source, SourceError

#: The most bytes of a notebook; what is larger consists of outputs.
_MOST = 100_000_000
_KNOWN_FORMATS = (2, 3, 4)
#: What says of a kernel without a language that it is not Python's.
_OTHER_KERNEL = re.compile(
    r"(ir|bash|javascript|\w+-sql|sql|octave|matlab)$|julia|scala|spark|rust"
)
_PYTHON = re.compile(r"i?python[\d.]*", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n]*")
_ESCAPE = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")
#: A line of code inside of a string of JSON.
_WRITTEN_LINE = re.compile(r"(?:[^\\]|\\[^n])*?\\n|(?:[^\\]|\\[^n])+")
#: Numbers are not asked for exactly, and Python refuses to read whole ones of thousands of digits.
_DECODER = json.JSONDecoder(parse_int=lambda digits: int(digits[:20]))


class Spot(NamedTuple):
    """A value of the document, and where it is written."""

    start: int
    end: int
    value: Any


@dataclass(frozen=True)
class DocumentCell:
    """A code cell: its number among all cells from 1, and what it holds by its names in the JSON.

    `items` are the strings that its source is written in.
    """

    index: int
    id: str
    members: Mapping[str, Spot]
    source: Spot
    items: tuple[Spot, ...]

    @property
    def text(self) -> str:
        """The code."""
        return "".join(item.value for item in self.items)

    @property
    def tags(self) -> Sequence[object]:
        """The tags of the cell, which tell other tools of it."""
        found = _at(self.members["metadata"].value, "tags") if "metadata" in self.members else ()
        return found if isinstance(found, list) else ()


@dataclass(frozen=True)
class Document:
    """The JSON of one notebook: `cells` are its code cells, none where its kernel is no Python."""

    source: Source
    cells: tuple[DocumentCell, ...]

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> Document:
        """Read a notebook; raises SourceError, with the place, where it is none."""
        if len(data) > _MOST:
            raise SourceError(
                f"the notebook has more than {_MOST // 1_000_000} MB: clear its outputs"
            )
        source = Source.decoded(data, path, "utf-8")
        try:
            return cls(source, _cells(source.text))
        except _Wrong as error:
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

    def lines(self, cell: DocumentCell) -> list[int]:
        """The lines of the file on which the lines of a cell's code begin."""
        found: list[int] = []
        is_begun = False
        for item in cell.items:
            line = self.source.position(item.start)[0]
            parts = item.value.split("\n")
            found += [line] * (len(parts) - is_begun - (not parts[-1]))
            is_begun = bool(parts[-1]) or (is_begun and len(parts) == 1)
        return found or [self.source.position(cell.source.start)[0]]

    def edit(self, cell: DocumentCell, text: str) -> Edit:
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

    def clearing(self, cell: DocumentCell) -> list[Edit]:
        """The edits that take away what a cell gave when it was run."""
        empty = {"outputs": "[]", "execution_count": "null", "prompt_number": "null"}
        spots = [(cell.members[name], text) for name, text in empty.items() if name in cell.members]
        return [Edit(spot.start, spot.end, text) for spot, text in spots]

    def _string(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self.is_ascii)


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]


class _Wrong(Exception):
    """JSON that is no notebook; `at` is the offset of what is wrong."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


#: Reads a value from an offset on: what it is, and where it ends.
_Reader = Callable[[str, int], tuple[Any, int]]


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _plain(text: str, at: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, at)


def _members(text: str, at: int, readers: Mapping[str, _Reader]) -> tuple[dict[str, Spot], int]:
    """The members of an object, each with its place; `readers` says how to read some of them."""
    found: dict[str, Spot] = {}

    def member(text: str, at: int) -> int:
        if text[at : at + 1] != '"':
            raise json.JSONDecodeError("Expecting property name in double quotes", text, at)
        key, at = _plain(text, at)
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
        start = _skip(text, at + 1)
        value, end = readers.get(key, _plain)(text, start)
        found[key] = Spot(start, end, value)
        return end

    return found, _listed(text, at, "{}", "an object", member)


def _array(text: str, at: int, reader: _Reader) -> tuple[list[Spot], int]:
    found: list[Spot] = []

    def item(text: str, at: int) -> int:
        value, end = reader(text, at)
        found.append(Spot(at, end, value))
        return end

    return found, _listed(text, at, "[]", "a list", item)


def _listed(text: str, at: int, marks: str, kind: str, part: Callable[[str, int], int]) -> int:
    """Read parts between commas; the offset behind the closing mark."""
    if text[at : at + 1] != marks[0]:
        _plain(text, at)
        raise _Wrong(f"{kind} should stand here", at)
    at = _skip(text, at + 1)
    if text[at : at + 1] == marks[1]:
        return at + 1
    while True:
        at = _skip(text, part(text, at))
        if text[at : at + 1] == marks[1]:
            return at + 1
        if text[at : at + 1] != ",":
            raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
        at = _skip(text, at + 1)


def _cell(text: str, at: int) -> tuple[dict[str, Spot], int]:
    return _members(text, at, {"source": _source, "input": _source})


def _source(text: str, at: int) -> tuple[Any, int]:
    return _array(text, at, _plain) if text[at : at + 1] == "[" else _plain(text, at)


def _worksheet(text: str, at: int) -> tuple[dict[str, Spot], int]:
    return _members(text, at, {"cells": _many})


def _many(text: str, at: int) -> tuple[list[Spot], int]:
    return _array(text, at, _cell)


def _cells(text: str) -> tuple[DocumentCell, ...]:
    """The code cells of a notebook; raises _Wrong and JSONDecodeError."""
    readers: dict[str, _Reader] = {
        "cells": _many,
        "worksheets": lambda text, at: _array(text, at, _worksheet),
    }
    start = _skip(text, 0)
    top, end = _members(text, start, readers)
    if _skip(text, end) != len(text):
        raise json.JSONDecodeError("Extra data", text, _skip(text, end))
    version = top.get("nbformat")
    if version is None:
        raise _Wrong("it has no `nbformat`", start)
    if version.value not in _KNOWN_FORMATS:
        raise _Wrong(f"its format {version.value!r} is not known", version.start)
    sheets = [top] if version.value > 3 else [s.value for s in _spots(top.get("worksheets"))]
    if version.value > 3 and "cells" not in top:
        raise _Wrong("it has no `cells`", start)
    cells = [cell for sheet in sheets for cell in _spots(sheet.get("cells"))]
    found = [_code(index, cell) for index, cell in enumerate(cells, 1)]
    _check_ids(cells)
    if not _is_python(top.get("metadata")):
        return ()
    return tuple(cell for cell in found if cell is not None)


def _spots(spot: Spot | None) -> Sequence[Spot]:
    return spot.value if spot is not None else ()


def _code(index: int, cell: Spot) -> DocumentCell | None:
    """The code cell that a cell is; None for one of another kind or in another language."""
    members: dict[str, Spot] = cell.value
    kind = members.get("cell_type")
    if kind is None:
        raise _Wrong(f"its cell {index} has no `cell_type`", cell.start)
    if kind.value != "code":
        return None
    source = members.get("source", members.get("input"))
    if source is None:
        raise _Wrong(f"its cell {index} has no `source`", cell.start)
    items = (source,) if isinstance(source.value, str) else source.value
    if not isinstance(items, (list, tuple)) or not all(isinstance(i.value, str) for i in items):
        raise _Wrong(f"the source of its cell {index} is not text", source.start)
    if not _is_python(members.get("metadata"), members.get("language")):
        return None
    name = members.get("id")
    return DocumentCell(index, str(name.value) if name else "", members, source, tuple(items))


def _check_ids(cells: Sequence[Spot]) -> None:
    seen: dict[object, int] = {}
    for index, cell in enumerate(cells, 1):
        name = cell.value.get("id")
        if name is not None and seen.setdefault(str(name.value), index) != index:
            first = seen[str(name.value)]
            raise _Wrong(
                f"its cells {first} and {index} have the same id {name.value!r}", name.start
            )


def _is_python(metadata: Spot | None, language: Spot | None = None) -> bool:
    """Whether metadata, of a notebook or a cell, names no other language."""
    values = metadata.value if metadata is not None else {}
    said = [
        language.value if language is not None else None,
        _at(values, "language_info", "name"),
        _at(values, "kernelspec", "language"),
        _at(values, "vscode", "languageId"),
    ]
    named = next((name for name in said if isinstance(name, str) and name), None)
    if named is not None:
        return _PYTHON.fullmatch(named) is not None
    return _OTHER_KERNEL.match(str(_at(values, "kernelspec", "name") or "")) is None


def _at(values: object, *keys: str) -> object:
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values
