"""The worker that runs what is verified."""

from __future__ import annotations

import sys

from tfxla_lint.sandbox.jobs import JOBS
from tfxla_lint.sandbox.jobs import Worker as _Worker


class Worker(_Worker):
    """One TensorFlow process for the jobs of verification."""

    def __init__(self, python: str = sys.executable, jobs: float = JOBS) -> None:
        super().__init__("tfxla_lint.verify.worker.service", python, jobs=jobs)
