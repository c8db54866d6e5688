"""What TensorFlow asks for a call of each kind, in microseconds on the reference machine.

`prices.json` holds what `tools/harvest` measured; this module looks it up.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from functools import cache
from typing import Any

from tfxla_lint.knowledge import tables


def price(part: str, name: str) -> Mapping[str, float] | None:
    """The figures of one kind of call, such as the layer "Dense"; None where it was not measured."""
    found: Mapping[str, float] | None = tables.load("prices")[part].get(name)
    return found


def figure(part: str, name: str) -> float:
    """One figure that stands by itself, such as that of the call "predict"."""
    found: float = tables.load("prices")[part][name]
    return found


@cache
def usual(part: str) -> tuple[Mapping[str, float], Mapping[str, float], Mapping[str, float]]:
    """What kinds of a part ask that have no figures of their own: a cheap, a middling, a dear one."""
    rows: list[dict[str, float]] = list(tables.load("prices")[part].values())
    keys = {key for row in rows for key in row}
    found: list[dict[str, float]] = [{}, {}, {}]
    for key in keys:
        values = sorted(row[key] for row in rows if key in row)
        low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
        for each, value in zip(found, (low, middle, high), strict=True):
            each[key] = value
    return found[0], found[1], found[2]


@cache
def compiled_shares() -> tuple[float, float, float]:
    """What is left of the time that a graph's nodes take where XLA compiles them: where it helps
    most, usually, and where it helps least, among the graphs that were measured."""
    table = tables.load("prices")
    pairs = ((table["compiled"][name], took) for name, took in table["graphs"].items())
    shares = [min(compiled / took, 1.0) for compiled, took in pairs if took]
    return min(shares), statistics.median(shares), max(shares)


@cache
def about() -> Mapping[str, Any]:
    """The machine and the versions that the figures were measured on."""
    found: Mapping[str, Any] = tables.load("prices")["about"]
    return found
