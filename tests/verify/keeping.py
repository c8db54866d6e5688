"""A worker that keeps what calls of the last originals gave, for tests of many rewrites of each.

It works as the worker of verification does, which it is: what arguments the original takes and what it
gives for them is found out once, and by the first of its rewrites that comes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tfxla_lint.sandbox import jobs
from tfxla_lint.sandbox.inside.service import Answer, serve

#: Of so many originals it is kept.
ORIGINALS = 8
#: What of a job is about the rewritten version or its comparison alone.
OF_REWRITTEN = frozenset({"sides", "gone", "renamed", "mutants", "power_seconds", "xla"})


class KeepingWorker(jobs.Worker):
    """A process of it."""

    def __init__(self) -> None:
        root = Path(__file__).parents[2]
        super().__init__("tests.verify.keeping", sys.executable, root)


def main() -> None:
    serve(prepare)


def prepare() -> Answer:
    from tfxla_lint.verify.worker import calls, service

    calls.Check = keeping(calls.Check)  # type: ignore[misc]
    return service.prepare()


def keeping(check: Any) -> Any:
    """The class of jobs that call, with what is kept."""
    known: dict[str, dict[Any, Any]] = {}

    class Keeping(check):  # type: ignore[misc]
        _job: Any
        _original: Any
        _plans: Any

        def __init__(self, job: Mapping[str, Any], tell: Callable[..., None]) -> None:
            own = {key: value for key, value in job.items() if key not in OF_REWRITTEN}
            key = json.dumps([own, job["sides"][0]], sort_keys=True)
            self._kept = known.pop(key, {})
            known[key] = self._kept
            while len(known) > ORIGINALS:
                del known[next(iter(known))]
            super().__init__(job, tell)

        def _planned(self) -> Any:
            if "plans" not in self._kept:
                plans = super()._planned()
                self._kept["plans"] = plans, self._original, self._job
            plans, self._original, job = self._kept["plans"]
            self._job = {**job, **{key: self._job[key] for key in OF_REWRITTEN & set(self._job)}}
            return plans

        def _run(self, side: Any, *how: Any, **ways: Any) -> Any:
            if side is not self._original or how not in ((), (False,)) or ways:
                return super()._run(side, *how, **ways)
            # A run for the comparison, one more as it was, and one with floats moved a little.
            turn = self._turns = getattr(self, "_turns", 0) + 1
            key = (turn, side.pace, side.nudged, repr(self._plans))
            if key not in self._kept:
                self._kept[key] = super()._run(side)
            return self._kept[key]

    return Keeping
