"""Draws endpoints at random."""

from __future__ import annotations

import random

from tfxla_lint.knowledge import symbols, tables, xla
from tfxla_lint.knowledge.tables import Version

RAW = "raw_ops."


def claimed(version: Version) -> list[str]:
    """All endpoints for which the table has a verdict by compiling, in a fixed order."""
    known = tables.load("xla")["endpoints"]
    return sorted(name for name in known if xla.verdict(f"{symbols.ROOT}{name}", version))


def surface(version: Version) -> list[str]:
    """The public functions and classes by their canonical names, `tf.raw_ops` apart."""
    found = set()
    for name in symbols.names(version, symbols.ROOT):
        symbol = symbols.find(name, version)
        if symbol is not None and symbol.kind in ("function", "class"):
            found.add(symbol.canonical.removeprefix(symbols.ROOT))
    return sorted(name for name in found if not name.startswith(RAW))


def draw(names: list[str], seed: int, count: int = 200) -> list[str]:
    return sorted(random.Random(seed).sample(names, count))
