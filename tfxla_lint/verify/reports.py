"""Verdicts as text for people and as JSON for machines."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tfxla_lint.semantics.measured_words import counted
from tfxla_lint.verify.speed import megabytes, milliseconds
from tfxla_lint.verify.verdicts import PER, Outcome, Power, Timing, Verdict, status_of

VERSION = 1
METHODS = {
    "program": "run by the module's own code",
    "examples": "called with the declared examples",
    "arguments": "called with arguments that were found",
    "run": "run by the command",
    "": "not run",
}


def as_json(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The verdicts and their sum; `version` changes when fields change their meaning."""
    counts = Counter(verdict.outcome.value for verdict in verdicts)
    return {
        "version": VERSION,
        "status": status_of(verdicts),
        "counts": {outcome.value: counts[outcome.value] for outcome in Outcome},
        "verdicts": [_row(verdict) for verdict in verdicts],
    }


def _row(verdict: Verdict) -> dict[str, Any]:
    row = dataclasses.asdict(verdict)
    row["outcome"] = verdict.outcome.value
    row["tolerances"] = {
        dtype: {"relative": rtol, "absolute": atol}
        for dtype, (rtol, atol) in verdict.tolerances.items()
    }
    return row


def as_lines(verdict: Verdict) -> Iterator[str]:
    """The verdict in words: what it is, how it was reached, what differs, how long calls take."""
    yield f"{verdict.path}: {verdict.unit}: {verdict.outcome.value}{_ground(verdict)}"
    grounds = list(grounds_of(verdict))
    if grounds:
        yield f"    {'; '.join(grounds)}"
    for item in verdict.evidence[:3]:
        yield f"    {item}"
    if len(verdict.evidence) > 3:
        yield f"    and {len(verdict.evidence) - 3} more differences"
    if verdict.called:
        yield f"    called with {verdict.called}"
    if verdict.note:
        yield f"    {verdict.note}"
    if verdict.timings:
        yield f"    {time_table(verdict.timings)}"


def _ground(verdict: Verdict) -> str:
    if verdict.outcome is Outcome.NOT_CHECKED:
        return f": {verdict.reason}"
    how = METHODS[verdict.method]
    if verdict.outcome is Outcome.DIFFERS:
        return f" ({how})"
    parts = [f"{how}, {counted(verdict.inputs, 'call')}"]
    parts.append(f"{verdict.compared} values, largest error {verdict.error:.1e}")
    if verdict.tolerances:
        parts.append(f"tolerance {tolerance_text(verdict)}")
    return f" ({', '.join(parts)})"


def grounds_of(verdict: Verdict) -> Iterator[str]:
    """What a verdict that nothing differs rests on: lines that ran, values, what would be seen."""
    if verdict.outcome is Outcome.DIFFERS:
        return
    ran, changed = (len(x.original) + len(x.rewritten) for x in (verdict.ran, verdict.changed))
    if changed:
        yield f"{ran} of {counted(changed, 'changed line')} run"
    if verdict.values:
        parts = ", ".join(f"{count} {kind}" for kind, count in verdict.values.items())
        yield f"compared: {parts}"
    if verdict.power is not None:
        yield power_text(verdict.power)


def power_text(power: Power) -> str:
    """How many wrong versions would have been seen, and what would have slipped through."""
    text = f"{power.seen} of {power.tried} changes to it would have been seen"
    return f"{text}, but not {'; '.join(power.missed)}" if power.missed else text


def tolerance_text(verdict: Verdict) -> str:
    """The tolerances in words, for each dtype that was met."""
    return ", ".join(
        f"{dtype} {rtol:.0e} relative and {atol:.0e} of the largest element"
        for dtype, (rtol, atol) in sorted(verdict.tolerances.items())
    )


def time_table(timings: Sequence[Timing]) -> str:
    """The median times in one line."""
    parts = []
    for timing in timings:
        remarks = remarks_on(timing)
        text = f"{timing.variant} {milliseconds(timing.milliseconds)}"
        parts.append(f"{text} ({', '.join(remarks)})" if remarks else text)
    return f"{PER[timings[0].per].heading}: {', '.join(parts)}"


def remarks_on(timing: Timing) -> list[str]:
    """What else is known of a variant: the first call, where it is traced, and the traces."""
    parts = []
    if timing.first_milliseconds is not None:
        parts.append(f"first {timing.per} {milliseconds(timing.first_milliseconds)}")
    if timing.megabytes is not None and timing.variant != "original":
        parts.append(megabytes(timing.megabytes))
    if timing.traces is not None:
        parts.append(counted(timing.traces, "trace"))
    if timing.agrees is False:
        parts.append("computes something else")
    return parts


def summary(verdicts: Sequence[Verdict]) -> str:
    """How many of each."""
    if not verdicts:
        return "No code differs."
    counts = Counter(verdict.outcome for verdict in verdicts)
    return ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome) + "."
