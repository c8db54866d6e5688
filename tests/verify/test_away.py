"""Verification by the workers of an executor: the verdicts of one machine, in the same order."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tfxla_lint
from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.verify import running
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verifier import Verifier

LIBRARY = """\
import tensorflow as tf


def scale(x):
    return x * {}
"""
PROGRAM = """\
import tensorflow as tf
from library_{0} import scale


def step(x):
    return tf.reduce_sum(scale(x)){1}


print(float(step(tf.ones([3]))))
"""


@pytest.fixture(autouse=True)
def shared(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """One TensorFlow for all tests, in place of one for each worker."""

    class Shared(Worker):
        def __init__(self, python: str) -> None:
            pass

        def start(self) -> None:
            pass

        def stop(self) -> None:
            pass

        def run(self, *arguments: Any) -> Any:
            return worker.run(*arguments)

    monkeypatch.setattr(running, "Worker", Shared)


def pairs(folder: Path, factor: str, added: str) -> list[Pair]:
    """A library and a program that uses it, both changed."""
    texts = {
        folder / "library_1.py": (LIBRARY.format("2.0"), LIBRARY.format(factor)),
        folder / "program.py": (PROGRAM.format(1, ""), PROGRAM.format(1, added)),
    }
    for path, (old, _) in texts.items():
        path.write_text(old)
    overlays = tuple({str(path): both[i] for path, both in texts.items()} for i in (0, 1))
    return [Pair(p, p.name, *both, (overlays[0], overlays[1])) for p, both in texts.items()]


@pytest.mark.parametrize(
    ("factor", "added"),
    [("(1.0 + 1.0)", " + 0.0"), ("2.5", ""), ("2.5", " * 2.0")],
    ids=["the same", "the library differs", "both differ"],
)
def test_the_verdicts_are_those_of_one_machine(
    worker: Worker, tmp_path: Path, factor: str, added: str
) -> None:
    given = pairs(tmp_path, factor, added)
    options = Options(Limits(), measure=False)
    expected = Verifier(worker, options).verify_all(given)
    with ThreadPoolExecutor(2) as threads:
        found = running.verify_pairs(given, options, executor=threads)
    assert [(v.path, v.unit, v.outcome, v.note) for v in found] == [
        (v.path, v.unit, v.outcome, v.note) for v in expected
    ]
    assert expected


def test_what_no_worker_lived_to_run_is_not_checked() -> None:
    class Lost(Executor):
        def submit(self, *arguments: Any, **options: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(OSError("the worker is gone"))
            return future

    found = tfxla_lint.verify("x = 1\n", "x = 2\n", executor=Lost())
    assert found.outcome == "not checked"
    assert found.verdicts[0].reason == "the workers that ran it were lost"
