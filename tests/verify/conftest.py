from __future__ import annotations

import contextlib
import math
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.forked import forking
from tests.running import Run, runs
from tfxla_lint.sandbox import jobs
from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.verify import running
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verdicts import Outcome, Verdict
from tfxla_lint.verify.verifier import Verifier

from .keeping import KeepingWorker

Verify = Callable[..., list[Verdict]]


@pytest.fixture(scope="session")
def worker(tensorflow: None) -> Iterator[Worker]:
    """One TensorFlow process for all the tests of a session."""
    with forking(Worker)(jobs=math.inf) as process:
        yield process


@pytest.fixture
def verify(worker: Worker, tmp_path: Path) -> Verify:
    """Verifies two texts; `path` says where the original stands."""
    return verifying(worker, tmp_path / "module.py")


@pytest.fixture(scope="session")
def keeping_worker(tensorflow: None) -> Iterator[KeepingWorker]:
    """One more, which keeps what originals gave."""
    with forking(KeepingWorker)() as process:
        yield process


@pytest.fixture
def verify_of_many(
    keeping_worker: KeepingWorker, tmp_path_factory: pytest.TempPathFactory
) -> Verify:
    """Verifies one of many rewrites of a text, which runs once for all of them."""
    return verifying(keeping_worker, tmp_path_factory.getbasetemp() / "module.py")


@pytest.fixture
def run(
    worker: Worker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Run:
    """Runs the command line in this process and in a folder, with the TensorFlow that is warm."""

    def warm(python: str) -> contextlib.AbstractContextManager[Worker]:
        return contextlib.nullcontext(worker) if python == sys.executable else Worker(python)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running, "Worker", warm)
    return runs(capfd)


def verifying(worker: jobs.Worker, default: Path) -> Verify:
    """What verifies two texts with a worker; `path` says where the original stands."""

    def run(
        original: str,
        rewritten: str,
        path: Path | None = None,
        seconds: float = 120.0,
        **more: object,
    ) -> list[Verdict]:
        memory = more.pop("memory", 4 << 30)
        assert isinstance(memory, int)
        more.setdefault("measure", False)
        options = Options(Limits(seconds, memory), **more)  # type: ignore[arg-type]
        old, new = (textwrap.dedent(text) for text in (original, rewritten))
        place = path or default
        return Verifier(worker, options).verify(Pair(place, place.name, old, new))

    return run


def outcomes(verdicts: list[Verdict]) -> dict[str, str]:
    """The verdicts by unit."""
    return {verdict.unit: verdict.outcome.value for verdict in verdicts}


def is_refuted(verdicts: list[Verdict]) -> bool:
    """Whether anything differs."""
    return any(verdict.outcome is Outcome.DIFFERS for verdict in verdicts)
