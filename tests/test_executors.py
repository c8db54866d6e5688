"""Runs whose work is done by executors: of this machine, and of a cluster that loses a worker."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tfxla_lint
from tests.running import LOOP, STEP, Run, runs, write_parts
from tfxla_lint import registry, runner
from tfxla_lint.workers import engines, remote
from tfxla_lint.workers.remote import apply_far


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in a project of files that import each other, and of others."""
    monkeypatch.setattr(registry, "_adopted", [])
    monkeypatch.chdir(tmp_path)
    write_parts(tmp_path, STEP + LOOP, 20)
    (tmp_path / "broken.py").write_text("import tensorflow as tf\nx = (\n")
    return runs(capfd)


class Losing(Executor):
    """Hands on to another executor; `lose` is called once, when so many jobs are out."""

    def __init__(self, inner: Executor, lose: Callable[[], None], after: int) -> None:
        self._inner = inner
        self._lose = lose
        self._after = after

    def submit(self, *args: Any, **options: Any) -> Future[Any]:
        self._after -= 1
        future: Future[Any] = self._inner.submit(*args, **options)
        if not self._after:
            self._lose()
        return future


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A scheduler and two worker processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


def test_a_cluster_that_loses_a_worker_reports_what_one_machine_does(
    run: Run, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run("--select=ALL", ".")
    assert expected[0] == 1
    plain = engines.executor_at
    lost: list[int] = []

    def lose() -> None:
        lost.append(cluster.workers[0].pid)
        os.kill(lost[0], signal.SIGKILL)

    @contextmanager
    def losing(word: str) -> Iterator[Executor]:
        with plain(word) as executor:
            yield Losing(executor, lose, 3)

    monkeypatch.setattr(engines, "executor_at", losing)
    monkeypatch.setattr(runner, "_run_here", None)
    monkeypatch.setattr(runner, "_run_in_processes", None)
    address = f"--executor=dask={cluster.scheduler_address}"
    assert run("--select=ALL", address, ".") == expected
    assert lost


class Deserted(Executor):
    """Takes jobs, and has nobody to do them."""

    def submit(self, *args: Any, **options: Any) -> Future[Any]:
        return Future()

    def is_deserted(self) -> bool:
        return True


def test_what_nobody_is_there_to_do_is_done_here(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run("--select=ALL", ".")

    @contextmanager
    def deserted(word: str) -> Iterator[Executor]:
        yield Deserted()

    monkeypatch.setattr(engines, "executor_at", deserted)
    monkeypatch.setattr(remote, "_PATIENCE", 0.0)
    assert run("--select=ALL", "--executor=dask=gone", ".") == expected


def test_a_cluster_tells_whether_it_has_workers(cluster: Any) -> None:
    with engines.executor_at(f"dask={cluster.scheduler_address}") as executor:
        assert not executor.is_deserted()  # type: ignore[attr-defined]
    assert executor.is_deserted()  # type: ignore[attr-defined]


def test_fixes_of_a_cluster_are_written_here(run: Run, tmp_path: Path, cluster: Any) -> None:
    def state() -> dict[str, str]:
        return {path.name: path.read_text() for path in tmp_path.glob("*.py")}

    before = state()
    expected = run("--fix", ".")
    fixed = state()
    assert fixed != before
    for name, text in before.items():
        (tmp_path / name).write_text(text)
    assert run("--fix", f"--executor=dask={cluster.scheduler_address}", ".") == expected
    assert state() == fixed


def test_what_a_cluster_found_is_kept_here(
    run: Run, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TFXLA_LINT_NO_CACHE")
    address = f"--executor=dask={cluster.scheduler_address}"
    expected = run(address, "--select=ALL", ".")
    monkeypatch.setattr(runner, "run", None)
    assert run("--select=ALL", ".") == expected


def test_a_cluster_that_is_not_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(engines, "_PATIENCE", "0.2s")
    status, out, err = run("--executor=dask=tcp://127.0.0.1:9", ".")
    assert (status, out) == (2, "")
    assert err.startswith("Error: --executor: cannot reach tcp://127.0.0.1:9")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--executor=spark=x",), "'spark=x' is no executor such as dask=tcp://scheduler:8786"),
        (("--executor=dask=x", "-"), "--executor needs files"),
    ],
)
def test_what_an_executor_does_not_go_with(run: Run, options: tuple[str, ...], told: str) -> None:
    status, _, err = run(*options)
    assert status == 2
    assert told in err


def test_any_executor_checks_files(run: Run, tmp_path: Path) -> None:
    expected = tfxla_lint.check(tmp_path, select=["ALL"])
    assert len(expected) > 6
    with ThreadPoolExecutor(2) as threads:
        found = tfxla_lint.check(tmp_path, select=["ALL"], executor=threads)
    assert (found.findings, found.as_json()) == (expected.findings, expected.as_json())


def dying() -> Callable[[str], str]:
    """Makes a function that ends its process at some jobs."""
    return lambda job: os._exit(7) if job == "die" else job * 2


def test_a_pool_that_breaks_gives_back_what_it_did() -> None:
    with ProcessPoolExecutor(1) as pool:
        done = apply_far(pool, dying, iter(["a", "die", "b"]))
    assert done in ({}, {0: "aa"})


def test_files_that_no_worker_lived_to_process_are_processed_here(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = tfxla_lint.check(tmp_path)

    class Lost(Executor):
        def submit(self, *args: Any, **options: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(OSError("the worker is gone"))
            return future

    assert tfxla_lint.check(tmp_path, executor=Lost()).findings == expected.findings


def test_a_worker_with_another_tool_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tfxla_lint import away

    answers = iter(["here", "there"])
    monkeypatch.setattr(away, "own_contents", lambda: next(answers))
    with ThreadPoolExecutor(1) as threads, pytest.raises(tfxla_lint.Error, match="another version"):
        tfxla_lint.check(tmp_path, executor=threads)
