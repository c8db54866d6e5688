"""Real names near one that does not exist: what its author may have meant."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.knowledge.tables import Version

MOST = 3
_CLOSE = 0.72


def near(name: str, version: Version | None = None) -> list[str]:
    """At most three existing names, the likeliest first; empty where nothing is near."""
    return list(_near(name, tables.neighbours(version)[0] if version is not None else None))


@lru_cache(maxsize=1024)
def _near(name: str, version: Version | None) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for candidate in _candidates(name, version):
        symbol = symbols.find(candidate, version)
        if symbol is not None and candidate != name:
            found.setdefault(symbol.canonical, candidate)
            if len(found) == MOST:
                break
    return tuple(found.values())


def is_slip(written: str, meant: str) -> bool:
    """Whether a name is another one with two neighbouring letters swapped, one left out or one more."""
    pairs = zip(written, meant, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(written), len(meant)))
    swapped = written[at + 1 : at + 2] + written[at : at + 1] + written[at + 2 :]
    rests = [(swapped, meant[at:])] if len(written) == len(meant) else []
    rests += [(written[at + 1 :], meant[at:]), (written[at:], meant[at + 1 :])]
    changed = f"{written[at : at + 2]}{meant[at : at + 1]}"
    return written != meant and changed.isalpha() and any(a == b for a, b in rests)


def renamed(name: str) -> str | None:
    """The TensorFlow 2 name that TensorFlow's own upgrade table gives for a TensorFlow 1 name."""
    new = tables.load("renames").get(name.removeprefix(symbols.ROOT))
    return symbols.ROOT + new if new else None


def in_compat_v1(name: str) -> str | None:
    """The name below `tensorflow.compat.v1` where it lives there."""
    if not name.startswith(symbols.ROOT):
        return None
    old = f"{symbols.ROOT}compat.v1.{name.removeprefix(symbols.ROOT)}"
    return old if symbols.exists(old) else None


def _candidates(name: str, version: Version | None) -> Iterator[str]:
    import difflib

    new = renamed(name)
    if new:
        yield new
    parent, _, leaf = name.rpartition(".")
    same = _by_leaf(version).get(leaf, [])
    yield from sorted(same, key=lambda n: (-_shared(n, name), n.count("."), n))[:2]
    siblings = {n.rpartition(".")[2]: n for n in _siblings(parent, version)}
    for close in difflib.get_close_matches(leaf, siblings, MOST, _CLOSE):
        yield siblings[close]
    words = {*leaf.split("_")}
    yield from (n for other, n in siblings.items() if words <= {*other.split("_")})
    for close in difflib.get_close_matches(leaf, _by_leaf(version), MOST, _CLOSE + 0.08):
        yield from _by_leaf(version)[close][:1]
    old = in_compat_v1(name)
    if old:
        yield old


def _siblings(parent: str, version: Version | None) -> Iterator[str]:
    """The members of the nearest parent that exists."""
    symbol = symbols.find(parent, version)
    while symbol is None and "." in parent:
        parent = parent.rpartition(".")[0]
        symbol = symbols.find(parent, version)
    if symbol is not None and symbol.kind == "class":
        yield from (method.name for method in symbol.methods.values())
    elif symbol is not None:
        dots = parent.count(".") + 1
        prefix = symbols.plain(parent + ".")
        yield from (n for n in symbols.names(version, prefix) if n.count(".") == dots)


@lru_cache(maxsize=4)
def _by_leaf(version: Version | None) -> dict[str, list[str]]:
    """Public names by their last part; raw ops and `compat.v1` left out."""
    found: dict[str, list[str]] = {}
    for table in ("api", "keras"):
        for short, entry in tables.load(table)["symbols"].items():
            if version is None or version in tables.versions_of(entry):
                found.setdefault(short.rpartition(".")[2], []).append(symbols.ROOT + short)
    for names in found.values():
        names.sort(key=lambda n: (n.count("."), len(n), n))
    return found


def _shared(left: str, right: str) -> int:
    """How many leading parts two names share."""
    count = 0
    for a, b in zip(left.split("."), right.split("."), strict=False):
        if a != b:
            break
        count += 1
    return count
