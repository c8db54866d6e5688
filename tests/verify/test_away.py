"""Verification by the workers of an executor: the verdicts of one machine, in the same order."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tfxla_lint
from tfxla_lint.checking import Checking
from tfxla_lint.discovery import discover
from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.resolver import SettingsResolver
from tfxla_lint.verify import proof, running
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verifier import Verifier
from tfxla_lint.work import Mode

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
    monkeypatch.setattr(proof, "Verifying", Shared)


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


class Inline(Executor):
    """Does each job at once."""

    def submit(self, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(arguments[0](*arguments[1:], **options))
        return future


MAKER = """\
import tensorflow as tf


def maker():
    return tf.keras.optimizers.SGD(lr=0.5)
"""
USER = """\
import tensorflow as tf
from maker import maker


def rates():
    return maker().learning_rate + tf.keras.optimizers.SGD(lr=0.25).learning_rate


print(float(rates()))
"""


def test_fixes_are_run_beside_those_that_wait_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TFXLA_LINT_NO_CACHE", "1")
    (tmp_path / "pyproject.toml").touch()
    ran: list[dict[str, str]] = []
    judge = Verifier.verify

    def verify(self: Verifier, pair: Pair) -> Any:
        ran.append({Path(path).name: text for path, text in pair.overlays[0].items()})
        assert (tmp_path / "maker.py").read_text() == MAKER or not given.executor
        return judge(self, pair)

    monkeypatch.setattr(Verifier, "verify", verify)
    made = []
    for executor in (None, Inline()):
        (tmp_path / "maker.py").write_text(MAKER)
        (tmp_path / "user.py").write_text(USER)
        resolver = SettingsResolver(Layer(tmp_path, select=("TXL502",)))
        given = Checking(discover([str(tmp_path)], resolver).files, resolver)
        given.executor = executor
        ran.clear()
        options = Options(Limits(), measure=False)
        files = given.run(Mode.FIX, 1, proof.Proving(options))
        verdicts = [[v.outcome for v in c.verdicts] for f in files for c in f.checked]
        texts = [path.read_text() for path in sorted(tmp_path.glob("*.py"))]
        made.append(([file.applied for file in files], verdicts, texts))
        changed = {"maker.py": MAKER.replace("lr=", "learning_rate=")} if executor else {}
        assert ran == [{}, changed]
    assert made[0] == made[1]
    assert "lr=" not in "".join(made[0][2])
