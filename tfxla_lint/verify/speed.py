"""What measured times say in words: what is slower, what XLA would bring, what is not worth it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tfxla_lint.registry import read_catalogue
from tfxla_lint.verify.verdicts import PER, Outcome, Timing, Verdict

#: What is for speed alone has to take at most this share of the time that the other takes.
MARGIN = 0.9
#: Slower by more than this share is said.
_SLOWER = 1.1
#: Of so many calls or turns a median has to be.
_ENOUGH = 3


def measured(verdict: Verdict, *variants: str) -> tuple[Timing, ...]:
    """The times of the variants, if each is the median of enough calls or turns."""
    found = {timing.variant: timing for timing in verdict.timings}
    times = tuple(found[variant] for variant in variants if variant in found)
    is_enough = all(t.per != "run" and t.calls >= _ENOUGH for t in times)
    return times if is_enough and len(times) == len(variants) else ()


def times_faster(verdict: Verdict) -> float | None:
    """How many times faster the rewritten version is, where both were measured."""
    times = measured(verdict, "original", "rewritten")
    if not times or not times[1].milliseconds:
        return None
    return times[0].milliseconds / times[1].milliseconds


def with_remarks(verdict: Verdict, advises: bool = True) -> Verdict:
    """The verdict with what its times say in its note: that it is slower, that XLA would be faster."""
    remarks = [slower(verdict), xla_advice(verdict) if advises else ""]
    note = "; ".join(part for part in (verdict.note, *remarks) if part)
    return dataclasses.replace(verdict, note=note)


def slower(verdict: Verdict) -> str:
    """That the rewritten version is slower, by more than a tenth, in words; "" where it is not."""
    times = measured(verdict, "original", "rewritten")
    if verdict.outcome is not Outcome.EQUIVALENT or not times:
        return ""
    old, new = times
    if new.milliseconds <= _SLOWER * old.milliseconds:
        return ""
    return f"slower here: {_time(new)} {PER[new.per].of_one} against {_time(old)}"


def xla_advice(verdict: Verdict) -> str:
    """That the version compiled by XLA computes the same and is faster, in words; else ""."""
    times = measured(verdict, "rewritten", "xla")
    if verdict.outcome is not Outcome.EQUIVALENT or not times:
        return ""
    new, xla = times
    if not xla.agrees or not xla.milliseconds or xla.milliseconds > MARGIN * new.milliseconds:
        return ""
    factor = new.milliseconds / xla.milliseconds
    rules = ", ".join(read_catalogue().for_xla)
    return (
        f"XLA would take {_time(xla)} {PER[xla.per].of_one}, {factor:.1f} times faster: see {rules}"
    )


def not_worth_it(verdicts: Sequence[Verdict]) -> str:
    """Why a fix that is for speed alone must not stand; "" where it is measured to be faster."""
    for verdict in verdicts:
        if verdict.outcome is Outcome.NOT_CHECKED:
            return f"it could not be checked: {verdict.reason}"
    found = [times for v in verdicts if (times := measured(v, "original", "rewritten"))]
    if not found:
        return "it could not be measured: it is called too seldom, or not by itself"
    for old, new in found:
        if new.milliseconds > MARGIN * old.milliseconds:
            return f"it is not faster here: {_time(new)} {PER[new.per].of_one} against {_time(old)}"
    return ""


def milliseconds(value: float) -> str:
    """A time to three digits, without an exponent."""
    return f"{value:.0f} ms" if value >= 100 else f"{value:.3g} ms"


def megabytes(value: float) -> str:
    """An amount of memory."""
    return f"{value:.0f} MB"


def _time(timing: Timing) -> str:
    return milliseconds(timing.milliseconds)
