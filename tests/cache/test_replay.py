"""A run that was there before is told again at once, until something is another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROBE = """\
import atexit, sys
from tfxla_lint.cli import main
atexit.register(lambda: print(*sorted(sys.modules), sep="\\n", file=open("../modules", "w")))
main()
"""
UNUSED = "import os  # noqa: TXL101\n"
#: What a run that is told again has no use for.
LATER = {"click", "tfxla_lint.registry"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a plain file that draws a finding."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    (folder / "a.py").write_text(UNUSED)
    return folder


def run(folder: Path, *arguments: str, **environment: str) -> tuple[int, str, str, bool]:
    """The status of a run, what it wrote, and whether it was told again."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "TFXLA_LINT_NO_CACHE": "", **environment},
    )
    modules = set((folder / "../modules").read_text().split())
    return done.returncode, done.stdout, done.stderr, not modules & LATER


def test_the_same_run_is_told_again(project: Path) -> None:
    first = run(project, ".")
    assert first[0] == 1
    assert "a.py:1:12" in first[1]
    assert not first[3]
    assert run(project, ".") == (*first[:3], True)
    assert run(project, "a.py") == (*first[:3], False)
    assert not run(project, ".", NO_COLOR="1")[3]
    assert not run(project, ".", TFXLA_LINT_NO_CACHE="1")[3]


def edit_without_a_trace(project: Path) -> None:
    before = (project / "a.py").stat()
    (project / "a.py").write_text(UNUSED.replace("TXL101", "TXL102"))
    os.utime(project / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES: dict[str, Callable[[Path], object]] = {
    "an edit that leaves size and time": edit_without_a_trace,
    "a new file": lambda project: (project / "b.py").write_text(UNUSED),
    "a new folder": lambda project: (project / "c").mkdir(),
    "new settings": lambda project: (project / "tfxla-lint.toml").write_text("ignore = ['ALL']\n"),
    "what git ignores": lambda project: (project / ".gitignore").write_text("a.py\n"),
    "a file that goes": lambda project: (project / "a.py").unlink(),
}


def test_a_change_is_seen(project: Path) -> None:
    for change in CHANGES.values():
        assert not run(project, "-v", ".")[3]
        before = run(project, "-v", ".")
        assert before[3]
        change(project)
    assert not run(project, "-v", ".")[3]


def test_the_same_contents_written_anew_are_the_same(project: Path) -> None:
    first = run(project, ".")
    (project / "a.py").unlink()
    (project / "a.py").write_text(UNUSED)
    os.utime(project / "a.py", (1, 1))
    assert run(project, ".") == (*first[:3], True)


def test_what_cannot_be_read_back_is_found_anew(project: Path) -> None:
    first = run(project, ".")
    for path in (project / ".tfxla_lint_cache").glob("??/*"):
        path.write_bytes(b"[]\n")
    assert run(project, ".") == first
    assert run(project, ".") == (*first[:3], True)


def test_a_report_that_is_written_to_a_file_is_written_each_time(project: Path) -> None:
    for _ in range(2):
        assert run(project, "-o", "report", ".")[0] == 1
        assert "TXL101" in (project / "report").read_text()
        (project / "report").unlink()
