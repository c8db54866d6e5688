"""Reads TOML, and finds the line on which a key or a value of it stands.

The standard parser gives no positions, so a small scanner walks the statements of a text that
the parser has already accepted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfxla_lint.regular import regular_bytes
from tfxla_lint.settings.errors import SettingsError

_STRING = r'"""(?:\\.|[^\\])*?"""|' r"'''.*?'''" r'|"(?:\\.|[^"\\\n])*"' r"|'[^'\n]*'"
_TOKEN = re.compile(rf"(?P<string>{_STRING})|(?P<comment>\#[^\n]*)|(?P<other>.)", re.DOTALL)
_KEY_PART = re.compile(rf"\s*(?:(?P<quoted>{_STRING})|(?P<bare>[A-Za-z0-9_-]+))\s*", re.DOTALL)
_BLANK = re.compile(r"(?:\s|\#[^\n]*)*")


#: So many parts a key has at most: the parser takes the square of that in time and memory.
_DEEPEST = 200
_PARTING = re.compile(r"[=,{}\[\]\n]")


def _loads(text: str) -> dict[str, Any]:
    """What a text of TOML holds; raises ValueError and RecursionError."""
    if any(line.count(".") > _DEEPEST for line in text.splitlines()):
        bare = "".join(match["other"] or "" for match in _TOKEN.finditer(text))
        if any(part.count(".") > _DEEPEST for part in _PARTING.split(bare)):
            raise ValueError("a key has too many parts")
    values: dict[str, Any] = _parser().loads(text)
    return values


def parse_toml(text: str) -> dict[str, Any] | None:
    """What a text of TOML holds, None where it is none."""
    try:
        return _loads(text)
    except (ValueError, RecursionError):
        return None


def _parser() -> Any:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib


def read_toml(path: Path, shown: str) -> tuple[dict[str, Any], str]:
    """The parsed contents of a TOML file and its text; raises SettingsError."""
    tomllib = _parser()
    try:
        text = regular_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError(f"the file is not UTF-8 ({error.reason})", shown) from None
    except OSError as error:
        raise SettingsError(f"cannot read it: {error.strerror}", shown) from None
    try:
        return _loads(text), text
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place.group(1)) if place else text.count("\n") + 1
        raise SettingsError(f"invalid TOML: {error}", shown, line) from None
    except RecursionError:
        raise SettingsError("invalid TOML: its values are nested too deeply", shown) from None
    except ValueError as error:
        # A number of thousands of digits.
        raise SettingsError(f"invalid TOML: {error}", shown) from None


@dataclass(frozen=True)
class _Statement:
    """One `key = value` or one table header: the full key, and where its value lies."""

    keys: tuple[str, ...]
    start: int
    value_start: int
    end: int


def locate(text: str, keys: Sequence[str], item: str | None = None) -> int:
    """The 1-based line of the key `keys`, or of the string `item` inside its value; 0 if unknown."""
    wanted = tuple(keys)
    best: _Statement | None = None
    for statement in _statements(text):
        shared = statement.keys[: len(wanted)] == wanted[: len(statement.keys)]
        if shared and (best is None or _closeness(statement, wanted) > _closeness(best, wanted)):
            best = statement
    if best is None:
        return 0
    offset = best.start
    rest = [*wanted[len(best.keys) :], *([item] if item is not None else [])]
    for word in rest:
        found = text.find(word, max(offset, best.value_start), best.end)
        offset = found if found >= 0 else offset
    return text.count("\n", 0, offset) + 1


def _closeness(statement: _Statement, wanted: tuple[str, ...]) -> tuple[bool, int]:
    """Orders statements by how exactly they speak of `wanted`."""
    return statement.keys == wanted, min(len(statement.keys), len(wanted))


def _statements(text: str) -> Iterator[_Statement]:
    table: tuple[str, ...] = ()
    position = _skip_blank(text, 0)
    while position < len(text):
        start = position
        if text[position] == "[":
            position += 2 if text.startswith("[[", position) else 1
            table, position = _read_keys(text, position)
            position = _end_of_line(text, position)
            yield _Statement(table, start, position, position)
        else:
            keys, value_start = _read_keys(text, position)
            position = max(_end_of_value(text, value_start + 1), start + 1)
            yield _Statement(table + keys, start, value_start, position)
        position = _skip_blank(text, position)


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _read_keys(text: str, position: int) -> tuple[tuple[str, ...], int]:
    """A dotted key from `position`, and the offset behind it."""
    keys: list[str] = []
    while match := _KEY_PART.match(text, position):
        keys.append(match.group("bare") or match.group("quoted")[1:-1])
        position = match.end()
        if not text.startswith(".", position):
            break
        position += 1
    return tuple(keys), position


def _end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _end_of_value(text: str, position: int) -> int:
    depth = 0
    for match in _TOKEN.finditer(text, position):
        char = match.group("other")
        if char in ("[", "{"):
            depth += 1
        elif char in ("]", "}"):
            depth -= 1
        elif char == "\n" and depth <= 0:
            return match.start()
    return len(text)
