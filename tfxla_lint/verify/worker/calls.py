"""The scenario "calls": a function is called several times on both sides, with equal arguments."""

from __future__ import annotations

import contextlib
import functools
import re
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Set, Tuple

import tensorflow as tf

from tfxla_lint.sandbox.inside.entropy import advance, clock_reads
from tfxla_lint.sandbox.inside.memory import growing
from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.sandbox.inside.surroundings import captured
from tfxla_lint.verify.worker.bench import Bench, Unsuitable, returned
from tfxla_lint.verify.worker.clock import measured, traces_of
from tfxla_lint.verify.worker.comparing import (
    Comparison,
    Difference,
)
from tfxla_lint.verify.worker.evidence import Start, has_value, shown, telling_lines
from tfxla_lint.verify.worker.further import (
    NAN,
    NO_ROWS,
    TIES,
    arrays_for_lists,
    fewer_dimensions,
    infinite_choice,
    near_choice,
    odd_count,
)
from tfxla_lint.verify.worker.given import LABEL, Called, called, shared
from tfxla_lint.verify.worker.gradients import gradients_of
from tfxla_lint.verify.worker.left import leaving
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
from tfxla_lint.verify.worker.planning import (
    CALLS,
    Plan,
    Planning,
    Unrepeatable,
    attempt_with,
    loaded,
)
from tfxla_lint.verify.worker.power import (
    MISSED,
    NOTHING,
    OTHER,
    SAME,
    SEEN,
    Instead,
    Seen,
    TooLong,
    tried,
)
from tfxla_lint.verify.worker.search import ACCEPTED, Search
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
    uncompared,
)
from tfxla_lint.verify.worker.shaken import Shaken
from tfxla_lint.verify.worker.sides import (
    WRONG,
    Failure,
    Side,
    failure,
    run_without,
    said,
)

Wrap = Callable[[Any], Any]
#: What is told of each call.
OnCall = Callable[[Outcome, int], None]

#: So long wrong versions are called at least.
_POWER_SECONDS = 1.5
#: So many arguments are tried to find others, and of those that are accepted so many are compared.
_COLLECTED, _OTHERS = 40, 12
#: So much is shown of what is raised.
_WORDS = 120
REFUSED = "it refuses arguments that were found and that the original takes, at "
WIDE = "it differs where arguments have a dimension more, which nobody may mean, at "
SETTABLE = "who uses it may set what no code here does, and then it differs, at "
SHAPES = "it differs in shapes, or refuses them, where others were found for which both give the same, at "
OF_NAN = "it gives something else with NaN or infinity, of which neither version speaks, at "
KERAS_TRACES = (
    "Keras traces this method itself, so calling it does not tell how often it has this effect in"
    " Python: "
)


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
        self._job = job
        self._tell = tell
        self._is_correcting = bool(job.get("correcting"))
        self._original = Side(job, job["sides"][0], eager=self._is_correcting)
        self._rewritten = Side(job, job["sides"][1], eager=False)
        self._is_timed = not job.get("untimed")
        tell("phase", side="original", what="inputs")
        self._planning = Planning(job, self._original, tell)
        self._plans = self._planning.plans()
        self._job = self._planning.job
        #: The lines that calls came to which the original refuses.
        self._refused_ran: Tuple[Set[int], Set[int]] = (set(), set())

    def report(self) -> Report:
        """What calling both gives."""
        job = self._job
        self._tell("phase", side="original", what="calls")
        began = time.perf_counter()
        before = self._run(self._original, self._is_timed)
        self._seconds = time.perf_counter() - began
        self._tell("phase", side="rewritten", what="calls")
        after = self._run(self._rewritten, self._is_timed)
        outside = self._outside_report(before, after)
        failed = [n for n in before.varied if not is_varied(before, after, n)]
        failed += [
            n for n, plan in enumerate(self._plans) if plan.get("is_bare") and is_whole(after, n)
        ]
        if not job.get("declared"):
            # What the original did not survive here would end the comparison.
            failed += [n for n, e in enumerate(before.errors) if e is not None and n >= CALLS]
        if failed:
            # What one side holds as something else cannot be changed alike.
            self._plans = [plan for n, plan in enumerate(self._plans) if n not in failed]
            before, after = self._both(self._is_timed)
        comparison = self._comparison()
        found = differences(before, after, comparison)
        refused = unasked_refusals(self._plans, before, after) if found else {}
        if refused:
            # Nobody says that it should take them.
            self._plans = [plan for n, plan in enumerate(self._plans) if n not in refused]
            before, after = self._both(self._is_timed)
            found = differences(before, after, comparison := self._comparison())
        odd = ""
        if found and not self._is_correcting:
            before, after, comparison, found, odd = self._without_odd(
                before, after, comparison, found
            )
        if not found and job.get("near") and "choice" in self._plans[0]:
            before, after, found = self._nearby(before, after)
        refusing = self._refusing() if not found else []
        if refusing:
            found = refusal_differences(*refusing)
        note, compared = "", before
        left_out: List[str] = []
        if found and self._is_only_eager(before, found):
            found = []
        if found:
            self._tell("phase", side="original", what="calls again")
            settled = self._settled(before, after, found)
            found, note, is_open = settled.found, settled.note, settled.open(_is_computed)
            left_out = settled.left_out
            if is_open:
                return is_open
        for kind, reason in (("is_wide", WIDE), ("is_settable", SETTABLE)):
            if found and self._is_only(kind, found):
                return not_checked(reason + found[0].path)
        if found and before.is_keras_step and not self._is_correcting:
            found, note = self._as_keras_does(after, found, note)
            if found and all(_is_effect(d, before) for d in found):
                return not_checked(KERAS_TRACES + found[0].path)
        if found and self._is_correcting:
            own = Side(job, job["sides"][1], eager=True)
            compared = self._run(own, self._is_timed)
            comparison = Comparison(bool(job.get("xla")))
            found, note = differences(compared, after, comparison), ITS_OWN
        if found and self._is_of_nan(found):
            return not_checked(OF_NAN + found[0].path)
        other = self._other_choice(found) if found else None
        if other is not None:
            if all(map(_is_taken_back, found)) and not job.get("choice"):
                # What goes through a list takes a tensor, too; what is broadcast need not be.
                return Check({**job, "choice": other}, self._tell).report()
            return not_checked(SHAPES + found[0].path)
        is_refused = found and all(map(_is_taken_back, found))
        if is_refused and self._is_out_of_place(found[0]):
            return not_checked(f"{REFUSED}{found[0].path}: {found[0].after}")
        report = _report(compared, comparison, found)
        note = note if report["verdict"] != "not checked" else ""
        if not found and note != ITS_OWN:
            note = joined(note, uncompared(comparison))
        note = joined(run_without(self._original.stood_in), note, _refused_words(refused), odd)
        report.update(note=note, times=_times(before, after))
        sides = zip((before, after), self._refused_ran)
        report["ran"] = [sorted(side.ran | more) for side, more in sides]
        report["defaulted"] = sorted(self._defaulted())
        report["given"] = sorted(self._given())
        report["outside"] = outside
        report["passed"] = self._planning.passed
        if job.get("mutants") and report["verdict"] == "equivalent" and note != ITS_OWN:
            self._tell("interim", **report)
            self._tell("phase", side="wrong", what="power")
            self._add_power(before, after, report, set(left_out))
        if job.get("measure_xla") and self._is_timed and report["verdict"] == "equivalent":
            self._add_xla(before, report)
        return report

    def _without_odd(
        self, before: Outcome, after: Outcome, comparison: Comparison, found: Found
    ) -> Tuple[Outcome, Outcome, Comparison, Found, str]:
        """The calls without those whose difference shows nothing, and what to say of these.

        Nobody passes no rows to what has no lines of its own for that. That NaN is neither greater
        nor less than anything shows nothing, where with infinity in its place both give the same.
        """
        words: List[str] = []
        while found:
            number = _call_of(found[0])
            plan = self._plans[number] if number in range(len(self._plans)) else {}
            if plan.get("is_empty"):
                lost, word = [plan], NO_ROWS
            elif self._job.get("open_ties") and (plan.get("is_tied") or _is_zero(plan)):
                lost = [p for p in self._plans if p.get("is_tied") or _is_zero(p)]
                word = TIES
            elif _is_nan(plan) and not self._job.get("asks_nan") and self._is_only_nan():
                lost, word = [p for p in self._plans if _is_nan(p)], NAN
            else:
                break
            words.append(word)
            self._plans = [p for p in self._plans if not any(p is other for other in lost)]
            before, after = self._both(self._is_timed)
            found = differences(before, after, comparison := self._comparison())
        return before, after, comparison, found, odd_words(words)

    def _is_only_nan(self) -> bool:
        """Whether all is the same with infinity in the place of NaN.

        It is in as few arguments at once as may be: infinities make NaN of each other.
        """
        plans = self._plans
        counts = [odd_count(p["choice"]) for p in plans if _is_nan(p)]
        least = min(filter(None, counts), default=0)
        infinite = [
            {**p, "choice": infinite_choice(p["choice"])} if _is_nan(p) else p
            for p in plans
            if not _is_nan(p) or odd_count(p["choice"]) == least
        ]
        return not differences(*self._both_with(infinite), self._comparison())

    def _nearby(self, before: Outcome, after: Outcome) -> Tuple[Outcome, Outcome, Found]:
        """Calls with values that are nearly nothing from the first on, where these differ.

        What is kept of larger ones would hide a number that is as small.
        """
        known = self._plans[0]["choice"]
        near = near_choice(known)
        if near == known:
            return before, after, []
        plans: List[Plan] = [{"choice": near}] * CALLS
        both = self._both_with(plans)
        found = [] if any(both[0].errors) else differences(*both, self._comparison())
        if not found:
            return before, after, []
        self._plans = plans
        return (*both, found)

    def _refusing(self) -> List[Outcome]:
        """What a call gives on both sides that the original refuses in its own words."""
        if self._planning.refused is None:
            return []
        runs = self._both_with([{"choice": self._planning.refused}])
        for kept, run in zip(self._refused_ran, runs):
            kept |= run.ran
        return list(runs)

    def _both(self, is_timed: bool = False) -> Tuple[Outcome, Outcome]:
        return self._run(self._original, is_timed), self._run(self._rewritten, is_timed)

    def _both_with(self, plans: List[Plan]) -> Tuple[Outcome, Outcome]:
        """What other calls give on both sides, which are not those that are compared in the end."""
        kept, self._plans = self._plans, plans
        try:
            return self._both()
        finally:
            self._plans = kept

    def _settled(self, before: Outcome, after: Outcome, found: Found) -> Settled:
        def again() -> Found:
            # A nudge that is too small to differ by itself still says how much is made of it.
            factor = 0.0 if self._original.nudged else 1.0
            comparison = Comparison(factor=factor, goes_on=True)
            return differences(before, self._run(self._original), comparison)

        def everything() -> Found:
            return differences(before, after, self._comparison(goes_on=True))

        uneven = are_uneven(before.clocks, after.clocks)
        return settle(self._original, found, again, uneven, everything)

    def _is_only_eager(self, before: Outcome, found: Found) -> bool:
        """Whether only calls without values differ, and not where the rewritten code runs eagerly.

        TensorFlow itself does other things there in graphs.
        """
        first = before.bare_from
        calls = [re.match(r"call (\d+)\b", d.path) for d in found]
        if not first or not all(call and int(call.group(1)) > first for call in calls):
            return False
        eager = self._run(Side(self._job, self._job["sides"][1], eager=True))
        return not differences(before, eager, self._comparison())

    def _is_only(self, kind: str, found: Found) -> bool:
        """Whether only calls of a kind differ that nobody says to be meant.

        Their arguments have a dimension more than the first ones, or what no code sets is set.
        """
        calls = [re.match(r"call (\d+)\b", d.path) for d in found]
        numbers = {int(call.group(1)) - 1 for call in calls if call}
        those = {n for n, plan in enumerate(self._plans) if plan.get(kind)}
        if not numbers & those:
            return False
        self._plans = [plan for n, plan in enumerate(self._plans) if n not in those]
        before, after = self._both()
        left = differences(before, after, comparison := self._comparison())
        # Of what is left some may show nothing, either.
        return not self._without_odd(before, after, comparison, left)[3]

    def _is_of_nan(self, found: Found) -> bool:
        """Whether only calls differ that are passed NaN, of which neither version speaks, nor hides it."""
        if self._job.get("asks_nan") or self._job.get("hides_less"):
            return False
        numbers = {_call_of(d) for d in found}
        if not all(n in range(len(self._plans)) and _is_nan(self._plans[n]) for n in numbers):
            return False
        others = [plan for plan in self._plans if not _is_nan(plan)]
        return not differences(*self._both_with(others), self._comparison())

    def _other_choice(self, found: Found) -> Optional[Dict[str, Any]]:
        """Arguments of other shapes or kinds of which both versions make the same, where only shapes differ,
        or these or kinds are refused, and nobody says that those are meant.

        Where values differ, what is in lists may be meant to have fewer dimensions.
        """
        job = self._job
        if job.get("declared") or job.get("passed") or "choice" not in self._plans[0]:
            return None
        # Whoever passes what may be left out means it.
        is_told = any(p.get("documented") or p.get("default") for p in job["parameters"])
        if is_told and any(d.kind == "shape" for d in found):
            return None
        known = self._plans[0]["choice"]
        smaller = list(fewer_dimensions(known)) if not is_told else []
        is_open = all(d.kind == "shape" or _is_taken_back(d) for d in found)
        if not is_open and not (smaller and all(d.kind == "value" for d in found)):
            return None
        taken: Dict[str, Dict[str, Any]] = {_form(known): known}
        smaller += [
            {**known, name: {**spec, "shape": spec["shape"][1:]}}
            for name, spec in known.items()
            if is_open and len(spec.get("shape", ())) > 1
        ]
        smaller += arrays_for_lists(known) if is_open else []
        with loaded(job, self._original) as (module, _):
            bench = Bench(job, self._original, module)

            def collect(choice: Dict[str, Any]) -> Tuple[str, str, int]:
                answer = attempt_with(bench, choice, calls=1)
                if answer[0] not in ACCEPTED:
                    return answer
                taken.setdefault(_form(choice), choice)
                return TooLong.__name__, "", 0

            for choice in smaller:
                collect(choice)
            if is_open:
                Search(job, module.__dict__, _COLLECTED).run(collect)
        for choice in list(taken.values())[1 : _OTHERS + 1]:
            both = self._both_with([{"choice": choice}] * CALLS)
            if not any(both[0].errors) and not differences(*both, self._comparison()):
                return choice
        return None

    def _is_out_of_place(self, refused: Difference) -> bool:
        """Whether nobody says that arguments are meant which the rewritten version refuses.

        With others both agree: those of the first calls, or some that a further search finds. Where it
        finds none that the rewritten version takes, nobody can tell.
        """
        if self._job.get("declared"):
            return False
        if _call_of(refused) >= CALLS:
            return refused.is_refusal or refused.is_foreign
        if not (refused.is_refusal or refused.is_of_kind):
            return False
        job, side = self._job, self._rewritten
        with loaded(self._job, side) as (module, _):
            bench = Bench(job, side, module)
            choice = Search(job, module.__dict__).run(lambda c: attempt_with(bench, c, calls=1))
        if choice is None:
            return refused.is_refusal
        self._plans = [{"choice": choice} for _ in range(CALLS)]
        both = self._both()
        return not any(both[0].errors) and not differences(*both, self._comparison())

    def _comparison(self, goes_on: bool = False, is_xla: bool = False) -> Comparison:
        gone, renamed = set(self._job.get("gone", ())), self._job.get("renamed")
        is_xla = is_xla or bool(self._job.get("xla"))
        settings = self._job.get("settings")
        return Comparison(is_xla, gone=gone, goes_on=goes_on, renamed=renamed, settings=settings)

    def _as_keras_does(self, after: Outcome, found: Found, note: str) -> Tuple[Found, str]:
        """The differences from the original as `fit` runs it: traced, where that works."""
        try:
            traced = self._run(self._original, wrap=in_graphs())
        except Unsuitable:
            return found, note
        if any(traced.errors):
            return found, note
        note = joined(note, "compared with the original traced, as Keras runs it")
        return differences(traced, after, self._comparison(goes_on=True)), note

    def _add_power(
        self, before: Outcome, after: Outcome, report: Report, left_out: Set[str]
    ) -> None:
        """Call wrong versions of the rewritten code, and say which of them would have been seen."""
        job = self._job

        def attempt(mutant: Mapping[str, Any], how: Instead) -> str:
            if how is not Instead.NEAR and OTHER not in mutant["text"]:
                return NOTHING
            of = job["sides"][mutant["side"]]
            overlay = {**of.get("overlay", {}), job["path"]: mutant["text"]}
            text = {"label": WRONG, "source": mutant["text"], "overlay": overlay}
            side = Side(job, text, eager=False)
            side.absent, side.instead = set(self._original.absent), how
            comparison = self._comparison(goes_on=True)

            def see(outcome: Outcome, number: int) -> None:
                if (outcome.errors[number] is None) != (before.errors[number] is None):
                    raise TooLong
                found = call_differences(before, outcome, number, comparison)
                if any(d.place not in left_out for d in found):
                    raise Seen

            try:
                wrong = self._run(side, on_call=see)
            except Unsuitable:
                return NOTHING
            found = differences(before, wrong, comparison)
            if any(d.place not in left_out for d in found):
                return SEEN
            if side.others.is_reached:
                return SEEN
            if not side.others.is_telling:
                return NOTHING
            if not are_equal(after if mutant["side"] else before, wrong):
                return MISSED
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
        choices = [plan.get("choice", {}) for plan in self._plans]
        return {name for choice in choices for name, s in choice.items() if s["k"] == "default"}

    def _given(self) -> Set[str]:
        """The parameters that calls give several values for."""
        found: Dict[str, Set[str]] = {}
        for plan in self._plans:
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
            outcome = self._run(self._rewritten, True, in_graphs(jit_compile=True))
        except Unsuitable:
            return
        found = differences(before, outcome, self._comparison(is_xla=True))
        report["times"].append({**_timed("xla", outcome), "agrees": not found})

    def _outside_report(self, before: Outcome, after: Outcome) -> Dict[str, Any]:
        """What was looked at that other code may change, and what of it could not be changed."""
        number_of = {n: plan["varied"][0] for n, plan in enumerate(self._plans) if "varied" in plan}
        failed = {path for n, path in number_of.items() if after.varied.get(n, True)}
        failed -= {path for n, path in number_of.items() if is_varied(before, after, n)}
        moved = moved_of_both(before, after)
        failed -= moved
        refused = set(self._planning.varied) - set(number_of.values()) - moved
        names = self._planning.varied
        return {
            "seen": sorted(set(names.values())),
            "unvaried": sorted(failed | refused),
            "varied": sorted(
                {names[p] for p in [*number_of.values(), *moved] if p in names and p not in failed}
            ),
        }

    # Calls

    def _run(
        self,
        side: Side,
        is_timed: bool = False,
        wrap: Wrap = lambda f: f,
        on_call: OnCall = lambda outcome, number: None,
    ) -> Outcome:
        """Load a side anew and make the planned calls."""
        outcome = Outcome()
        with loaded(self._job, side) as (module, texts):
            bench = Bench(self._job, side, module)
            outcome.start = bench.state()
            outcome.is_keras_step = bench.is_keras_step
            outcome.stops_gradients = bool(self._job.get("stops_gradients"))
            outcome.is_used = bool(self._job.get("used"))
            # What begins as a number is what it is made of by then.
            outcome.is_loose = bench.is_keras_step or outcome.is_used or bench.gives_number
            shaken = Shaken(bench.variables)
            with leaving() as leaves:
                for number, plan in enumerate(self._plans):
                    if plan.get("is_bare") and not outcome.bare_from:
                        outcome.bare_from = number
                        # What is NaN stays in variables.
                        self._add_gradients(bench, outcome, wrap)
                    with _outside(bench, plan, number, outcome):
                        _call(bench, plan, number, outcome, wrap, self._planning.called)
                    on_call(outcome, number)
                    if side.nudged:
                        shaken.shake()
                outcome.left = leaves.left(bench.own, side.formatted)
            outcome.clocks = {} if side.eager else clock_reads()
            if not outcome.bare_from:
                self._add_gradients(bench, outcome, wrap)
            with captured():
                if is_timed and not any(outcome.errors):
                    _time(bench, self._plans[0], outcome, wrap)
            outcome.ran = set(side.ran)
        outcome.output = (texts["stdout"], texts["stderr"])
        return outcome

    def _add_gradients(self, bench: Bench, outcome: Outcome, wrap: Wrap) -> None:
        # What these print is no part of the comparison: they may call more or less often.
        with captured():
            outcome.gradients = _gradients(bench, self._plans, outcome, wrap)


def _call_of(difference: Difference) -> int:
    """The place of the call in which there is a difference; -1 where it is in none."""
    call = re.match(r"call (\d+)\b", difference.path)
    return int(call.group(1)) - 1 if call else -1


def _is_taken_back(difference: Difference) -> bool:
    """Whether only the rewritten version raises, and may only not take such arguments."""
    return difference.is_refusal or difference.is_of_kind or difference.is_foreign


def _form(choice: Mapping[str, Mapping[str, Any]]) -> str:
    """Of which kinds, dtypes and shapes the arguments of a choice are."""
    specs = [(s["k"], s.get("dtype"), s.get("shape"), s.get("parts")) for s in choice.values()]
    return repr(specs)


def _is_zero(plan: Plan) -> bool:
    specs = plan.get("choice", {}).values()
    return bool(plan.get("is_bare")) and any(s.get("low") == s.get("high") == 0 for s in specs)


def _is_nan(plan: Plan) -> bool:
    choice = plan.get("choice", {})
    return bool(plan.get("is_bare")) and infinite_choice(choice) != choice


def in_graphs(**options: Any) -> Wrap:
    """What makes a `tf.function` of a function, one and the same for each."""
    made: Dict[int, Any] = {}

    def wrap(function: Any) -> Any:
        plain = getattr(function, "python_function", function)
        key = id(getattr(plain, "__func__", plain))
        return made.setdefault(key, tf.function(plain, **options))

    return wrap


def _refused_words(refused: Mapping[int, Failure]) -> str:
    """What was not compared since only the rewritten version refuses it, in words."""
    errors = dict.fromkeys(said(error)[:_WORDS] for error in refused.values())
    about = "not compared with other sizes, or no rows, which it refuses: "
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
    return judged(comparison, found, reached)


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


@contextlib.contextmanager
def _outside(bench: Bench, plan: Plan, number: int, outcome: Outcome) -> Iterator[None]:
    """Let something else stand outside where the plan asks for that."""
    if "varied" not in plan:
        yield
        return
    with bench.changed(*plan["varied"]) as is_there:
        outcome.varied[number] = is_there
        yield


def _call(
    bench: Bench, plan: Plan, number: int, outcome: Outcome, wrap: Wrap, chosen: Called
) -> None:
    error: Optional[Failure] = None
    result: Any = None
    positional: List[Any] = []
    keywords: Dict[str, Any] = {}
    more: List[Tuple[str, Node]] = []
    advance()
    otherwise = contextlib.ExitStack()
    try:
        otherwise.enter_context(bench.made(plan.get("made", {}), plan.get("fresh")))
        if "between" in plan:
            other, choice = plan["between"]
            outcome.moved[number] = bench.between(other, choice, number)
        bench.stir(number)
        function, positional, keywords = bench.arguments(plan, plan.get("turn", number))
        function = wrap(function)
        with contextlib.nullcontext() if number else growing() as grown:
            began = time.perf_counter()
            result = returned(function(*positional, **keywords))
            taken = 1000 * (time.perf_counter() - began)
        if grown is not None:
            outcome.first_milliseconds, outcome.megabytes = taken, grown.megabytes
        more = called(result, chosen, bench.maker, bench.record, number)
        given = [*positional, *keywords.values()]
        for place, who in shared(result, given, bench.target_self(), outcome.last):
            more.append((f"{place} is ", bench.record(who)))
        outcome.last = result
    except Unsuitable:
        raise
    except Exception as caught:
        error = failure(caught)
    outcome.errors.append(error)
    node = bench.record(None if error else result)
    outcome.results.append(("branch", LABEL, [("", node), *more]) if more else node)
    outcome.arguments.append(bench.record([*positional, *keywords.values()]))
    outcome.states.append(bench.state())
    otherwise.close()


def _gradients(
    bench: Bench, plans: List[Plan], outcome: Outcome, wrap: Wrap
) -> Optional[List[Tuple[str, Optional[Node]]]]:
    """The gradients of one more call, or of two where they take flags, which are turned in between.

    None where the function cannot be differentiated.
    """
    if any(outcome.errors):
        return None
    is_flagged = any(spec["k"] == "bool" for spec in plans[0].get("choice", {}).values())
    rows: Dict[str, Optional[Node]] = {}
    for turn in range(2 if is_flagged else 1):
        try:
            function, positional, keywords = bench.arguments(plans[0], len(plans) + turn)
            function = wrap(function)
            given = (function, positional, keywords, bench.namespace, bench.target_self())
            found = gradients_of(*given, bench.is_far)
        except Exception:
            continue
        more = " with the flags turned" if turn else ""
        rows.update({name + more: None if g is None else bench.record(g) for name, g in found})
    return list(rows.items()) if rows else None


def _time(bench: Bench, plan: Plan, outcome: Outcome, wrap: Wrap) -> None:
    """The median time of a call, and how often the function was traced."""
    try:
        function, positional, keywords = bench.arguments(plan, 0)
        function = wrap(function)
        function(*positional, **keywords)
        call = functools.partial(function, *positional, **keywords)
        outcome.milliseconds, outcome.timed = measured(call)
        outcome.traces = traces_of(function)
    except Exception:
        return
