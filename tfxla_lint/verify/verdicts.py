"""What verification says of one rewritten function or block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple


class Per(NamedTuple):
    """What a time is of, in words: above times, and behind one."""

    heading: str
    of_one: str


PER = {
    "call": Per("per call", "a call"),
    "turn": Per("per turn of the loop", "a turn of the loop"),
    "run": Per("whole run, start included", "for the whole run"),
}
#: What is timed: both sides, and the rewritten one compiled by XLA.
VARIANTS = ("original", "rewritten", "xla")
#: Why a run that differs nowhere says nothing of a function.
PASSED_BY = "it runs, but none of the statements that were changed in it do"
EQUIVALENT_STATUS, DIFFERS_STATUS, FAILED_STATUS, UNCHECKED_STATUS = 0, 1, 2, 3


class Outcome(str, Enum):
    """The three verdicts."""

    EQUIVALENT = "equivalent"
    DIFFERS = "differs"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class Evidence:
    """One place where the two sides differ, with both values."""

    kind: str
    path: str
    before: str
    after: str

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.before} in the original, {self.after} in the rewritten"


@dataclass(frozen=True)
class Timing:
    """The median time of one variant; for XLA also whether it agrees.

    `per` says of what it is the time: of a "call", of a "turn" of the loop around the code, or of the
    whole "run"; `calls` of how many it is the median. `first_milliseconds` is the time of the first
    one, where functions are traced and compiled. `megabytes` is the most memory that was taken on top
    of what was held before: by that first call, or by the run of the program that the turns are of.
    """

    variant: str
    milliseconds: float
    first_milliseconds: float | None = None
    traces: int | None = None
    agrees: bool | None = None
    per: str = "call"
    calls: int = 0
    megabytes: float | None = None


@dataclass(frozen=True)
class Lines:
    """Lines of both versions."""

    original: tuple[int, ...] = ()
    rewritten: tuple[int, ...] = ()

    @classmethod
    def made(cls, original: Iterable[int], rewritten: Iterable[int]) -> Lines:
        """The lines in order, each once."""
        return cls(tuple(sorted(set(original))), tuple(sorted(set(rewritten))))

    def __add__(self, other: Lines) -> Lines:
        return Lines.made((*self.original, *other.original), (*self.rewritten, *other.rewritten))


@dataclass(frozen=True)
class Power:
    """How many of so many wrong versions of the rewritten code would have been seen, and which not."""

    seen: int
    tried: int
    missed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """The verdict on one unit of a file.

    `method` says how it was run: by the module's own code ("program"), by declared examples
    ("examples"), with arguments that a search found ("arguments"), by the user's command ("run").
    `called` says what the first call that differs is passed. `error` is the largest error that passed, as a
    share of the largest element; `tolerances` maps dtypes to (relative, absolute) tolerances; `inputs` counts the calls or runs compared, `values` what
    was compared by kind. `changed` are the changed lines that can be told to run, `ran` those of them
    that did; `power` says how many wrong versions of the rewritten code would have been seen. With
    `refuses` the rewritten version raised where the original does not, on what no call passes: what
    agrees elsewhere does not outweigh that.
    """

    path: str
    unit: str
    outcome: Outcome
    reason: str = ""
    method: str = ""
    evidence: tuple[Evidence, ...] = ()
    called: str = ""
    error: float = 0.0
    tolerances: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    inputs: int = 0
    compared: int = 0
    values: Mapping[str, int] = field(default_factory=dict)
    changed: Lines = Lines()
    ran: Lines = Lines()
    power: Power | None = None
    refuses: bool = False
    note: str = ""
    timings: tuple[Timing, ...] = ()
    seconds: float = 0.0

    @classmethod
    def unchecked(cls, path: str, unit: str, reason: str, method: str = "") -> Verdict:
        """The verdict where nothing could be run."""
        return cls(path, unit, Outcome.NOT_CHECKED, reason, method)

    @classmethod
    def from_report(
        cls, path: str, unit: str, method: str, report: Mapping[str, Any], seconds: float
    ) -> Verdict:
        """The verdict that a worker's report gives."""
        return cls(
            path,
            unit,
            Outcome(report["verdict"]),
            report.get("reason", ""),
            method,
            tuple(Evidence(**row) for row in report.get("differences", ())),
            report.get("called", ""),
            float(report.get("error", 0.0)),
            {k: (v[0], v[1]) for k, v in report.get("tolerances", {}).items()},
            int(report.get("inputs", 0)),
            int(report.get("compared", 0)),
            report.get("values", {}),
            refuses=bool(report.get("refuses")),
            note=report.get("note", ""),
            timings=tuple(timings_of(report.get("times", ()))),
            seconds=seconds,
        )


def added_up(one: Verdict, more: Verdict) -> Verdict:
    """What two ways to run one unit give, of which none differs."""
    reached = [v for v in (one, more) if v.outcome is Outcome.EQUIVALENT]
    if not reached:
        reason = "; ".join(dict.fromkeys([one.reason, more.reason]))
        return replace(more, reason=reason)
    if len(reached) == 1:
        return reached[0]
    return replace(
        more,
        error=max(one.error, more.error),
        tolerances={**one.tolerances, **more.tolerances},
        inputs=one.inputs + more.inputs,
        compared=one.compared + more.compared,
        values=dict(Counter(one.values) + Counter(more.values)),
        note="; ".join(note for note in (one.note, more.note) if note),
        seconds=one.seconds + more.seconds,
    )


def timings_of(rows: Iterable[Mapping[str, Any]]) -> Iterable[Timing]:
    """The times that a worker's report gives."""
    for row in rows:
        if row.get("milliseconds") is not None:
            yield Timing(**{k: v for k, v in row.items() if k in Timing.__dataclass_fields__})


def status_of(verdicts: Iterable[Verdict]) -> int:
    """The exit status: 1 where something differs, 3 where something could not be checked, else 0."""
    outcomes = {verdict.outcome for verdict in verdicts}
    if Outcome.DIFFERS in outcomes:
        return DIFFERS_STATUS
    return UNCHECKED_STATUS if Outcome.NOT_CHECKED in outcomes else EQUIVALENT_STATUS
