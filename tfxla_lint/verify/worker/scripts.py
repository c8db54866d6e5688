"""The scenario "script": both sides are run as programs and what they leave behind is compared."""

from __future__ import annotations

import math
import os
from typing import Any, Callable, Dict, List, Mapping, Set, Tuple

from tfxla_lint.verify.worker.clock import Row, median_row, timed_turn
from tfxla_lint.verify.worker.comparing import (
    TRAINED,
    Comparison,
    Difference,
    settled,
    variables_of,
)
from tfxla_lint.verify.worker.draws import Draws
from tfxla_lint.verify.worker.entropy import OTHER_PACE, PACE, Reads
from tfxla_lint.verify.worker.evidence import shown, unlike
from tfxla_lint.verify.worker.sides import Failure, Side, Snapshot, are_alike, run_script, said
from tfxla_lint.verify.worker.texts import output_differences

Report = Dict[str, Any]
Tell = Callable[..., None]


class _Originals:
    """Snapshots of originals that were run lately: several rewrites of one program share them."""

    _KEPT = 8

    def __init__(self) -> None:
        self._known: Dict[str, Snapshot] = {}

    def run(self, side: Side, draws: Draws, turn: int) -> Snapshot:
        """The snapshot of the side's run number `turn`."""
        parts = (
            turn,
            side.source,
            side.path,
            side.argv,
            side.folder,
            side.eager,
            side.seed,
            side.pace,
        )
        key = repr((*parts, sorted(side.overlay.items())))
        if key not in self._known:
            while len(self._known) >= self._KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = run_script(side, draws)
        return self._known[key]


_originals = _Originals()


def check_script(job: Mapping[str, Any], draws: Draws, tell: Tell) -> Report:
    """Run both sides, and the original again where they differ: it may not agree with itself."""
    correcting = bool(job.get("correcting"))
    original = Side(job, job["sides"][0], eager=correcting)
    rewritten = Side(job, job["sides"][1], eager=False)
    tell("phase", side="original", what="script")
    before = _originals.run(original, draws, 0)
    report: Report = {"seconds": [before.seconds, 0.0], "hits": before.hits, "note": ""}
    report["passed_by"] = [unit for unit in job.get("inside", ()) if unit not in before.inside]
    if before.error is not None and not before.hits:
        report.update(verdict="not checked", reason=_fails("the original", before))
        return report
    if job.get("must_hit") and not before.hits:
        report.update(verdict="not checked", reason="the program does not run the changed code")
        return report
    tell("phase", side="rewritten", what="script")
    after = run_script(rewritten, draws)
    report["seconds"] = [before.seconds, after.seconds]
    report["unit_times"] = unit_times(job, [before, after])
    if before.error is not None:
        report["note"] = f"the original ends with {said(before.error)}"
    judge = _Judge(job)
    found = judge.differences(before, after)
    if found:
        tell("phase", side="original", what="script again")
        uneven = are_uneven(before.clocks, after.clocks)
        found, left_out, unstable = _settled(found, before, original, draws, judge, uneven)
        if left_out:
            names = LEFT_OUT + ", ".join(left_out[:6])
            report["note"] = "; ".join(part for part in (report["note"], names) if part)
        unseen = _computed(unstable, before)
        if unseen and not found:
            report.update(verdict="not checked", reason=UNSTABLE + ", ".join(unseen[:6]))
            return report
    if found and correcting:
        found = _against_itself(job, draws, after, judge, report)
    _conclude(report, judge.comparison, found)
    reason = "" if found else _why_open(job, before, after, original, draws)
    if reason:
        return {**report, "verdict": "not checked", "reason": reason}
    if job.get("xla_source") and not found and after.error is None:
        # XLA can end the process; the verdict must not go with it.
        tell("interim", **report)
        tell("phase", side="xla", what="script")
        _add_xla(job, draws, before, after, original, report)
    return report


def _why_open(
    job: Mapping[str, Any],
    before: Snapshot,
    after: Snapshot,
    original: Side,
    draws: Draws,
) -> str:
    """Why two runs that do not differ show nothing; empty where they do."""
    if before.error is not None and after.error is not None:
        return f"{_beyond(before.error, job)}: both versions end with {said(before.error)}"
    turned = job.get("turned", ())
    if before.error is not None:
        # The rewritten was held against its own eager run, as a whole.
        return "" if shown(None, after.state, after.output, after.calls, turned) else NOTHING_SHOWN
    seen = shown(before.start, before.state, before.output, before.calls, turned)
    if seen.numbers and not seen.arrays and any(r.total for r in before.clocks.values()):
        other = _by_other_clock(original, draws)
        seen.numbers -= unlike((before.state, before.output), (other.state, other.output))
    return "" if seen else NOTHING_SHOWN


NOTHING_SHOWN = (
    "nothing that the changed code computes could be compared: the program neither keeps nor"
    " prints a value that depends on it"
)


def _beyond(error: Failure, job: Mapping[str, Any]) -> str:
    """How far two runs were compared that end with the same error."""
    if not error.line:
        return "nothing was compared beyond an error"
    if error.path != job["path"]:
        return f"not checked beyond line {error.line} of {os.path.basename(error.path)}"
    cells = [(first, f"line {{}} of cell {cell}") for first, cell in job.get("cells", ())]
    first, place = max([c for c in cells if c[0] <= error.line], default=(1, "line {}"))
    return f"not checked beyond {place.format(error.line - first + 1)}"


def unit_times(job: Mapping[str, Any], runs: List[Snapshot]) -> Dict[str, List[Row]]:
    """What to say of the time of each unit, in the order of the runs: of a turn, or of a call.

    The third run is that of the version compiled by XLA.
    """
    found: Dict[str, List[Row]] = {}
    loops: Dict[str, List[Any]] = {}
    for loop in job.get("turns", ()):
        loops.setdefault(loop["unit"], []).append(loop)
    for unit in job.get("units", ()):
        number = timed_turn(loops.get(unit, ()), [run.turns for run in runs])
        if number is not None:
            rows = [median_row(run.turns[number], "turn") for run in runs]
        else:
            rows = [run.times.get(unit) for run in runs]
        known = [dict(row) for row in rows if row is not None]
        if len(known) == len(runs):
            for row, run, variant in zip(known, runs, VARIANTS):
                row["variant"] = variant
                traces = [run.traces.get(name, 0) for name in job.get("made", {}).get(unit, ())]
                row["traces"] = sum(traces) or row.get("traces")
            known[0].pop("first_milliseconds", None)
            found[unit] = known
    return found


VARIANTS = ("original", "rewritten", "xla")


def _add_xla(
    job: Mapping[str, Any],
    draws: Draws,
    before: Snapshot,
    after: Snapshot,
    original: Side,
    report: Report,
) -> None:
    """Time the rewritten program compiled by XLA too; what it computes decides nothing."""
    source = job["xla_source"]
    given = job["sides"][1]
    overlay = {**given.get("overlay", {}), job["path"]: source}
    side = Side(job, {"label": "xla", "source": source, "overlay": overlay}, eager=False)
    run = run_script(side, draws)
    judge = _Judge({**job, "xla": True})
    found = judge.differences(before, run)
    if found:
        uneven = are_uneven(before.clocks, run.clocks)
        found, _, _ = _settled(found, before, original, draws, judge, uneven)
    report["seconds"] = [*report["seconds"], run.seconds]
    report["xla_agrees"] = not found
    for unit, rows in unit_times(job, [before, after, run]).items():
        report["unit_times"][unit] = rows
        rows[2]["agrees"] = not found


LEFT_OUT = "not compared, since they change from run to run or hang on the last digit: "
UNSTABLE = "what it computes changes from run to run: "


def _settled(
    found: List[Difference],
    before: Snapshot,
    original: Side,
    draws: Draws,
    judge: _Judge,
    uneven: bool,
) -> Tuple[List[Difference], List[str], List[str]]:
    """The differences that stand, what is left out, and what of that changes from run to run.

    `uneven` says that the sides read clocks unequally often, so that what hangs on them differs.
    """
    again = _by_other_clock(original, draws) if uneven else _originals.run(original, draws, 1)
    rerun = judge.differences(before, again)
    left, unstable = settled(found, rerun, [])
    if not left or all(math.isinf(d.gap) for d in left):
        return left, unstable, unstable
    original.nudged = True
    nudge = judge.differences(before, _originals.run(original, draws, 2))
    original.nudged = False
    return (*settled(found, rerun, nudge), unstable)


def _by_other_clock(original: Side, draws: Draws) -> Snapshot:
    """The original run again, by a clock that goes at another pace."""
    original.pace = OTHER_PACE
    try:
        return _originals.run(original, draws, 1)
    finally:
        original.pace = PACE


def _computed(places: List[str], before: Snapshot) -> List[str]:
    """Those of the places that are results of watched functions or float variables."""
    known = variables_of(before.state)
    calls = tuple(f"{name}()#" for name in before.calls)
    return [place for place in places if place in known or place.startswith(calls)]


def _against_itself(
    job: Mapping[str, Any], draws: Draws, after: Snapshot, judge: _Judge, report: Report
) -> List[Difference]:
    """The original is wrong even when run eagerly: the rewrite must agree with its own eager run."""
    side = Side(job, job["sides"][1], eager=True)
    eager = run_script(side, draws)
    report["note"] = "compared with its own eager run, since the original fails or is wrong"
    if after.error is not None:
        return [Difference("exception", "", "", _text(after))]
    found = judge.differences(eager, after)
    if found:
        found, _ = settled(found, judge.differences(eager, run_script(side, draws)), [])
    report["hits"] = {**after.hits, **report["hits"]}
    return found


def _conclude(report: Report, comparison: Comparison, found: List[Difference]) -> Report:
    report.update(
        verdict="differs" if found else "equivalent",
        differences=[difference.as_json() for difference in found[:20]],
        error=comparison.error,
        compared=comparison.leaves,
        tolerances=comparison.tolerances,
        inputs=max(1, sum(report["hits"].values())),
    )
    return report


def _fails(who: str, snapshot: Snapshot) -> str:
    return f"{who} does not run: {_text(snapshot)}"


def _text(snapshot: Snapshot) -> str:
    if snapshot.error is None:
        return "no exception"
    return said(snapshot.error)


Clocks = Mapping[str, Reads]


def are_uneven(before: Clocks, after: Clocks) -> bool:
    """Whether two runs read the clocks unequally often."""
    return sum(r.total for r in before.values()) != sum(r.total for r in after.values())


def frozen_clocks(before: Clocks, after: Clocks) -> List[Difference]:
    """Clocks that the original reads each time and the rewritten code when it is traced."""
    found = []
    for name, reads in before.items():
        others = after.get(name, reads)
        if others.traced > reads.traced and others.total < reads.total:
            frozen = f"{_calls(others.total)}, frozen when traced,"
            found.append(Difference("clock", name, _calls(reads.total), frozen))
    return found


def _calls(count: int) -> str:
    return f"{count} call{'s' if count != 1 else ''}"


class _Judge:
    """Compares snapshots under the job's tolerances."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self._gone: Set[str] = set(job.get("gone", ()))
        self._xla = bool(job.get("xla"))
        self._is_correcting = bool(job.get("correcting"))
        self._is_silent = "pytest" in job.get("argv", ())
        self.comparison = Comparison(self._xla, TRAINED, self._gone)

    def differences(self, before: Snapshot, after: Snapshot) -> List[Difference]:
        """Where two snapshots differ."""
        errors = (before.error, after.error)
        if any(errors) and not (errors[0] and errors[1] and are_alike(errors[0], errors[1])):
            return [Difference("exception", "exception", _text(before), _text(after))]
        self.comparison = Comparison(self._xla, TRAINED, self._gone)
        found = [] if self._is_correcting else frozen_clocks(before.clocks, after.clocks)
        found += self._calls(before, after)
        found += self.comparison.compare("", before.state, after.state, strict=False)
        if not self._is_silent:
            printed = output_differences(before.output, after.output)
            found += [Difference("output", *line) for line in printed]
        return found

    def _calls(self, before: Snapshot, after: Snapshot) -> List[Difference]:
        """Results of the calls of marked functions, where both sides called them as often."""
        found: List[Difference] = []
        for name, left in before.calls.items():
            right = after.calls.get(name, [])
            if before.hits.get(name) != after.hits.get(name):
                continue
            for number, (a, b) in enumerate(zip(left, right)):
                path = f"{name}()#{number + 1}"
                found += self.comparison.compare(path, a, b, strict=False)[:3]
        return found
