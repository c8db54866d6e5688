"""Drives a worker process: sends it programs, enforces time limits, restarts it when it dies."""

from __future__ import annotations

import base64
import math
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tfxla_lint.sandbox import jobs
from tfxla_lint.sandbox.limits import Limits

Node = tuple[str, str, Any]


@dataclass(frozen=True)
class Snapshot:
    """What one run of a program left behind.

    `state` is the tree of the final module globals, as `sandbox/inside/nodes.py` makes it. `error`
    is the type and message of the exception that ended the run; the types "Timeout" and "Crash" are
    the client's own.
    """

    state: Node
    stdout: str = ""
    stderr: str = ""
    error: tuple[str, str] | None = None
    seconds: float = 0.0


class Worker:
    """One TensorFlow process, started at the first run and kept for the next ones.

    Programs draw the same numbers in each run, unless it is one `of_time`: then they draw as TensorFlow
    does, at its price. A `kind` of worker starts the process.
    """

    def __init__(
        self,
        python: str = sys.executable,
        *,
        of_time: bool = False,
        kind: type[jobs.Worker] = jobs.Worker,
    ) -> None:
        root = Path(__file__).parents[2]
        module = "tools.programs.plain_worker" if of_time else "tools.programs.worker"
        self._worker = kind(module, python, root, jobs=math.inf)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self._worker.stop()

    def run(
        self,
        path: Path,
        seed: int = 0,
        run_functions_eagerly: bool = False,
        timeout: float = 60.0,
    ) -> Snapshot:
        """Run the file as `__main__` and report its final state."""
        job = {"path": str(path.absolute()), "seed": seed, "eager": run_functions_eagerly}
        try:
            answer = self._worker.run(job, Limits(timeout, 16 << 30))
        except jobs.Death as death:
            kind = "Timeout" if death.kind == "timeout" else "Crash"
            return Snapshot(state=("branch", "module", []), error=(kind, death.reason))
        return Snapshot(**pickle.loads(base64.b64decode(answer["report"])))
