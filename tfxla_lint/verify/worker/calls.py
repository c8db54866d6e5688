"""The scenario "calls": a function is called several times on both sides, with equal arguments."""

from __future__ import annotations

import re
import time
from typing import Any, Dict, List, Mapping, Set, Tuple

from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.verify.worker.attempts import CALLS
from tfxla_lint.verify.worker.bench import Unsuitable
from tfxla_lint.verify.worker.calling import Pair, in_graphs
from tfxla_lint.verify.worker.comparing import RESULTS, Comparison, Difference
from tfxla_lint.verify.worker.evidence import Start, has_value, shown, telling_lines
from tfxla_lint.verify.worker.further import NAN
from tfxla_lint.verify.worker.meant import (
    are_places,
    are_poisoned,
    as_keras_does,
    is_kept,
    is_of_nan,
    is_only,
    is_only_eager,
    is_out_of_place,
    is_taken_back,
    nearby,
    other_choice,
    without_nan,
    without_odd,
)
from tfxla_lint.verify.worker.outcomes import (
    Outcome,
    are_equal,
    call_differences,
    differences,
    is_varied,
    is_whole,
    moved_of_both,
    refusal_differences,
    unasked_refusals,
)
from tfxla_lint.verify.worker.planning import Unrepeatable
from tfxla_lint.verify.worker.power import (
    FAILS,
    MISSED,
    NOTHING,
    OTHER,
    SAME,
    SEEN,
    Failing,
    Instead,
    Seen,
    tried,
)
from tfxla_lint.verify.worker.settling import (
    ITS_OWN,
    OTHER_KINDS,
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
    uncompared,
)
from tfxla_lint.verify.worker.sides import WRONG, Failure, Side, run_without, said

#: So long wrong versions are called at least.
_POWER_SECONDS = 1.5
#: How places are told that a call leaves.
_CALL = re.compile(r"call (\d+)\b")
#: So much is shown of what is raised.
_WORDS = 120
REFUSED = "it refuses arguments that were found and that the original takes, at "
WIDE = "it differs where arguments have a dimension more, which nobody may mean, at "
BELOW = "not compared with whole numbers below zero in arrays, of which nothing speaks, and which it takes otherwise"
FEW = "it differs with numbers below one, of which no line speaks and which nobody may mean, at "
RECAST = "it differs with arguments of another dtype, which it casts but nobody may mean, at "
SETTABLE = "who uses it may set what no code here does, and then it differs, at "
CUT = (
    "not compared: gradients, which the original cuts off where it makes Python numbers of tensors"
)
KEPT = "a trace keeps what no code here sets later: not compared at "
RENUMBERED = "it differs where lists hold other numbers than the project passes, at "
SHAPES = "it differs in shapes, or refuses them, where others were found for which both give the same, at "
OF_NAN = "it gives something else with NaN or infinity, of which neither version speaks, at "
OF_NANS = "it gives NaN where several arguments hold it at once, which nobody may mean, at "
KERAS_TRACES = (
    "Keras traces this method itself, so calling it does not tell how often it has this effect in"
    " Python: "
)
#: So often calls are left out that the original does not survive.
_AGAIN = 3


def check_calls(job: Mapping[str, Any], tell: Tell) -> Report:
    """Find arguments on the original, call both sides with them, compare."""
    try:
        return Check(job, tell).report()
    except Unrepeatable as reason:
        return {**not_checked(str(reason)), "unrepeatable": True}
    except Unsuitable as reason:
        return not_checked(str(reason))


class Check:
    """One job, with what both sides are called with; raises Unsuitable."""

    def __init__(self, job: Mapping[str, Any], tell: Tell) -> None:
        self._tell = tell
        self._pair = Pair(job, tell)
        #: The lines that calls came to which the original refuses.
        self._refused_ran: Tuple[Set[int], Set[int]] = (set(), set())

    def report(self) -> Report:
        """What calling both gives."""
        pair, job = self._pair, self._pair.job
        self._tell("phase", side="original", what="calls")
        began = time.perf_counter()
        before = pair.run(pair.original, pair.is_timed)
        self._seconds = time.perf_counter() - began
        self._tell("phase", side="rewritten", what="calls")
        after = pair.run(pair.rewritten, pair.is_timed)
        outside = self._outside_report(before, after)
        failed = [n for n in before.varied if not is_varied(before, after, n)]
        failed += [
            n for n, plan in enumerate(pair.plans) if plan.get("is_bare") and is_whole(after, n)
        ]
        failed += self._failed(before)
        for _ in range(_AGAIN):
            if not failed:
                break
            # What one side holds as something else cannot be changed alike.
            pair.plans = [plan for n, plan in enumerate(pair.plans) if n not in failed]
            before, after = pair.both(pair.is_timed)
            # Those that follow are given other values now.
            failed = self._failed(before)
        comparison = pair.comparison()
        found = differences(before, after, comparison)
        refused = unasked_refusals(pair.plans, before, after) if found else {}
        if refused:
            # Nobody says that it should take them.
            pair.plans = [plan for n, plan in enumerate(pair.plans) if n not in refused]
            before, after = pair.both(pair.is_timed)
            found = differences(before, after, comparison := pair.comparison())
        odd = ""
        if found and not pair.is_correcting:
            before, after, comparison, found, odd = without_odd(
                pair, before, after, comparison, found
            )
        if not found and job.get("near") and "choice" in pair.plans[0]:
            before, after, found = nearby(pair, before, after)
        refusing = self._refusing() if not found else []
        if refusing:
            found = refusal_differences(*refusing)
        note, compared = "", before
        left_out: List[str] = []
        if found and is_only_eager(pair, before, found):
            found = []
        if found:
            self._tell("phase", side="original", what="calls again")
            settled = self._settled(before, after, found)
            found, note, is_open = settled.found, settled.note, settled.open(_is_computed)
            left_out = settled.left_out
            if is_open:
                return is_open
        kinds = (
            ("is_wide", WIDE),
            ("is_below", BELOW),
            ("is_recast", RECAST),
            ("is_few", FEW),
            ("is_settable", SETTABLE),
            ("is_renumbered", RENUMBERED),
        )
        for kind, reason in kinds:
            every = pair.plans
            if found and is_only(pair, kind, found):
                left_aside = ""
                if kind == "is_below":
                    # Neither the code nor what is said of it speaks of them.
                    pair.plans = [plan for plan in pair.plans if not plan.get("is_below")]
                    left_aside = reason
                elif kind == "is_settable" and is_kept(pair, before, every):
                    left_aside = KEPT + found[0].path
                if left_aside:
                    note = joined(note, left_aside)
                    before, after = pair.both(pair.is_timed)
                    found = differences(before, after, comparison := pair.comparison())
                    compared = before
                    continue
                # Calls of the project itself do not make up for numbers that are like theirs.
                is_like = {"refuses": True} if kind == "is_renumbered" else {}
                return {**_open(reason + found[0].path, before, found), **is_like}
        if found and before.is_keras_step and not pair.is_correcting:
            found, note = as_keras_does(pair, after, found, note)
            if found and all(_is_effect(d, before) for d in found):
                return not_checked(KERAS_TRACES + found[0].path)
        if found and pair.is_correcting:
            own = Side(job, job["sides"][1], eager=True)
            compared = pair.run(own, pair.is_timed)
            comparison = Comparison(bool(job.get("xla")))
            found, note = differences(compared, after, comparison), ITS_OWN
        if found and is_of_nan(pair, found, left_out):
            is_aside = are_poisoned(before, found) or are_places(found)
            if job.get("asks_nan") or not is_aside:
                return not_checked((OF_NANS if job.get("asks_nan") else OF_NAN) + found[0].path)
            # Neither promises anything of what is spoilt anyway, or of the places of what has none.
            odd, pair.plans = joined(odd, odd_words([NAN])), without_nan(pair.plans)
            before, after = pair.both(pair.is_timed)
            found, compared, comparison = [], before, pair.comparison(goes_on=True)
            differences(before, after, comparison)
        other = other_choice(pair, found) if found else None
        if other is not None:
            is_of_dtype = all(d.kind == "dtype" for d in found)
            if (all(map(is_taken_back, found)) or is_of_dtype) and not job.get("choice"):
                # What goes through a list takes a tensor, too; what is broadcast need not be.
                return Check({**job, "choice": other}, self._tell).report()
            return _open(SHAPES + found[0].path, before, found)
        is_refused = found and all(map(is_taken_back, found))
        if is_refused and is_out_of_place(pair, found[0]):
            return _open(f"{REFUSED}{found[0].path}: {found[0].after}", before, found)
        remade = ", ".join(sorted(comparison.of_other_kinds))
        if remade and not found and not comparison.values.get(RESULTS):
            return not_checked(f"{OTHER_KINDS}{remade}; only uses can tell")
        report = _report(compared, comparison, found)
        note = note if report["verdict"] != "not checked" else ""
        if not found and note != ITS_OWN:
            note = joined(note, uncompared(comparison))
        if not found and job.get("cuts_gradients") and before.gradients:
            note = joined(note, CUT)
        note = joined(run_without(pair.original.stood_in), note, _refused_words(refused), odd)
        report.update(note=note, times=_times(before, after))
        sides = zip((before, after), self._refused_ran)
        report["ran"] = [sorted(side.ran | more) for side, more in sides]
        report["defaulted"] = sorted(self._defaulted())
        report["given"] = sorted(self._given())
        report["outside"] = outside
        report["passed"] = pair.planning.passed
        if job.get("mutants") and report["verdict"] == "equivalent" and note != ITS_OWN:
            self._tell("interim", **report)
            self._tell("phase", side="wrong", what="power")
            self._add_power(before, after, report, set(left_out))
        if job.get("measure_xla") and pair.is_timed and report["verdict"] == "equivalent":
            self._add_xla(before, report)
        return report

    def _failed(self, before: Outcome) -> List[int]:
        """The calls at which the comparison would end, since the original did not survive them.

        What merely does not work with other values than the first ones, nobody means.
        """
        if self._pair.job.get("declared"):
            return []
        return [
            n
            for n, error in enumerate(before.errors)
            if error is not None and (n >= CALLS or (n and not error.is_worded))
        ]

    def _refusing(self) -> List[Outcome]:
        """What a call gives on both sides that the original refuses in its own words."""
        if self._pair.planning.refused is None:
            return []
        runs = self._pair.both_with([{"choice": self._pair.planning.refused}])
        for kept, run in zip(self._refused_ran, runs):
            kept |= run.ran
        return list(runs)

    def _settled(self, before: Outcome, after: Outcome, found: Found) -> Settled:
        def again() -> Found:
            # A nudge that is too small to differ by itself still says how much is made of it.
            factor = 0.0 if self._pair.original.nudged else 1.0
            comparison = Comparison(factor=factor, goes_on=True)
            return differences(before, self._pair.run(self._pair.original), comparison)

        def everything() -> Found:
            return differences(before, after, self._pair.comparison(goes_on=True))

        uneven = are_uneven(before.clocks, after.clocks)
        return settle(self._pair.original, found, again, uneven, everything)

    def _add_power(
        self, before: Outcome, after: Outcome, report: Report, left_out: Set[str]
    ) -> None:
        """Call wrong versions of the rewritten code, and say which of them would have been seen."""
        job = self._pair.job

        def attempt(mutant: Mapping[str, Any], how: Instead) -> str:
            if how is not Instead.NEAR and OTHER not in mutant["text"]:
                return NOTHING
            of = job["sides"][mutant["side"]]
            overlay = {**of.get("overlay", {}), job["path"]: mutant["text"]}
            text = {"label": WRONG, "source": mutant["text"], "overlay": overlay}
            side = Side(job, text, eager=False)
            side.absent, side.instead = set(self._pair.original.absent), how
            comparison = self._pair.comparison(goes_on=True)

            def see(outcome: Outcome, number: int) -> None:
                if (outcome.errors[number] is None) != (before.errors[number] is None):
                    raise Failing
                found = call_differences(before, outcome, number, comparison)
                if any(d.place not in left_out for d in found):
                    raise Seen

            try:
                wrong = self._pair.run(side, on_call=see)
            except Unsuitable:
                return FAILS
            found = differences(before, wrong, comparison)
            if any(d.place not in left_out for d in found):
                return SEEN
            if side.others.is_reached:
                return SEEN
            if not side.others.is_telling:
                return NOTHING
            if not are_equal(after if mutant["side"] else before, wrong):
                # Nothing but rounding hangs on a bound that was well passed.
                return SEEN if side.others.is_exceeded else MISSED
            # Values came to a bound on which nothing hangs.
            return SEEN if side.others.is_bounded else SAME

        def note(fates: Dict[str, str]) -> None:
            report["power"] = dict(fates)
            self._tell("interim", **report)

        most = job["power_seconds"]
        seconds = min(most, max(self._seconds, _POWER_SECONDS))
        tried(job["mutants"], after.ran, seconds, most, self._seconds, attempt, note)

    def _defaulted(self) -> Set[str]:
        """The parameters that some calls leave out."""
        choices = [plan.get("choice", {}) for plan in self._pair.plans]
        return {name for choice in choices for name, s in choice.items() if s["k"] == "default"}

    def _given(self) -> Set[str]:
        """The parameters that calls give several values for."""
        found: Dict[str, Set[str]] = {}
        for plan in self._pair.plans:
            for name, spec in plan.get("choice", {}).items():
                # Those of arrays are others in each call.
                several = (
                    {f"{spec!r} {turn}" for turn in range(2)} if "shape" in spec else {repr(spec)}
                )
                found.setdefault(name, set()).update(several)
        return {name for name, values in found.items() if len(values) > 1}

    def _add_xla(self, before: Outcome, report: Report) -> None:
        """Time an XLA version too, and say whether it agrees; it never decides the verdict."""
        # XLA can end the process; the verdict must not go with it.
        self._tell("interim", **report)
        self._tell("phase", side="xla", what="measure")
        try:
            outcome = self._pair.run(self._pair.rewritten, True, in_graphs(jit_compile=True))
        except Unsuitable:
            return
        found = differences(before, outcome, self._pair.comparison(is_xla=True))
        report["times"].append({**_timed("xla", outcome), "agrees": not found})

    def _outside_report(self, before: Outcome, after: Outcome) -> Dict[str, Any]:
        """What was looked at that other code may change, and what of it could not be changed."""
        number_of = {
            n: plan["varied"][0] for n, plan in enumerate(self._pair.plans) if "varied" in plan
        }
        failed = {path for n, path in number_of.items() if after.varied.get(n, True)}
        failed -= {path for n, path in number_of.items() if is_varied(before, after, n)}
        moved = moved_of_both(before, after)
        failed -= moved
        refused = set(self._pair.planning.varied) - set(number_of.values()) - moved
        names = self._pair.planning.varied
        return {
            "seen": sorted(set(names.values())),
            "unvaried": sorted(failed | refused),
            "varied": sorted(
                {names[p] for p in [*number_of.values(), *moved] if p in names and p not in failed}
            ),
        }


def _refused_words(refused: Mapping[int, Failure]) -> str:
    """What was not compared since only the rewritten version refuses it, in words."""
    errors = dict.fromkeys(said(error)[:_WORDS] for error in refused.values())
    about = "not compared with other sizes or numbers, or no rows, which it refuses: "
    return about + "; ".join(errors) if errors else ""


def _is_effect(difference: Difference, outcome: Outcome) -> bool:
    """Whether a difference lies in what Python code did, and in no tensor, variable or result."""
    if difference.kind == "output":
        return True
    _, _, path = difference.path.partition(": ")
    return path in _python_leaves("", outcome.states[-1])


def _python_leaves(path: str, node: Node) -> Set[str]:
    if node[0] == "branch":
        return set().union(*(_python_leaves(path + label, part) for label, part in node[2]))
    return {path} if node[0] == "python" else set()


def _is_computed(place: str) -> bool:
    """Whether a place is a result of the function or a variable that it updates."""
    return ": result" in place or place.startswith("the change of ")


def _report(before: Outcome, comparison: Comparison, found: Found) -> Report:
    """The report on what `before` and the rewritten side gave."""
    reached = _reached(before)
    if not found and reached and _shows_nothing(before, reached):
        return not_checked("it returns nothing and changes nothing that could be compared")
    if not found and not reached:
        assert before.errors[0] is not None
        return not_checked(f"both versions end with {said(before.errors[0])}")
    return {**judged(comparison, found, reached), "called": _called(before, found)}


def _open(reason: str, outcome: Outcome, found: Found) -> Report:
    """The report that what differs shows nothing, with what the call was passed that does."""
    return {**not_checked(reason), "called": _called(outcome, found)}


def _called(outcome: Outcome, found: Found) -> str:
    """What the first call that differs is passed."""
    numbers = [_CALL.match(difference.path) for difference in found[:1]]
    return "".join(outcome.passed[int(number.group(1)) - 1] for number in numbers if number)


def _times(before: Outcome, after: Outcome) -> List[Dict[str, Any]]:
    """What to say of the times of both sides' calls."""
    first = {"variant": "original", "milliseconds": before.milliseconds, "calls": before.timed}
    return [first, {**_timed("rewritten", after), "traces": after.traces}]


def _timed(variant: str, outcome: Outcome) -> Dict[str, Any]:
    row = {"variant": variant, "milliseconds": outcome.milliseconds, "calls": outcome.timed}
    row["first_milliseconds"], row["megabytes"] = outcome.first_milliseconds, outcome.megabytes
    return row


def _reached(outcome: Outcome) -> int:
    """How many calls come before the first that fails: what comes after it is not compared."""
    failed = [number for number, error in enumerate(outcome.errors) if error is not None]
    return failed[0] if failed else len(outcome.errors)


def _shows_nothing(outcome: Outcome, reached: int) -> bool:
    """Whether the calls left nothing to compare: such functions would pass whatever they do."""
    is_left = any(outcome.left.telling())
    results = map(has_value, outcome.results[:reached])
    if is_left or any(results) or any(map(telling_lines, outcome.output)):
        return False
    return not shown(Start(outcome.start, (0, 0)), outcome.states[reached - 1], ("", ""), {}, ())
