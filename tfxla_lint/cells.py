"""The code cells of a notebook's JSON, each with the places of what it holds where those are asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

_KNOWN_FORMATS = (2, 3, 4)
#: What says of a kernel without a language that it is not Python's.
_OTHER_KERNEL = re.compile(
    r"(ir|bash|javascript|\w+-sql|sql|octave|matlab)$|julia|scala|spark|rust"
)
_PYTHON = re.compile(r"i?python[\d.]*", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n]*")
#: Numbers are not asked for exactly, and Python refuses to read whole ones of thousands of digits.
_DECODER = json.JSONDecoder(parse_int=lambda digits: int(digits[:20]))


class Spot(NamedTuple):
    """A value of the document, and where it is written."""

    start: int
    end: int
    value: Any


@dataclass(frozen=True)
class Cell:
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


class NoNotebook(Exception):
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
        raise NoNotebook(f"{kind} should stand here", at)
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


def code_cells(text: str, has_places: bool = True) -> tuple[Cell, ...]:
    """The code cells of a notebook, none where its kernel is no Python.

    Raises NoNotebook, JSONDecodeError and RecursionError. Without places all lies at 0, which takes less
    time, and what is wrong is told only where it keeps the code from being read.
    """
    top = _placed(text) if has_places else _unplaced(text)
    sheets = [top] if "cells" in top else [sheet.value for sheet in _spots(top.get("worksheets"))]
    if has_places:
        _check_format(top, _skip(text, 0))
    cells = [cell for sheet in sheets for cell in _spots(sheet.get("cells"))]
    found = [_code(index, cell) for index, cell in enumerate(cells, 1)]
    if has_places:
        _check_ids(cells)
    if not _is_python(top.get("metadata")):
        return ()
    return tuple(cell for cell in found if cell is not None)


def _check_format(top: Mapping[str, Spot], start: int) -> None:
    version = top.get("nbformat")
    if version is None:
        raise NoNotebook("it has no `nbformat`", start)
    if version.value not in _KNOWN_FORMATS:
        raise NoNotebook(f"its format {version.value!r} is not known", version.start)
    if version.value > 3 and "cells" not in top:
        raise NoNotebook("it has no `cells`", start)


def _placed(text: str) -> dict[str, Spot]:
    readers: dict[str, _Reader] = {
        "cells": _many,
        "worksheets": lambda text, at: _array(text, at, _worksheet),
    }
    top, end = _members(text, _skip(text, 0), readers)
    if _skip(text, end) != len(text):
        raise json.JSONDecodeError("Extra data", text, _skip(text, end))
    return top


def _unplaced(text: str) -> dict[str, Spot]:
    return _bare(
        _DECODER.decode(text), cells=_bare_cell, worksheets=partial(_bare, cells=_bare_cell)
    )


def _bare(value: object, **parts: Callable[[Any], dict[str, Spot]]) -> dict[str, Spot]:
    """The members of an object; `parts` says how to read the members of some lists."""
    if not isinstance(value, dict):
        raise NoNotebook("an object should stand here", 0)
    found = {name: Spot(0, 0, each) for name, each in value.items()}
    for name, part in parts.items():
        if name in value:
            if not isinstance(value[name], list):
                raise NoNotebook("a list should stand here", 0)
            found[name] = Spot(0, 0, [Spot(0, 0, part(each)) for each in value[name]])
    return found


def _bare_cell(value: Any) -> dict[str, Spot]:
    """The members of a cell; what is no code says nothing but this."""
    if isinstance(value, dict) and value.get("cell_type", "code") != "code":
        return {"cell_type": Spot(0, 0, "")}
    found = _bare(value)
    for name in ("source", "input"):
        lines = value.get(name)
        if isinstance(lines, list):
            if not all(isinstance(line, str) for line in lines):
                raise NoNotebook("the source of a cell is not text", 0)
            # Nobody asks where the lines stand.
            found[name] = Spot(0, 0, "".join(lines))
    return found


def _spots(spot: Spot | None) -> Sequence[Spot]:
    return spot.value if spot is not None else ()


def _code(index: int, cell: Spot) -> Cell | None:
    """The code cell that a cell is; None for one of another kind or in another language."""
    members: dict[str, Spot] = cell.value
    kind = members.get("cell_type")
    if kind is None:
        raise NoNotebook(f"its cell {index} has no `cell_type`", cell.start)
    if kind.value != "code":
        return None
    source = members.get("source", members.get("input"))
    if source is None:
        raise NoNotebook(f"its cell {index} has no `source`", cell.start)
    items = (source,) if isinstance(source.value, str) else source.value
    if not isinstance(items, (list, tuple)) or not all(isinstance(i.value, str) for i in items):
        raise NoNotebook(f"the source of its cell {index} is not text", source.start)
    if not _is_python(members.get("metadata"), members.get("language")):
        return None
    name = members.get("id")
    return Cell(index, str(name.value) if name else "", members, source, tuple(items))


def _check_ids(cells: Sequence[Spot]) -> None:
    seen: dict[object, int] = {}
    for index, cell in enumerate(cells, 1):
        name = cell.value.get("id")
        if name is not None and seen.setdefault(str(name.value), index) != index:
            first = seen[str(name.value)]
            raise NoNotebook(
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
