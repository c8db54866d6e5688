"""Reads the data files, each once, when first asked for.

An *entry* is valid for some of the covered versions. One that holds for all of them is stored
bare; else it is stored by ranges, as in ``{"2.12-2.15": old, "2.16-2.21": new}``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

Version = tuple[int, int]

#: The first version of TensorFlow 2.
_FIRST: Version = (2, 0)

FOLDER = Path(__file__).parent


@cache
def load(name: str) -> dict[str, Any]:
    """The table `name` (without ``.json``)."""
    table: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_bytes())
    return table


@lru_cache(maxsize=1)
def covered() -> tuple[Version, ...]:
    """The TensorFlow versions that the tables cover, oldest first."""
    return tuple((major, minor) for major, minor in load("versions")["versions"])


def newest() -> Version:
    """The newest covered version."""
    return covered()[-1]


def refusal(version: Version) -> str:
    """Why nothing can be said of a version, "" where the tables or their oldest row speak of it."""
    last = newest()
    if _FIRST <= version <= last:
        return ""
    known = f"{_FIRST[0]}.{_FIRST[1]} to {last[0]}.{last[1]}"
    return f"TensorFlow {version[0]}.{version[1]} is not known; known are {known}"


def neighbours(version: Version) -> tuple[Version, ...]:
    """The covered versions that speak for `version`: itself, or the ones on both sides of it."""
    known = covered()
    if version in known:
        return (version,)
    below = [v for v in known if v < version]
    above = [v for v in known if v > version]
    return tuple(below[-1:] + above[:1])


def parse_version(text: str) -> Version:
    """``"2.12"`` as ``(2, 12)``; anything after the second number is ignored."""
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


@cache
def parse_ranges(text: str) -> frozenset[Version]:
    """The covered versions that a range text such as ``"2.12,2.16-2.21"`` names."""
    found: set[Version] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        low, high = parse_version(first), parse_version(last or first)
        found.update(v for v in covered() if low <= v <= high)
    return frozenset(found)


def variants(entry: Any) -> Iterator[tuple[frozenset[Version], Any]]:
    """Each version of an entry with the covered versions for which it holds."""
    if isinstance(entry, dict):
        for ranges, value in entry.items():
            yield parse_ranges(ranges), value
    else:
        yield _all_covered(), entry


@lru_cache(maxsize=1)
def _all_covered() -> frozenset[Version]:
    return frozenset(covered())


def at(entry: Any, version: Version | None) -> Any:
    """What an entry holds for a covered version (None: the newest that has it), or None."""
    if not isinstance(entry, dict):
        return entry
    known = {v: value for versions, value in variants(entry) for v in versions}
    if version is None:
        return known[max(known)] if known else None
    return known.get(version)


def versions_of(entry: Any) -> frozenset[Version]:
    """The covered versions in which an entry exists."""
    if not isinstance(entry, dict):
        return _all_covered()
    return frozenset().union(*map(parse_ranges, entry))
