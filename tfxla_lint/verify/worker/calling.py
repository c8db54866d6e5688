"""Makes the planned calls of a function on either side of a job, and keeps what they give."""

from __future__ import annotations

import contextlib
import functools
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

import tensorflow as tf

from tfxla_lint.sandbox.inside.entropy import advance, clock_reads
from tfxla_lint.sandbox.inside.memory import growing
from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.sandbox.inside.surroundings import captured
from tfxla_lint.verify.worker.attempts import CALLS, Plan, loaded
from tfxla_lint.verify.worker.bench import Bench, Unsuitable, returned
from tfxla_lint.verify.worker.clock import measured, traces_of
from tfxla_lint.verify.worker.comparing import Comparison
from tfxla_lint.verify.worker.given import LABEL, Called, called, shared
from tfxla_lint.verify.worker.gradients import gradients_of
from tfxla_lint.verify.worker.left import leaving
from tfxla_lint.verify.worker.outcomes import Outcome
from tfxla_lint.verify.worker.passed import passed_text
from tfxla_lint.verify.worker.planning import Planning
from tfxla_lint.verify.worker.settling import Tell
from tfxla_lint.verify.worker.shaken import Shaken
from tfxla_lint.verify.worker.sides import WRONG, Failure, Side, failure

Wrap = Callable[[Any], Any]
#: What is told of each call.
OnCall = Callable[[Outcome, int], None]
#: Gradients are those of a call with values like those of the first calls, and no number of them zero.
_NEXT = CALLS + 1


class Pair:
    """Both sides of a job, and the calls that are planned for them; raises Unsuitable."""

    def __init__(self, job: Mapping[str, Any], tell: Tell) -> None:
        self.is_correcting = bool(job.get("correcting"))
        self.original = Side(job, job["sides"][0], eager=self.is_correcting)
        self.rewritten = Side(job, job["sides"][1], eager=False)
        tell("phase", side="original", what="inputs")
        self.planning = Planning(job, self.original, tell)
        self.plans = self.planning.plans()
        self.job = self.planning.job
        self.is_timed = not job.get("untimed")

    def both(self, is_timed: bool = False) -> Tuple[Outcome, Outcome]:
        """What the planned calls give on both sides."""
        return self.run(self.original, is_timed), self.run(self.rewritten, is_timed)

    def both_with(self, plans: List[Plan]) -> Tuple[Outcome, Outcome]:
        """What other calls give on both sides, which are not those that are compared in the end."""
        kept, self.plans = self.plans, plans
        try:
            return self.both()
        finally:
            self.plans = kept

    def comparison(self, goes_on: bool = False, is_xla: bool = False) -> Comparison:
        """A comparison under the tolerances of the job."""
        gone, renamed = set(self.job.get("gone", ())), self.job.get("renamed")
        is_xla = is_xla or bool(self.job.get("xla"))
        return Comparison(
            is_xla,
            gone=gone,
            goes_on=goes_on,
            renamed=renamed,
            settings=self.job.get("settings"),
            remade=set(self.job.get("remade", ())),
        )

    def run(
        self,
        side: Side,
        is_timed: bool = False,
        wrap: Wrap = lambda f: f,
        on_call: OnCall = lambda outcome, number: None,
    ) -> Outcome:
        """Load a side anew and make the planned calls."""
        outcome = Outcome()
        # Of wrong versions nobody is told.
        outcome.is_told = side.label != WRONG
        with loaded(self.job, side) as (module, texts):
            bench = Bench(self.job, side, module)
            bench.prepare(self.plans)
            outcome.start = bench.state()
            outcome.is_keras_step = bench.is_keras_step
            outcome.stops_gradients = bool(self.job.get("stops_gradients"))
            outcome.cuts_gradients = bool(self.job.get("cuts_gradients"))
            outcome.is_used = bool(self.job.get("used"))
            # What begins as a number is what it is made of by then.
            outcome.is_loose = bench.is_keras_step or outcome.is_used or bench.gives_number
            shaken = Shaken(bench.variables)
            with leaving() as leaves:
                for number, plan in enumerate(self.plans):
                    if plan.get("is_bare") and not outcome.bare_from:
                        outcome.bare_from = number
                        # What is NaN stays in variables.
                        self._add_gradients(bench, outcome, wrap)
                    with _outside(bench, plan, number, outcome):
                        _call(bench, plan, number, outcome, wrap, self.planning.called)
                    on_call(outcome, number)
                    if side.nudged:
                        shaken.shake()
                outcome.left = leaves.left(bench.own, side.formatted)
            outcome.clocks = {} if side.eager else clock_reads()
            if not outcome.bare_from:
                self._add_gradients(bench, outcome, wrap)
            with captured():
                if is_timed and not any(outcome.errors):
                    _time(bench, self.plans[0], outcome, wrap)
            outcome.ran = set(side.ran)
        outcome.output = (texts["stdout"], texts["stderr"])
        return outcome

    def _add_gradients(self, bench: Bench, outcome: Outcome, wrap: Wrap) -> None:
        if self.job.get("untaped"):
            # The program, which calls it, never asks for them.
            return
        # What these print is no part of the comparison: they may call more or less often.
        with captured():
            outcome.gradients = _gradients(bench, self.plans, outcome, wrap)


def in_graphs(**options: Any) -> Wrap:
    """What makes a `tf.function` of a function, one and the same for each."""
    made: Dict[int, Any] = {}

    def wrap(function: Any) -> Any:
        plain = getattr(function, "python_function", function)
        key = id(getattr(plain, "__func__", plain))
        return made.setdefault(key, tf.function(plain, **options))

    return wrap


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
    outcome.passed.append("")
    otherwise = contextlib.ExitStack()
    try:
        otherwise.enter_context(bench.made(plan.get("made", {}), plan.get("fresh")))
        if "between" in plan:
            other, choice = plan["between"]
            outcome.moved[number] = bench.between(other, choice, number)
        bench.stir(number)
        function, positional, keywords = bench.arguments(plan, plan.get("turn", number))
        if outcome.is_told:
            outcome.passed[number] = passed_text(function, positional, keywords)
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
            function, positional, keywords = bench.arguments(plans[0], _NEXT + turn)
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
