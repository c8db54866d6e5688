"""Files: what opening them, and paths that lead to them, give to go through."""

from __future__ import annotations

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.values import FILE, STRING, UNKNOWN, Kind, Value, list_of, sequence

#: A file that was found, by its name or as a path, or a line of one.
FOUND = Value(Kind.STRING, name=FILE)
#: A line that was taken apart, and a row of a table.
ROW = list_of(Value(Kind.STRING, name="field of a line"))
_TABLE = Value(Kind.ITERATOR, item=ROW)
_PATH = Value(Kind.OBJECT, name="pathlib.Path")
_OPEN = Value(Kind.OBJECT, name="builtins.open")
_TEXT = Value(Kind.STRING, name="text of a file")
_LISTING = behaviour.names(Trait.LISTS_FILES)
_FINDING = behaviour.methods(Trait.LISTS_FILES, "path")
_CUTTING = frozenset({"splitlines", "split"})
#: The reader of rows, and that of rows by the names of their columns.
_READING = {
    "csv.reader": _TABLE,
    "csv.DictReader": Value(Kind.ITERATOR, item=Value(Kind.DICT, item=ROW.item)),
}


def made(name: str) -> Value | None:
    """What calling an outside function gives, where that is a file, a path or files."""
    if name in _LISTING:
        return list_of(FOUND)
    if name in _READING:
        return _READING[name]
    if name == "os.walk":
        return list_of(sequence(Kind.TUPLE, (STRING, list_of(STRING), list_of(FOUND))))
    return next((value for value in (_PATH, _OPEN) if value.name == name), None)


def method(receiver: Value, name: str) -> Value:
    """What a method of a file, a path or what was read of one gives."""
    if receiver.name == _PATH.name and name in _FINDING:
        return list_of(_PATH)
    if receiver.name == _PATH.name and name == "open":
        return _OPEN
    if receiver.name in (_PATH.name, _OPEN.name) and name in ("read", "read_text"):
        return _TEXT
    if receiver.name == FILE:
        return ROW if name == "split" else UNKNOWN
    is_cut = name == "readlines" if receiver.name == _OPEN.name else name in _CUTTING
    return list_of(FOUND) if is_cut and receiver.name in (_OPEN.name, _TEXT.name) else UNKNOWN


def is_row(value: Value) -> bool:
    """Whether a value is a row of a table, or a line that was taken apart."""
    return value.kind in (Kind.LIST, Kind.DICT) and value.item == ROW.item


def is_path(value: Value) -> bool:
    """Whether a value is a path, from which `/` leads on."""
    return value.name == _PATH.name and value.kind is Kind.OBJECT


def member(value: Value) -> Value | None:
    """What going through an open file gives; None of anything else."""
    return FOUND if value.kind is Kind.OBJECT and value.name == _OPEN.name else None
