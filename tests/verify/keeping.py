"""A worker that keeps what calls of the last originals gave, for tests of many rewrites of each.

It works as the worker of verification does, which it is: what arguments the original takes and what it
gives for them is found out once, and by the first of its rewrites that comes.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tfxla_lint.sandbox import jobs
from tfxla_lint.sandbox.inside.service import Answer, serve

#: Of so many originals it is kept.
ORIGINALS = 32
#: What of a job is about the rewritten version or its comparison alone.
OF_REWRITTEN = frozenset({"sides", "gone", "mutants", "power_seconds", "xla"})
#: The lines that arguments should come to: what is about them alone where the first do not.
ASKED = "asked"


class KeepingWorker(jobs.Worker):
    """A process of it."""

    def __init__(self) -> None:
        root = Path(__file__).parents[2]
        super().__init__("tests.verify.keeping", sys.executable, root, jobs=math.inf)


def main() -> None:
    serve(prepare)


def prepare() -> Answer:
    from tfxla_lint.verify.worker import calling, calls, planning, service

    known = Known()
    vars(calling).update(Planning=keeping_plans(planning.Planning, known))
    vars(calls).update(Pair=keeping_runs(calling.Pair, known))
    return service.prepare()


class Known:
    """What is known of the originals that were called last."""

    def __init__(self) -> None:
        self._all: dict[str, dict[Any, Any]] = {}

    def of(self, job: Mapping[str, Any]) -> dict[Any, Any]:
        """What is known of the original of a job; more may be added."""
        own = {key: value for key, value in job.items() if key not in {*OF_REWRITTEN, ASKED}}
        key = json.dumps([own, job["sides"][0]], sort_keys=True)
        known = self._all[key] = self._all.pop(key, {})
        while len(self._all) > ORIGINALS:
            del self._all[next(iter(self._all))]
        return known


def keeping_plans(planning: Any, known: Known) -> Any:
    """The class that plans calls, with what is kept."""

    class Keeping(planning):  # type: ignore[misc]
        job: dict[str, Any]
        reached: set[int]
        refused: Any
        called: Any
        _side: Any
        _tried = 0
        _is_first = True

        def plans(self) -> Any:
            kept, given = known.of(self.job).setdefault("plans", []), self.job
            asked = set(given.get(ASKED, ()))
            fitting = [(plans, by) for plans, by in kept if by.serves(asked)]
            if not fitting:
                self._for = asked
                fitting = [(super().plans(), self)]
                kept += fitting
            plans, by = fitting[0]
            vars(self._side).update(vars(by._side))
            self.varied, self.refused, self.called = by.varied, by.refused, by.called
            own = {key: value for key, value in by.job.items() if key not in OF_REWRITTEN}
            self.job = {**own, **{key: given[key] for key in OF_REWRITTEN & set(given)}}
            return list(plans)

        def serves(self, asked: set[int]) -> bool:
            """Whether it would have planned the same for other lines."""
            is_straight = self._tried == 1 and self._is_first
            return asked == self._for or (is_straight and self._for | asked <= self.reached)

        def _jobs(self, module: Any) -> Any:
            for self._tried, job in enumerate(super()._jobs(module), 1):
                yield job

        def _reaching(self, bench: Any, choice: Any) -> Any:
            found = super()._reaching(bench, choice)
            self._is_first = found is choice
            return found

    return Keeping


def keeping_runs(pair: Any, known: Known) -> Any:
    """The class that calls both sides, with what is kept."""

    class Keeping(pair):  # type: ignore[misc]
        original: Any
        plans: Any

        def __init__(self, job: Mapping[str, Any], tell: Callable[..., None]) -> None:
            self._kept, self._turns = known.of(job), 0
            super().__init__(job, tell)

        def run(self, side: Any, *how: Any, **ways: Any) -> Any:
            if side is not self.original or how not in ((), (False,)) or ways:
                return super().run(side, *how, **ways)
            # A run for the comparison, one more as it was, and one with floats moved a little.
            self._turns += 1
            key = (self._turns, side.pace, side.nudged, repr(self.plans))
            if key not in self._kept:
                self._kept[key] = super().run(side)
            return self._kept[key]

    return Keeping
