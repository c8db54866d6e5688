"""The scenario "script": both sides are run as programs and what they leave behind is compared."""

from __future__ import annotations

import itertools
import os
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Set, Tuple

from tfxla_lint.sandbox.inside.entropy import OTHER_PACE, PACE
from tfxla_lint.verify.worker.beside import has_files
from tfxla_lint.verify.worker.comparing import (
    Difference,
    variables_of,
)
from tfxla_lint.verify.worker.evidence import shown, unlike
from tfxla_lint.verify.worker.further import NO_ROWS
from tfxla_lint.verify.worker.judging import Judge, text_of
from tfxla_lint.verify.worker.power import MISSED, SEEN, tried
from tfxla_lint.verify.worker.recalls import Recalls
from tfxla_lint.verify.worker.replays import Varied
from tfxla_lint.verify.worker.settling import (
    ITS_OWN,
    Found,
    Report,
    Settled,
    Tell,
    are_uneven,
    joined,
    judged,
    not_checked,
    odd_words,
    settle,
    standing,
    uncompared,
)
from tfxla_lint.verify.worker.sides import (
    Failure,
    Side,
    Snapshot,
    run_script,
    run_without,
    said,
)
from tfxla_lint.verify.worker.turned import Row, timed_turn, turn_rows
from tfxla_lint.verify.worker.variations import LEAST, UNEVEN
from tfxla_lint.verify.worker.wrongs import Wrongs

#: So long wrong versions are run at least, also where the program is shorter, and so many of them.
_POWER_SECONDS, _FEW = 0.5, 2
#: So many runs of the original all may take together, and this share of one calls of wrong versions.
_RUNS, _OF_A_RUN = 2.5, 0.3
VARIANTS = ("original", "rewritten", "xla")
NOTHING_SHOWN = (
    "nothing that the changed code computes could be compared: the program neither keeps nor"
    " prints a value that depends on it"
)


OF_NAN = "it gives something else with NaN, which no program passes, at "
SETTABLE = "who uses it may set what no code here does, and then it differs: "
KEPT = "a trace keeps what no code here sets later: not compared "


class _Originals:
    """Snapshots of originals that were run lately: several rewrites of one program share them."""

    _KEPT = 8

    def __init__(self) -> None:
        self._known: Dict[str, Snapshot] = {}

    def run(self, side: Side, is_again: bool = False) -> Snapshot:
        """The snapshot of the side's first or second run."""
        where = (side.path, side.argv, side.folder, side.beside)
        program = (side.source, *where, sorted(side.overlay.items()))
        key = repr((is_again, *program, side.eager, side.pace, side.nudged))
        if key not in self._known:
            while len(self._known) >= self._KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = run_script(side)
        return self._known[key]


_originals = _Originals()


def _is_without_rows(difference: Difference) -> bool:
    """Whether only the rewritten version raises, where it is passed sizes that no call has."""
    ends = tuple(f" with {words}" for words in (NO_ROWS, UNEVEN, LEAST))
    return difference.kind == "exception" and difference.path.endswith(ends)


def check_script(job: Mapping[str, Any], tell: Tell) -> Report:
    """Run both sides, and the original again where they differ: it may not agree with itself."""
    return _Check(job, tell).report()


class _Check:
    """One job, with the run of its original."""

    def __init__(self, job: Mapping[str, Any], tell: Tell) -> None:
        self._job = job
        self._tell = tell
        self._is_correcting = bool(job.get("correcting"))
        self._original = Side(job, job["sides"][0], eager=self._is_correcting)
        self._began = time.perf_counter()
        #: What became of wrong versions where functions were called again, by number.
        self._recalled: Dict[str, str] = {}
        tell("phase", side="original", what="script")
        self._before = self._first()

    def _first(self) -> Snapshot:
        """The run of the original: in an empty folder, or where it needs them with the files beside it."""
        before = _originals.run(self._original)
        beside = self._job.get("beside", "")
        is_short = before.error is not None or not before.hits
        if is_short and beside and not self._original.folder and has_files(beside):
            job = {**self._job, "copied": beside}
            side = Side(job, job["sides"][0], eager=self._is_correcting)
            other = _originals.run(side)
            if other.hits and other.error is None:
                self._job, self._original = job, side
                return other
        return before

    def report(self) -> Report:
        """What running both gives."""
        job, before = self._job, self._before
        report: Report = {"seconds": [before.seconds, 0.0], "hits": before.hits, "note": ""}
        if not before.hits and before.error is not None:
            return {**report, **not_checked(f"the original does not run: {text_of(before)}")}
        if not before.hits and job.get("must_hit"):
            return {**report, **not_checked("the program does not run the changed code")}
        self._tell("phase", side="rewritten", what="script")
        side = Side(job, job["sides"][1], eager=False)
        side.is_eager_too, side.on_end = True, self._recall
        side.held = before.left.held
        after = run_script(side)
        report["seconds"] = [before.seconds, after.seconds]
        report["ran"] = [sorted(run.ran) for run in (before, after)]
        report["left_out"] = {
            name: [n for replay in replays if replay.result is not None for n in replay.defaults]
            for name, replays in before.replays.items()
        }
        report["outside"] = {
            name: _outside(
                job, name, before.varied[name], Judge(job).varied_alike(name, before, after)
            )
            for name in before.varied
        }
        report["changed"] = before.changed
        report["passed"] = before.passed
        report["untaped"] = before.untaped
        report["unit_times"] = unit_times(job, [before, after])
        report["note"] = run_without(before.stood_in)
        if job.get("copied"):
            report["note"] = joined(report["note"], "run with copies of the files beside it")
        if before.error is not None:
            ends = f"the original ends with {said(before.error)}"
            report["note"] = joined(report["note"], ends)
        judge = Judge(job)
        found, left_out = judge.differences(before, after), []
        if found:
            self._tell("phase", side="original", what="script again")
            settled = self._settled(found, after, judge)
            report["note"] = joined(report["note"], settled.note)
            found, is_open = settled.found, settled.open(self._is_computed)
            left_out = settled.left_out
            if is_open:
                return {**report, **is_open}
        if found and not self._is_correcting:
            found, come_and_gone = self._coming_again(found, judge)
            report["note"] = joined(report["note"], come_and_gone)
        if found and all(d.is_settable for d in found):
            ran: Set[int] = set()
            if self._unlike_eagerly(found, judge, lambda d: d.is_settable, ran):
                return {**report, **not_checked(SETTABLE + found[0].path)}
            report["note"], found = joined(report["note"], KEPT + found[0].path), []
            report["ran"][1] = sorted(ran.union(report["ran"][1]))
        if found and all(d.is_of_nan for d in found):
            return {**report, **not_checked(OF_NAN + found[0].path)}
        if found and not self._is_correcting and all(d.is_bare for d in found):
            found = self._unlike_eagerly(found, judge, lambda d: d.is_bare)
        if found and self._is_correcting:
            found = self._against_itself(after, judge)
            report["note"] = ITS_OWN
            if after.error is None:
                report["hits"] = {**after.hits, **report["hits"]}
        if found and all(_is_without_rows(d) for d in found):
            reason = f"it refuses {found[0].path}, which the original takes"
            return {**report, **not_checked(reason), "refuses": True}
        report.update(judged(judge.comparison, found, max(1, sum(report["hits"].values()))))
        if not found and report["note"] != ITS_OWN:
            odd = odd_words(judge.odd)
            report["note"] = joined(report["note"], uncompared(judge.comparison), odd)
        reason = "" if found else self._why_open(after)
        if reason:
            return {**report, **not_checked(reason)}
        if (
            job.get("mutants")
            and not found
            and report["note"] != ITS_OWN
            and before.error is None
            and after.error is None
        ):
            self._tell("interim", **report)
            self._tell("phase", side="wrong", what="power")
            self._add_power(after, report, set(left_out))
        if job.get("xla_source") and not found and after.error is None:
            # XLA can end the process; the verdict must not go with it.
            self._tell("interim", **report)
            self._tell("phase", side="xla", what="script")
            self._add_xla(after, report)
        return report

    def _why_open(self, after: Snapshot) -> str:
        """Why two runs that do not differ show nothing; empty where they do."""
        before, turned = self._before, self._job.get("turned", ())
        if before.error is not None and after.error is not None:
            how_far = _beyond(before.error, self._job)
            return f"{how_far}: both versions end with {said(before.error)}"
        if before.error is not None:
            # The rewritten was held against its own eager run, as a whole.
            seen = shown(None, after.state, after.output, after.calls, turned)
            return "" if seen else NOTHING_SHOWN
        seen = shown(before.start, before.state, before.output, before.calls, turned)
        seen.arrays.update(before.left.telling())
        if seen.numbers and not seen.arrays and any(r.total for r in before.clocks.values()):
            other = run_by_other_clock(self._original)
            seen.numbers -= unlike((before.state, before.output), (other.state, other.output))
        return "" if seen else NOTHING_SHOWN

    def _recall(self, after: Snapshot, recalls: Recalls) -> None:
        """Find out which wrong versions are seen where functions are called again."""
        job, before, judge = self._job, self._before, Judge(self._job)
        known = {name: replays[0] for name, replays in before.replays.items() if replays}
        is_asked = job.get("mutants") and after.error is None
        found = [judge.calls, judge.replays, judge.varied]
        if not is_asked or any(differing(before, after) for differing in found):
            return
        self._tell("phase", side="wrong", what="power")
        right = {name: recalls.right(name) for name in known}
        fitting = {
            name
            for name, rows in right.items()
            if rows and not judge.again(name, known[name], rows[0])
        }
        seconds = min(job["power_seconds"], max(_OF_A_RUN * before.seconds, _POWER_SECONDS))
        stop = time.perf_counter() + seconds
        for mutant in job["mutants"]:
            name = mutant["unit"]
            if time.perf_counter() > stop:
                break
            has_run = mutant["place"] in after.ran or not mutant["side"]
            if name not in fitting or not mutant["within"] or not has_run:
                continue
            wrong = recalls.wrong(name, mutant["within"], mutant["text"], mutant["is_bound"])
            if wrong and wrong[0].result is not None:
                pairs = zip([known[name], *right[name][1:]], wrong)
                is_seen = any(b.result is not None and judge.again(name, a, b) for a, b in pairs)
                self._recalled[str(mutant["number"])] = SEEN if is_seen else MISSED
        self._tell("phase", side="rewritten", what="script")

    def _add_power(self, after: Snapshot, report: Report, left_out: Set[str]) -> None:
        """Run wrong versions of the rewritten code, and say which of them would have been seen."""

        def note(fates: Dict[str, str]) -> None:
            report["power"] = dict(fates)
            self._tell("interim", **report)

        job, before = self._job, self._before
        wrongs = Wrongs(job, before, after, left_out)
        most = job["power_seconds"]
        left = _RUNS * before.seconds - (time.perf_counter() - self._began)
        seconds = min(most, max(left, _POWER_SECONDS))
        once = max(before.seconds, after.seconds)
        known = self._recalled
        tried(job["mutants"], after.ran, seconds, most, once, wrongs.attempt, note, known, _FEW)

    def _add_xla(self, after: Snapshot, report: Report) -> None:
        """Time the rewritten program compiled by XLA too; what it computes decides nothing."""
        job, source = self._job, self._job["xla_source"]
        overlay = {**job["sides"][1].get("overlay", {}), job["path"]: source}
        side = Side(job, {"label": "xla", "source": source, "overlay": overlay}, eager=False)
        run = run_script(side)
        judge = Judge({**job, "xla": True})
        found = judge.differences(self._before, run)
        agrees = not found or not self._settled(found, run, judge).found
        report["seconds"] = [*report["seconds"], run.seconds]
        report["xla_agrees"] = agrees
        for unit, rows in unit_times(job, [self._before, after, run]).items():
            report["unit_times"][unit] = rows
            rows[2]["agrees"] = agrees

    def _settled(self, found: Found, after: Snapshot, judge: Judge) -> Settled:
        before = self._before

        # What is not compared need not be called, nor timed, again.
        side = self._original
        side.is_untimed, side.has_replays = True, bool(judge.replays(before, after))

        def again() -> Found:
            run = _originals.run(side, is_again=True)
            if not side.nudged:
                return Judge(judge.job).differences(before, run)
            # A nudge that is too small to differ by itself still says how much is made of it.
            every = Judge(judge.job, takes_all=True)
            shaken = [every.replays(before, run, rows) for rows in run.shaken]
            return [*every.differences(before, run), *itertools.chain(*shaken)]

        def everything() -> Found:
            return Judge(judge.job, goes_on=True).differences(before, after)

        uneven = are_uneven(before.clocks, after.clocks)
        return settle(side, found, again, uneven, everything)

    def _is_computed(self, place: str) -> bool:
        """Whether a place is a result of a watched function or a float variable."""
        calls = tuple(f"{name}()#" for name in self._before.calls)
        held = tuple(row.kind for row in self._before.left.held if row.node[0] == "variable")
        is_held = place.startswith(held) if held else False
        return place.startswith(calls) or is_held or place in variables_of(self._before.state)

    def _coming_again(self, found: Found, judge: Judge) -> Tuple[Found, str]:
        """What differs in another run of the rewritten version too, and what to say of the rest.

        Threads may add numbers in another order, and what hangs on the last digit goes elsewhere.
        """
        side = Side(self._job, self._job["sides"][1], eager=False)
        side.is_eager_too, side.is_untimed = True, True
        side.held = self._before.left.held
        others = judge.differences(self._before, run_script(side))
        if not others:
            return [], f"differs in some runs only: {found[0].path}"
        return found, ""

    def _unlike_eagerly(
        self,
        found: Found,
        judge: Judge,
        is_such: Callable[[Difference], bool],
        ran: Optional[Set[int]] = None,
    ) -> Found:
        """The differences of a kind, unless where all functions run eagerly there are none of it.

        In calls without values those are TensorFlow's own; and a trace keeps what it read. The lines
        are noted to which that run comes.
        """
        side = Side(self._job, self._job["sides"][1], eager=True)
        side.held = self._before.left.held
        run = run_script(side)
        if ran is not None:
            ran |= run.ran
        return found if any(map(is_such, judge.differences(self._before, run))) else []

    def _against_itself(self, after: Snapshot, judge: Judge) -> Found:
        """The original is wrong even when run eagerly: the rewrite must agree with its eager run."""
        side = Side(self._job, self._job["sides"][1], eager=True)
        eager = run_script(side)
        if after.error is not None:
            return [Difference("exception", "", "", text_of(after))]
        found = judge.differences(eager, after)
        if found:
            found, _ = standing(found, judge.differences(eager, run_script(side)))
        return found


def _outside(
    job: Mapping[str, Any], name: str, rows: Varied, theirs: Varied
) -> Dict[str, List[str]]:
    """What was looked at that other code may change, and what of it could not be changed."""
    compared = {
        path
        for (path, way), row in rows.items()
        if row.result is not None
        and ((path, way) not in theirs or theirs[path, way].result is not None)
    }
    unvaried = {path for path, _ in rows} - compared
    told = job["outside"][name]
    return {
        "seen": [*told["names"], *told["attributes"]],
        "unvaried": sorted(unvaried),
        "varied": sorted({path.rpartition(".")[2] for path in compared}),
    }


def run_by_other_clock(original: Side) -> Snapshot:
    """The original run again, by a clock that goes at another pace."""
    original.pace = OTHER_PACE
    try:
        return _originals.run(original, is_again=True)
    finally:
        original.pace = PACE


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
    for unit in job.get("units", ()):
        loops = [loop for loop in job.get("turns", ()) if loop["unit"] == unit]
        number = timed_turn(loops, [run.turns for run in runs])
        if number is not None:
            rows = turn_rows([run.turns[number] for run in runs])
        else:
            rows = [run.times.get(unit) for run in runs]
        known = [dict(row) for row in rows if row is not None]
        if len(known) == len(runs):
            for row, run, variant in zip(known, runs, VARIANTS):
                row["variant"] = variant
                traces = [run.traces.get(name, 0) for name in job.get("made", {}).get(unit, ())]
                row["traces"] = sum(traces) or row.get("traces")
                row["megabytes"] = run.megabytes
            known[0].pop("first_milliseconds", None)
            found[unit] = known
    return found
