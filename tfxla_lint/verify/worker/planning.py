"""Plans what a function is called with: examples, or arguments that the original was found to accept.

Beside those that a search finds there are others that lead elsewhere: other sizes, other values, other
state outside, no values at all.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
import types
from typing import Any, Dict, Iterator, List, Mapping, Optional, Set, Tuple

from tfxla_lint.verify.worker.attempts import (
    CALLS,
    ONE_SECONDS,
    Plan,
    attempt_with,
    loaded,
    objects_of,
    prepared_with,
    survives,
)
from tfxla_lint.verify.worker.bench import Bench, Unsuitable, returned
from tfxla_lint.verify.worker.further import (
    SMALLER,
    bare_choices,
    further_choices,
    given_choices,
    has_fewer,
    is_below,
    is_numbered,
    longer_choices,
    made_otherwise,
    near_choice,
    numbered_choices,
    otherwise_bare,
    recast_choices,
    refused_choices,
    tied_choice,
    true_choice,
    wider_choice,
    worded_choices,
)
from tfxla_lint.verify.worker.given import Called, choices_for
from tfxla_lint.verify.worker.guessing import Choice, marked
from tfxla_lint.verify.worker.kinds import kinds_of
from tfxla_lint.verify.worker.lists import (
    documented_choice,
    is_of_floats,
    longer_lists,
    renumbered_choices,
)
from tfxla_lint.verify.worker.search import ACCEPTED, Search
from tfxla_lint.verify.worker.settling import Tell
from tfxla_lint.verify.worker.sides import (
    Side,
    failure,
    is_worded,
    said,
)
from tfxla_lint.verify.worker.values import (
    OTHER_BATCH,
    Spec,
    moved_by_training,
    turns_of,
    with_batch,
)
from tfxla_lint.verify.worker.variations import Last

FURTHER = "further inputs"
#: Longer periods are not waited for.
_PERIOD = 20
#: So often an object is called that is made otherwise.
_OTHERWISE = 2
#: So long further arguments are tried on the original.
_FURTHER_SECONDS = 4.0
#: So long arguments are looked for that come to more lines.
_REACHING_SECONDS = 3.0
#: With so many values of the same kinds it is tried to come to more lines.
_VALUES = 60
#: Where the numbers of arguments begin that follow all others.
_APART = 10_000
#: So long one of them may take; then the parent leaves it out.
_ONE_FURTHER_SECONDS = 10.0
#: One with other arguments than the first may take so many times as long as these, and a little.
_TIMES, _LITTLE = 10.0, 1.0
#: So many rows have equal values in more than one way.
_MANY = 24


class Unrepeatable(Unsuitable):
    """The calls that the project makes are known, and none of them runs by itself."""


class Planning:
    """Plans the calls of one job on its original.

    `job` comes to say how objects are made and filled; `varied` has the names that other code may
    change, by the paths where they stand.
    """

    def __init__(self, job: Mapping[str, Any], side: Side, tell: Tell) -> None:
        self.job: Plan = dict(job)
        self.varied: Dict[str, str] = {}
        #: Arguments that the original refuses in its own words.
        self.refused: Optional[Choice] = None
        #: What functions in what it returns are called with.
        self.called: Called = {}
        #: Turns whose values come to lines that those of the first calls do not come to.
        self.values: List[int] = []
        #: By parameter of which kind is what the project's own calls pass.
        self.passed: Choice = {}
        #: The lines that the first arguments come to.
        self.reached: Set[int] = set()
        #: Further arguments with a number below one, for which the original has no lines of its own.
        self._few: List[Choice] = []
        #: The number of the last arguments that stand in no other row.
        self._numbered = _APART
        self._side = side
        self._tell = tell
        #: So long one call with other arguments may take.
        self._seconds = ONE_SECONDS

    def plans(self) -> List[Plan]:
        """What to call with: the declared examples, or arguments that a search found."""
        job, side = self.job, self._side
        if job.get("declared"):
            numbers, varied = self._running()
            return [
                *({"declared": i, "turn": turn} for turn in range(CALLS) for i in numbers),
                *varied,
            ]
        with loaded(job, side) as (module, _):
            bench, choice = self._found(module)
            # What both versions can move is what the original has.
            self.job["stirred"] = moved_by_training(bench.target_self())
            job, choice = self.job, self._reaching(bench, choice)
            choice = marked(choice, job["parameters"])
            if job.get("inner"):
                with contextlib.suppress(Exception):
                    function, positional, keywords = bench.arguments({"choice": choice}, 0)
                    result = function(*positional, **keywords)
                    self.called = choices_for(result, job["inner"], job, bench.maker)
            plans: List[Plan] = [{"choice": choice} for _ in range(self._count(bench, choice))]
            plans += [{"choice": choice, "turn": turn} for turn in self.values]
            true = true_choice(choice)
            if true != choice and job.get("periods") and attempt_with(bench, true)[0] in ACCEPTED:
                # What counts how often in a row something is so.
                plans += [{"choice": true}] * self._count(bench, true)
            # Before values grow so large that nothing else shows.
            plans += self._otherwise(bench, {"choice": choice})
            other = {name: with_batch(spec, OTHER_BATCH) for name, spec in choice.items()}
            if other != choice and attempt_with(bench, other)[0] in ACCEPTED:
                plans.append({"choice": other})
            left_out = [p["name"] for p in job["parameters"] if p.get("default")]
            defaults = {n: {"k": "default"} for n in (*left_out, *job.get("defaults", ()))}
            bare = {**choice, **defaults}
            if bare != choice and attempt_with(bench, bare)[0] in ACCEPTED:
                plans += [{"choice": bare}] * CALLS
            wider, longer = wider_choice(choice), list(longer_choices(choice))
            recast = list(recast_choices(choice))
            # Where it is told how many dimensions there are, no more are meant.
            is_told = any(p.get("documented") for p in job["parameters"])
            plans += [
                {
                    "choice": further,
                    "is_wide": further == wider,
                    "is_longer": further in longer,
                    "is_below": is_below(further) and not job.get("below"),
                    "is_few": further in self._few,
                    "is_recast": further in recast,
                    "is_numbered": is_numbered(choice, further),
                    "given": [n for n, s in choice.items() if s != further[n] and _is_left_out(s)],
                }
                for further in self._further(bench, choice)
                if further != wider or further == choice or not is_told
            ]
            # One call may come to nothing of what is given.
            plans += [plan for plan in plans if plan.get("given")] * (CALLS - 1)
            plans += [{"choice": tied, "is_tied": True} for tied in self._tied(bench, choice)]
            plans += self._made(bench, choice)
            plans += self._fresh(bench, choice)
            plans += self._between(bench, choice, module)
            plans.append({"choice": choice})
            plans += self._passed_otherwise(bench, choice) if job.get("passed") else []
            smaller = near_choice(choice, SMALLER)
            if smaller != choice and attempt_with(bench, smaller)[0] in ACCEPTED:
                plans.append({"choice": smaller})
            # Which of them are hidden must not hang on how many calls come before.
            plans += [{**plan, "turn": CALLS} for plan in self._bare(bench, choice)]
            self.refused = next(self._refused(bench, choice), None)
        return plans

    def _passed_otherwise(self, bench: Bench, choice: Choice) -> Iterator[Plan]:
        """Calls with other numbers, and other numbers of rows, than the project passes in lists."""
        told = documented_choice(choice, self.job["parameters"])
        like = [*longer_lists(choice), told]
        others = [*like, *renumbered_choices(choice), *longer_lists(choice, turns=1)]
        for number, other in enumerate(others):
            changed_ones = [name for name, spec in other.items() if spec != choice[name]]
            # Whole numbers may name things, of which each comes once.
            are_floats = all(is_of_floats(choice[name]) for name in changed_ones)
            is_like = number < len(like) and are_floats
            if changed_ones and attempt_with(bench, other, calls=1)[0] in ACCEPTED:
                yield {"choice": other, "turn": 0, "is_renumbered": not is_like}

    def _found(self, module: types.ModuleType) -> Tuple[Bench, Choice]:
        """Arguments that the original accepts, and what it is called on with them."""
        side, tries, error = self._side, 0, ""
        if "choice" in self.job:
            return Bench(self.job, side, module), self.job["choice"]
        asked = set(self.job.get("asked", ()))
        best: Optional[Tuple[Plan, Bench, Choice]] = None
        most = -1
        for job in self._jobs(module):
            bench = Bench(job, side, module)
            search = Search(job, module.__dict__)
            side.ran.clear()
            choice = search.run(functools.partial(attempt_with, bench))
            if choice is not None and len(asked & side.ran) > most:
                best, most = (job, bench, choice), len(asked & side.ran)
            if best is not None and (not asked or most > 0):
                break
            tries += search.tries
            error = search.last_error or error
        if best is not None:
            self.job, bench, choice = best
            return bench, choice
        raise Unsuitable(
            f"no arguments found that the original accepts ({tries} tried);"
            f" the last error was {(error or 'nothing was tried')[:300]}"
        )

    def _jobs(self, module: types.ModuleType) -> Iterator[Plan]:
        """The job with several ways of making and filling objects."""
        known = None
        # Sizes of objects go up, or else each divides the one before it.
        for divides in (False, True):
            own = objects_of({**self.job, "divides": divides}, module.__dict__)
            if own == known:
                return
            known = own
            job = {**self.job, "own": own}
            prepared = prepared_with(job, self._side, module)
            yield {**job, "prepared": prepared}
            if prepared:
                # What other methods were given may be what nobody meant.
                yield {**job, "prepared": {}}

    def _reaching(self, bench: Bench, choice: Choice) -> Choice:
        """Arguments with other numbers, where the first ones do not come to all lines that are asked for."""
        asked, ran = set(self.job.get("asked", ())), self._side.ran
        stop = time.thread_time() + _REACHING_SECONDS

        def reached(other: Choice) -> Set[int]:
            ran.clear()
            is_taken = attempt_with(bench, other)[0] in ACCEPTED
            return set(ran) if is_taken else set()

        known = set(ran)
        began = time.perf_counter()
        self.reached = reached(choice)
        taken = time.perf_counter() - began
        self._seconds = min(ONE_SECONDS, _TIMES * taken + _LITTLE)
        given = given_choices(choice, self._numbers)
        others = (*self._worded(choice), *numbered_choices(choice), *given)
        for other in others:
            if self.reached >= asked or time.thread_time() > stop:
                break
            found = reached(other)
            if len(asked & found) > len(asked & self.reached):
                choice, self.reached = other, found
        for call in range(CALLS, _VALUES):
            if self.reached >= asked or time.thread_time() > stop:
                break
            ran.clear()
            is_taken = attempt_with(bench, choice, calls=1, first=call)[0] in ACCEPTED
            if is_taken and asked & ran - self.reached:
                self.values.append(call)
                self.reached |= ran
        ran |= known | self.reached
        return choice

    @property
    def _numbers(self) -> Dict[str, Any]:
        """The parameters that are numbers where they are left out, with these."""
        given = {p["name"]: p.get("value") for p in self.job["parameters"] if p.get("default")}
        return {name: value for name, value in given.items() if type(value) in (int, float)}

    def _worded(self, choice: Choice) -> Iterator[Choice]:
        words = self.job.get("outside", {}).get("words", ())
        return worded_choices(choice, self.job["parameters"], words)

    def _count(self, bench: Bench, choice: Choice) -> int:
        """So many calls come to what is done every so many times."""
        held = {**bench.namespace, **getattr(bench.target_self(), "__dict__", {})}
        periods = [held.get(name, name) for name in self.job.get("periods", ())]
        fitting = [value for value in periods if type(value) is int and 0 < value <= _PERIOD]
        turns = map(turns_of, choice.values())
        return max([CALLS, *(value + 1 for value in fitting), *turns])

    def _otherwise(self, bench: Bench, plan: Plan) -> Iterator[Plan]:
        """Calls with something else where other code may change it, as far as the original goes."""
        filled = set(self.job.get("filled", ()))
        for place in bench.places():
            if isinstance(place.value, (dict, list, set)) and place.path[5:] in filled:
                # The methods of the object that fill it are called in between.
                continue
            is_told = bench.needs_change(place)
            for way in range(bench.ways(place)):
                with bench.changed(place.path, way) as is_there:
                    is_there = is_there and survives(bench, plan)
                if is_there:
                    is_told = True
                    yield {**plan, "varied": (place.path, way), "is_settable": place.is_settable}
            if is_told:
                self.varied[place.path] = place.name

    def _made(self, bench: Bench, choice: Choice) -> Iterator[Plan]:
        """Calls on objects that are made with something else, as far as the original goes."""
        cls = self.job["unit"].partition(".")[0]
        known = self.job.get("own", {}).get(cls)
        if known is None or not bench.has_object:
            return
        stop = time.thread_time() + _FURTHER_SECONDS
        words = self.job.get("outside", {}).get("words", ())
        for name, spec in made_otherwise(self.job["classes"][cls], known, words):
            plan: Plan = {"choice": choice, "made": {name: spec}}
            with contextlib.suppress(Exception):
                with bench.made(plan["made"]):
                    is_taken = survives(bench, plan)
                if is_taken:
                    yield from [plan] * max(_OTHERWISE, *map(turns_of, choice.values()))
            if time.thread_time() > stop:
                return

    def _fresh(self, bench: Bench, choice: Choice) -> Iterator[Plan]:
        """Calls on objects that were given nothing yet, or one row, as far as the original goes."""
        own = self.job.get("own", {}).get(self.job["unit"].partition(".")[0], {})
        larger = {
            n: {**s, "value": (s.get("value") or 2) + 2} for n, s in own.items() if s["k"] == "int"
        }
        ways: List[Tuple[Choice, int]] = [
            ({}, 0),
            ({}, 1),
            ({}, 2),
            *([(larger, 1)] if larger else []),
        ]
        for made, times in ways if self.job.get("prepared") else ():
            plan: Plan = {"choice": choice, "made": made, "fresh": times}
            with contextlib.suppress(Exception):
                with bench.made(made, times):
                    is_taken = survives(bench, plan)
                if is_taken:
                    yield plan

    def _between(self, bench: Bench, choice: Choice, module: types.ModuleType) -> Iterator[Plan]:
        """Calls after one of each other method that changes what is read, as far as the original goes."""
        plan: Plan = {"choice": choice}
        for unit, own in prepared_with(self.job, self._side, module, "between").items():
            with contextlib.suppress(Exception):
                bench.between(unit, own, 0)
                if survives(bench, plan) and survives(bench, plan):
                    yield {**plan, "between": (unit, own)}
                    yield plan

    def _running(self) -> Tuple[List[int], List[Plan]]:
        """The examples that run with the original, of those that were found; and with other state."""
        found: List[int] = []
        varied: List[Plan] = []
        error, is_refused = "", True
        with loaded(self.job, self._side) as (module, _):
            bench = Bench(self.job, self._side, module)
            for number in range(len(self.job["declared"])):
                plan = {"declared": number, "turn": 0}
                try:
                    function, positional, keywords = bench.arguments(plan, 0)
                    # Calling an object calls its method, whose parameters these are.
                    own = getattr(function, self.job["unit"].rpartition(".")[2], function)
                    kinds = kinds_of(Last(own, positional, keywords, bench.target_self()))
                    returned(function(*positional, **keywords))
                    found.append(number)
                    self.passed = self.passed or kinds
                    varied += [] if varied else list(self._otherwise(bench, plan))
                except Exception as raised:
                    error = said(failure(raised))
                    # Its own refusal may be what is tried.
                    is_refused = is_refused and failure(raised).is_raised_here
        if not self.job.get("setups"):
            found = list(range(len(self.job["declared"])))
        if not found:
            reason = f"the calls that tests and other files make do not run alone: {error}"
            raise Unsuitable(reason) if is_refused else Unrepeatable(reason)
        return found, varied

    def _bare(self, bench: Bench, choice: Choice) -> Iterator[Plan]:
        """Calls with arguments without values that the original accepts.

        With `is_empty` there are no rows, and the original has no lines of its own for that.
        """
        empty = {name: with_batch(spec, 0) for name, spec in choice.items()}
        for bare in bare_choices(choice):
            known = set(self._side.ran)
            if bare != choice and attempt_with(bench, bare, calls=1)[0] in ("", "NaN"):
                is_empty = bare == empty and self._side.ran <= known
                yield {"choice": bare, "is_bare": True, "is_empty": is_empty}
                lost = self.job.get("lost", ())
                for other in otherwise_bare(bare, self.job["parameters"], lost):
                    yield {"choice": other, "is_bare": True, "is_empty": is_empty}

    def _further(self, bench: Bench, choice: Choice) -> Iterator[Choice]:
        """Further arguments that the original accepts; some may make it run for ever, or crash."""
        stop = time.thread_time() + _FURTHER_SECONDS
        constants = [*map(int, _numbers_of(bench)), *self.job.get("dims", ())]
        defaults = self._numbers
        passed = {name for name, spec in choice.items() if spec["k"] != "default"}
        wider = wider_choice(choice)
        single = {name: with_batch(spec, 1) for name, spec in choice.items()}
        others = further_choices(
            choice,
            constants,
            bool(self.job.get("far")),
            bool(self.job.get("negatives", True)),
            defaults,
            self.job.get("never_below", ()),
        )
        for number, further in enumerate(itertools.chain(others, self._worded(choice))):
            if time.thread_time() > stop:
                break
            if further == choice or number in self.job.get("skipped", ()):
                continue
            if further == wider and self.job.get("passed"):
                continue
            known = set(self._side.ran)
            limit = {"number": number, "seconds": _ONE_FURTHER_SECONDS}
            self._tell("phase", side="original", what=FURTHER, **limit)
            if attempt_with(bench, further, seconds=self._seconds)[0] in ACCEPTED:
                if further == single and self.job.get("least", 0) > 1 and self._side.ran <= known:
                    # The docstring says of more rows, and no lines are for one.
                    continue
                passed |= {name for name, spec in further.items() if spec["k"] != "default"}
                is_meant = self.job.get("own_negatives", True) or self._side.ran > known
                if has_fewer(choice, further) and not is_meant:
                    self._few.append(further)
                yield further
        for name in sorted(choice.keys() - passed):
            # No array fits where nothing is given.
            kinds = (("int", 0), ("int", 5), ("int", 2), ("float", 0.5))
            numbers = [{**choice, name: {"k": k, "value": v, "fixed": True}} for k, v in kinds]
            yield from [c for c in numbers if self._survives(bench, c)][:3]

    def _survives(self, bench: Bench, choice: Choice) -> bool:
        """Whether the original accepts arguments; those that it did not live through are left out."""
        self._numbered += 1
        if self._numbered in self.job.get("skipped", ()):
            return False
        limit = {"number": self._numbered, "seconds": _ONE_FURTHER_SECONDS}
        self._tell("phase", side="original", what=FURTHER, **limit)
        return attempt_with(bench, choice, seconds=self._seconds)[0] in ACCEPTED

    def _tied(self, bench: Bench, choice: Choice) -> Iterator[Choice]:
        """Arguments with many equal values, where the original accepts them."""
        tied = tied_choice(choice, [*self.job.get("compared", ()), *_numbers_of(bench)])
        many = {name: with_batch(spec, _MANY) for name, spec in tied.items()}
        ways = [way for way in (tied, many) if way != choice] if tied != choice else []
        for given in ways[: 1 + (many != tied)]:
            if attempt_with(bench, given)[0] in ACCEPTED:
                yield from [given] * CALLS

    def _refused(self, bench: Bench, choice: Choice) -> Iterator[Choice]:
        """Arguments that the original refuses in its own words, where it does so at all."""
        for other in refused_choices(choice) if self.job.get("raises") else ():
            try:
                function, positional, keywords = bench.arguments({"choice": other}, 0)
                returned(function(*positional, **keywords))
            except Unsuitable:
                raise
            except Exception as error:
                # What merely does not work with it shows that nobody means it.
                if is_worded(error):
                    yield other
                    return


def _numbers_of(bench: Bench) -> List[float]:
    """The numbers that the object holds on which a method is called."""
    held = getattr(bench.target_self(), "__dict__", {})
    # What TensorFlow counts for itself is no number of the user's.
    own = (value for name, value in held.items() if not name.startswith("_self_"))
    return [value for value in own if type(value) in (int, float)]


def _is_left_out(spec: Spec) -> bool:
    return bool(spec["k"] == "default")
