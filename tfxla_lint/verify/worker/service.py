"""Answers the jobs of verification."""

from __future__ import annotations

import contextlib
import traceback
from typing import Any, Dict

from tfxla_lint.sandbox.inside.service import Answer, Tell, serve


def main() -> None:
    """Answer until there are no more."""
    serve(prepare)


def prepare() -> Answer:
    """Import what the jobs need."""
    from tfxla_lint.sandbox.inside import draws, tuning
    from tfxla_lint.verify.worker import calls, scripts

    draws.install()
    scenarios = {"calls": calls.check_calls, "script": scripts.check_script}

    def answer(job: Dict[str, Any], tell: Tell) -> Dict[str, Any]:
        """The report for one job; what fails here is the worker's own fault."""
        as_it_runs = tuning.untuned() if job.get("untimed") else contextlib.nullcontext()
        try:
            with as_it_runs:
                return scenarios[job["scenario"]](job, tell)
        except BaseException as error:
            reason = f"the worker failed: {type(error).__name__}: {error}"
            report = {"verdict": "not checked", "reason": reason, "refuses": True}
            # What it did not come to may differ, whatever else was seen.
            return {**report, "traceback": traceback.format_exc()}

    return answer
