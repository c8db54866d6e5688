"""Shares of a run, and what they come to together."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.running import STEP, Run, runs, write_parts
from tfxla_lint import registry, runner
from tfxla_lint.project.projects import Project, Projects
from tfxla_lint.sharding import share
from tfxla_lint.work import LintOptions, Work


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in a small project."""
    monkeypatch.delenv("TFXLA_LINT_NO_CACHE")
    monkeypatch.delenv("TFXLA_LINT_CACHE_DIR", raising=False)
    monkeypatch.setattr(registry, "_adopted", [])
    monkeypatch.chdir(tmp_path)
    write_parts(tmp_path, STEP, 4)
    return runs(capfd)


def files(report: str) -> set[str]:
    lines = (line for line in report.splitlines() if ".py:" in line)
    return {line.partition(":")[0] for line in lines}


def shares(run: Run, count: int) -> list[set[str]]:
    found = []
    for number in range(1, count + 1):
        asked = f"--shard={number}/{count}", f"--cache-dir=parts/{number}"
        report = run(*asked, "--output-format=concise", "--select=ALL", ".")[1]
        found.append(files(report))
    return found


def test_the_shares_have_each_file_once(run: Run) -> None:
    every = files(run("--no-cache", "--output-format=concise", "--select=ALL", ".")[1])
    assert len(every) >= 4
    found = shares(run, 3)
    assert sorted(name for part in found for name in part) == sorted(every)
    assert max(map(len, found)) < len(every)


def test_files_that_are_analysed_together_are_not_parted(run: Run, tmp_path: Path) -> None:
    paths = sorted(tmp_path.glob("*.py"))
    projects = Projects([Project.of(tmp_path, paths)])
    works = [Work(path, path.name, LintOptions(frozenset(), frozenset())) for path in paths]
    found = [{paths[place].stem for place in share(works, projects, n, 3)} for n in (1, 2, 3)]
    assert sorted(name for part in found for name in part) == [path.stem for path in paths]
    assert all(
        (f"part_{i}" in part) == (f"part_{i + 1}" in part) for part in found for i in (0, 2, 4)
    )
    assert [sum(name.startswith("part") for name in part) for part in found] == [2, 2, 2]


@pytest.mark.parametrize("form", ["full", "json", "sarif"])
def test_one_report_of_all_shares(run: Run, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    expected = run("--no-cache", f"--output-format={form}", "--select=ALL", ".")
    shares(run, 2)
    assert run("merge", "parts/1", "parts/2")[0] == 0
    shutil.rmtree("parts")
    monkeypatch.setattr(runner, "run", None)
    assert run(f"--output-format={form}", "--select=ALL", ".") == expected


@pytest.mark.parametrize("word", ["0/2", "3/2", "2", "a/b", "1/-2", "1/1000000000000"])
def test_what_is_no_share(run: Run, word: str) -> None:
    status, _, told = run("--shard", word, ".")
    assert status == 2
    assert "is no share" in told


def test_merging_needs_folders_that_are_there(run: Run) -> None:
    status, _, told = run("merge", "parts/9")
    assert (status, told) == (2, "error: parts/9: no such folder\n")
    status, _, told = run("merge", "p" * 5_000)
    assert (status, told) == (2, f"error: {'p' * 5_000}: no such folder\n")


def test_merging_finds_what_a_folder_with_other_things_keeps_and_says_where_nothing_is(
    run: Run,
) -> None:
    for name in ("part-1", "part-2"):
        Path(name).mkdir()
        Path(name, ".gitkeep").touch()
    assert run("--shard", "1/1", "--cache-dir", "part-1", ".")[0] != 2
    assert run("merge", "part-1")[0] == 0
    assert run("merge", "part-1")[0] == 0
    status, _, told = run("merge", "part-1", "part-2")
    assert (status, "nothing of a run is kept there" in told) == (2, True)
