"""Which of several changes makes two versions differ: each is run by itself, the others undone."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfxla_lint.verify.verdicts import Evidence, Outcome, Verdict

_NUMBER = re.compile(r"\d+")
Report = Mapping[str, Any]
Run = Callable[[Sequence[str]], tuple[Verdict, Report]]


def blamed(
    units: Sequence[str], whole: Verdict, run: Run, seconds: float, alone: bool
) -> dict[str, tuple[Verdict, Report]]:
    """The verdict on each of `units`, where all their changes together give `whole`: differs.

    `run` runs the original against the changes of some units only. With `alone` those of all units
    are first run by themselves, since those of other files were part of it. Groups are halved, so
    that one wrong change among many is found in few runs; what does not come up within `seconds`
    is not checked.
    """
    found: dict[str, tuple[Verdict, Report]] = {}
    pending = [list(units)] if alone else _halves(units)
    stop = time.monotonic() + seconds
    while pending:
        group = pending.pop(0)
        if time.monotonic() > stop:
            found.update(
                {unit: (unsaid(whole, "there was no time to tell which"), {}) for unit in group}
            )
            continue
        verdict, report = run(group)
        if verdict.outcome is Outcome.EQUIVALENT or len(group) == 1:
            found.update({unit: (by_itself(verdict, whole), report) for unit in group})
        else:
            pending += _halves(group)
    return found


def by_itself(verdict: Verdict, whole: Verdict) -> Verdict:
    """What a run with one change alone says of it.

    Where that fails in another way than all changes together do, it needs the others to run. Where it
    differs in other places, that shows nothing of these; what is quoted is what all changes together give.
    """
    if verdict.outcome is not Outcome.DIFFERS:
        return verdict
    known = {row.after for row in whole.evidence}
    for row in verdict.evidence:
        if row.kind == "exception" and row.after not in known:
            return unsaid(whole, f"alone it fails: {row.after}")
    both = shared(verdict, whole)
    if whole.evidence and verdict.evidence and not both:
        return unsaid(whole, "alone it differs in other places")
    return dataclasses.replace(verdict, evidence=both or whole.evidence)


def shared(verdict: Verdict, whole: Verdict) -> tuple[Evidence, ...]:
    """The evidence of `whole` for the places in which a run with some of its changes differs, too.

    In which call or line a difference comes up first is no matter.
    """
    places = {_NUMBER.sub("", row.path) for row in verdict.evidence}
    return tuple(row for row in whole.evidence if _NUMBER.sub("", row.path) in places)


def unsaid(whole: Verdict, why: str) -> Verdict:
    """The verdict on a change of which it cannot be said whether it is to blame."""
    place = f" ({whole.evidence[0]})" if whole.evidence else ""
    reason = f"it differs together with other changes{place}, and {why}"
    return dataclasses.replace(whole, outcome=Outcome.NOT_CHECKED, reason=reason, evidence=())


def _halves(units: Sequence[str]) -> list[list[str]]:
    middle = len(units) // 2
    return [part for part in (list(units[:middle]), list(units[middle:])) if part]
