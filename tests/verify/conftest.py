from __future__ import annotations

import importlib.util
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verdicts import Outcome, Verdict
from tfxla_lint.verify.verifier import Verifier

Verify = Callable[..., list[Verdict]]


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    """One TensorFlow process for all the tests of a session."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    with Worker() as process:
        yield process


@pytest.fixture
def verify(worker: Worker, tmp_path: Path) -> Verify:
    """Verifies two texts; `path` says where the original stands."""

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
        place = path or tmp_path / "module.py"
        return Verifier(worker, options).verify(Pair(place, place.name, old, new))

    return run


def outcomes(verdicts: list[Verdict]) -> dict[str, str]:
    """The verdicts by unit."""
    return {verdict.unit: verdict.outcome.value for verdict in verdicts}


def is_refuted(verdicts: list[Verdict]) -> bool:
    """Whether anything differs."""
    return any(verdict.outcome is Outcome.DIFFERS for verdict in verdicts)
