"""Jobs of a worker: answers, events, limits, ends; TensorFlow is a stand-in here."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tfxla_lint.sandbox.jobs import Death, Worker, WorkerError
from tfxla_lint.sandbox.limits import Limits

WORKER = """
import os, sys, time, types

from tfxla_lint.sandbox.inside.service import serve

def main():
    serve(prepare)

def prepare():
    if os.environ.get("KIT_IS_BROKEN"):
        if os.environ["KIT_IS_BROKEN"] == "absent":
            raise ModuleNotFoundError("No module named 'tensorflow'")
        raise RuntimeError("no TensorFlow today")
    sys.modules["tensorflow"] = types.SimpleNamespace(__version__="0.1")
    return answer

def answer(job, tell):
    print('{"event": "answer"}', flush=True)
    os.write(1, b'{"event": "answer"}\\n')
    for number in range(job.get("phases", 0)):
        tell("phase", what="step", side="original", number=number)
        time.sleep(0.4)
    tell("phase", what=job["do"], side="rewritten")
    kept = []
    while job["do"] == "hang":
        time.sleep(0.1)
    while job["do"] == "eat":
        kept.append(bytearray(os.urandom(1 << 16)) * 256)
    if job["do"] == "abort":
        os.abort()
    read = sys.stdin.read()
    return {"pid": os.getpid(), "folder": os.getcwd(), "read": read, "level": LEVEL}

LEVEL = os.environ["TF_CPP_MIN_LOG_LEVEL"]
"""
LIMITS = Limits(30.0, 1 << 30)


def worker(folder: Path, jobs: float = math.inf) -> Worker:
    (folder / "kit").mkdir()
    (folder / "kit" / "work.py").write_text(WORKER)
    return Worker("kit.work", sys.executable, folder, jobs)


def test_nothing_that_is_printed_or_read_mixes_with_jobs(tmp_path: Path) -> None:
    with worker(tmp_path) as process:
        first, second = (process.run({"do": "nothing"}, LIMITS) for _ in range(2))
        assert process.tensorflow == "0.1"
        assert first == second
        assert first["read"] == ""
        assert os.path.isdir(first["folder"])
    assert not os.path.exists(first["folder"])
    assert not Path("/proc", str(first["pid"])).exists()


def test_a_worker_is_replaced_after_some_jobs(tmp_path: Path) -> None:
    with worker(tmp_path, jobs=2) as process:
        pids = [process.run({"do": "nothing"}, LIMITS)["pid"] for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_the_users_environment_has_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "1")
    with worker(tmp_path) as process:
        assert process.run({"do": "nothing"}, LIMITS)["level"] == "1"


@pytest.mark.parametrize(
    ("do", "kind", "words"),
    [
        ("hang", "timeout", "it ran for more than 1 s"),
        ("eat", "memory", "it took more than 200 MB of memory"),
        ("abort", "crash", "the process was ended by SIGABRT"),
    ],
)
def test_an_end_is_told_and_the_next_job_is_served(
    do: str, kind: str, words: str, tmp_path: Path
) -> None:
    limits = Limits(1.0 if do == "hang" else 30.0, 200 << 20)
    with worker(tmp_path) as process:
        with pytest.raises(Death, match=words) as death:
            process.run({"do": do}, limits)
        assert (death.value.kind, death.value.side, death.value.phase) == (kind, "rewritten", do)
        assert process.run({"do": "nothing"}, LIMITS)["read"] == ""


def test_each_phase_has_the_whole_time(tmp_path: Path) -> None:
    events: list[Any] = []
    with worker(tmp_path) as process:
        process.start()
        process.run({"do": "nothing", "phases": 4}, Limits(1.0), events.append)
    assert [event.get("number") for event in events] == [0, 1, 2, 3, None]


def test_what_cannot_serve_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIT_IS_BROKEN", "1")
    with pytest.raises(WorkerError, match="RuntimeError: no TensorFlow today"):
        worker(tmp_path).start()
    monkeypatch.setenv("KIT_IS_BROKEN", "absent")
    with pytest.raises(WorkerError, match="with --python, or install it: pip install tensorflow"):
        Worker("kit.work", sys.executable, tmp_path).start()
    with pytest.raises(WorkerError, match="cannot start the interpreter /no/python"):
        Worker("kit.work", "/no/python", tmp_path).start()
