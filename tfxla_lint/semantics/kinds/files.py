"""Files: what opening them, and paths that lead to them, give to go through."""

from __future__ import annotations

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.values import FILE, STRING, UNKNOWN, Kind, Value, list_of, sequence

#: A file that was found, by its name or as a path, or a line of one.
FOUND = Value(Kind.STRING, name=FILE)
_PATH = Value(Kind.OBJECT, name="pathlib.Path")
_OPEN = Value(Kind.OBJECT, name="builtins.open")
_TEXT = Value(Kind.STRING, name="text of a file")
_LISTING = behaviour.names(Trait.LISTS_FILES)
_FINDING = behaviour.methods(Trait.LISTS_FILES, "path")
_CUTTING = frozenset({"splitlines", "split"})


def made(name: str) -> Value | None:
    """What calling an outside function gives, where that is a file, a path or files."""
    if name in _LISTING:
        return list_of(FOUND)
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
    is_cut = name == "readlines" if receiver.name == _OPEN.name else name in _CUTTING
    return list_of(FOUND) if is_cut and receiver.name in (_OPEN.name, _TEXT.name) else UNKNOWN


def is_path(value: Value) -> bool:
    """Whether a value is a path, from which `/` leads on."""
    return value.name == _PATH.name and value.kind is Kind.OBJECT


def member(value: Value) -> Value | None:
    """What going through an open file gives; None of anything else."""
    return FOUND if value.kind is Kind.OBJECT and value.name == _OPEN.name else None
