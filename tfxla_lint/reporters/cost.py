"""The words for what a finding costs, and which of several findings is the dearest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tfxla_lint.findings import WORTH_A_WORD, Finding, Range, Spent, Stake

_MINUTE, _HOUR = 60.0, 3600.0


class Words(NamedTuple):
    """How time is told of: what runs now is in a `state`; the time is "of" something; it goes by turns
    or by another `unit`; and it is less when done `otherwise`."""

    state: str
    of: str = ""
    unit: str = ""
    otherwise: str = " otherwise"


def words_of(spent: Spent) -> Words:
    """The words for what time is spent on."""
    match spent:
        case Spent.DISPATCH:
            return Words("eager", of=" of dispatch", otherwise=" in a graph")
        case Spent.CALLS:
            return Words("set up on each call")
        case Spent.TRACES:
            return Words("traced again and again", unit="trace")
        case Spent.ROWS:
            return Words("row by row", unit="row", otherwise=" for all at once")
        case Spent.ELEMENTS:
            return Words("in the pipeline", unit="element")
        case Spent.GRAPHS:
            return Words("a graph", of=" between kernels", otherwise=" when compiled")


def in_words(stake: Stake) -> str:
    """ "about 9 ms of dispatch on each of 12,000 turns: 1.8 minutes; 10 to 25 times quicker in a
    graph"."""
    each = _each(stake)
    factor = _factor(stake)
    total = stake.total
    at_most = "up to " if stake.is_most else ""
    text = f"{each}: {at_most}{spoken_range(total, stake)}" if total is not None else each
    return f"{text}; {factor}" if factor else text


def _each(stake: Stake) -> str:
    amount = spoken_range(stake.seconds, stake)
    times = stake.times
    number = f"{'up to ' if stake.is_most else ''}{times:,}" if times is not None else ""
    words = words_of(stake.spent)
    if words.unit:
        kind = f"for each {words.unit}" if times is None else f"for each of {number} {words.unit}s"
        return f"{_about(stake)}{amount} {kind}"
    what = "" if stake.is_measured else words.of
    where = "on every turn" if times is None else f"on each of {number} turns"
    where = "on its one turn" if times == 1 else where
    return f"{_about(stake)}{amount}{what} {where}"


def _about(stake: Stake) -> str:
    if stake.is_measured:
        return "measured: "
    return "at least " if stake.seconds.likely is None else "about "


def spoken_range(seconds: Range, stake: Stake) -> str:
    """The likeliest of a range of seconds, else its lower end."""
    return spoken(seconds.low if seconds.likely is None else seconds.likely, stake.is_measured)


def spoken(seconds: float, is_measured: bool = False) -> str:
    """Seconds in the unit that suits them: with one digit where they are an estimate below ten."""
    for least, unit, name in ((_HOUR, _HOUR, "hours"), (1.5 * _MINUTE, _MINUTE, "minutes")):
        if seconds >= least:
            return f"{_number(seconds / unit, True)} {name}"
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{_number(seconds / unit, is_measured)} {name}"
    return f"{_number(seconds / 1e-6, is_measured)} us"


def _number(value: float, is_exact: bool) -> str:
    if value < 10 and is_exact:
        return f"{value:.1f}"
    if value >= 100 and not is_exact:
        return f"{float(f'{value:.2g}'):,.0f}"
    return f"{value:,.0f}"


def _factor(stake: Stake) -> str:
    """ "10 to 25 times quicker in a graph"; "" where it is not known, or hardly worth a word."""
    factor, instead = stake.factor, words_of(stake.spent).otherwise
    if factor is None:
        return ""
    if factor.high is None:
        return f"{_times(factor.low)} times quicker or more{instead}"
    if factor.high < WORTH_A_WORD:
        return f"hardly quicker{instead}"
    if factor.low < WORTH_A_WORD:
        return f"up to {_times(factor.high)} times quicker{instead}"
    low, high = _times(factor.low), _times(factor.high)
    between = low if low == high else f"{low} to {high}"
    return f"{between} times quicker{instead}"


def _times(factor: float) -> str:
    return f"{factor:.1f}" if factor < 3 else f"{float(f'{factor:.2g}'):,.0f}"


def dearest_first(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by what mending them is worth; those of which that is not known come last."""
    return sorted(findings, key=lambda finding: (-finding.weight, finding.sort_key))
