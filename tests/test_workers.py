"""Worker processes: what they give, how they die, and that they do not outlive their parent."""

from __future__ import annotations

import importlib
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from tfxla_lint.workers.pool import WorkersUnavailable, apply

JOBS = """
import os, sys, time

def make():
    print("made")
    return work

def make_badly():
    raise ValueError("no")

def work(job):
    word, place = job
    print("works")
    if word == "die":
        os._exit(11)
    if word in ("compute", "wait"):
        open(place + "begun", "w").close()
        try:
            while True:
                time.sleep(0.001 if word == "compute" else 3600)
        finally:
            open(place + "put away", "w").close()
    return word * 2
"""
PARENT = """
import sys
sys.path.insert(0, sys.argv[1])
import house_jobs
from tfxla_lint.workers.pool import apply
apply(house_jobs.make, [(sys.argv[2], sys.argv[3] + str(i)) for i in range(2)], 2, ["house_jobs"])
"""


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Functions for workers, in a module that is on this process' path alone."""
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "house_jobs.py").write_text(JOBS)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "house_jobs", raising=False)
    return importlib.import_module("house_jobs")


def test_results_come_from_other_processes(
    jobs: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    work = [(letter * 50_000, "") for letter in "abc"]
    done = apply(jobs.make, work, 2, ["house_jobs"])
    assert done == {index: word * 2 for index, (word, _) in enumerate(work)}
    out, err = capfd.readouterr()
    assert out == ""
    assert sorted(err.split()) == ["made"] * 2 + ["works"] * 3


def test_a_process_that_dies_costs_one_result(jobs: ModuleType) -> None:
    done = apply(jobs.make, [(word, "") for word in ("a", "die", "b", "c")], 1, ["house_jobs"])
    assert done == {0: "aa", 2: "bb", 3: "cc"}


def test_a_process_that_cannot_start(jobs: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WorkersUnavailable):
        apply(jobs.make_badly, [("a", "")], 1, ["house_jobs"])
    with pytest.raises(WorkersUnavailable):
        apply(jobs.make, [("a", "")], 1)
    monkeypatch.setattr(sys, "executable", "no-such-python")
    with pytest.raises(WorkersUnavailable):
        apply(jobs.make, [("a", "")], 1, ["house_jobs"])


@pytest.mark.parametrize("word", ["compute", "wait"])
def test_workers_end_with_a_parent_that_is_killed(
    jobs: ModuleType, tmp_path: Path, word: str
) -> None:
    place = tmp_path / "job"
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "jobs"), word, str(place)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not all(Path(f"{place}{i}begun").exists() for i in range(2)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    # The workers write where their parent did: that ends once the last of them has ended.
    process.communicate(timeout=30)
    if word == "compute":
        assert all(Path(f"{place}{i}put away").exists() for i in range(2))
