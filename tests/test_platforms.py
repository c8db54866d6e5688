"""Other systems, played here: their consoles, their encodings, and what Python lacks on them."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.test_startup import BAD
from tfxla_lint.cli import main
from tfxla_lint.reporters.text import in_slashes
from tfxla_lint.sandbox import limits
from tfxla_lint.sandbox.inside import kept
from tfxla_lint.sandbox.spawn import Child

ROOT = Path(__file__).parents[1]
#: In no code page of Windows, in some, in all.
TEXT = BAD + 'print("\N{SNOWMAN} \N{LATIN SMALL LETTER E WITH ACUTE}")\n'
NAME = "caf\N{LATIN SMALL LETTER E WITH ACUTE} \N{SNOWMAN}.py"


# Consoles and encodings


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp1252", "cp932", "utf-16"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--isolated", "-v", "."],
        ["check", "--isolated", "--diff", "--unsafe-fixes", "."],
        ["check", "--isolated", "--output-format", "json", "."],
        ["explain", NAME],
        ["rule", "TXL102"],
        ["check", "no \N{SNOWMAN}"],
    ],
    ids=lambda words: " ".join(words[:1] + [w for w in words if w.startswith("--")]),
)
def test_a_console_of_any_encoding(
    encoding: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).write_text(TEXT, "utf-8")
    monkeypatch.chdir(tmp_path)
    streams = [io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    said = "".join(s.buffer.getvalue().decode(encoding) for s in streams)
    assert stop.value.code in ((2,) if arguments[-1].startswith("no ") else (0, 1))
    assert "internal error" not in said
    if arguments[0] == "check" and arguments[-1] == "." and "json" not in arguments:
        assert ("\N{SNOWMAN}" if encoding == "utf-16" else r"\u2603") in said


def test_the_locale_decides_about_no_file(tmp_path: Path) -> None:
    """Windows reads files in its code page where nothing else is said."""
    (tmp_path / "m.py").write_bytes(TEXT.encode())
    (tmp_path / "tfxla-lint.toml").write_text('# \N{SNOWMAN}\nexclude = ["\N{SNOWMAN}"]\n', "utf-8")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    tool = [sys.executable, "-X", "warn_default_encoding", "-m", "tfxla_lint", "check"]

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [*tool, *arguments, "m.py"], cwd=tmp_path, env=environment, capture_output=True
        )
        assert done.returncode in (0, 1), done.stderr
        assert b"EncodingWarning" not in done.stderr, done.stderr.decode()
        return (done.stdout + done.stderr).decode("ascii")

    run("--write-baseline", "--baseline", "b.json")
    assert "No findings" in run("--baseline", "b.json")
    run("--fix", "--unsafe-fixes", "--report", "markdown=r.md")
    fixed = (tmp_path / "m.py").read_text("utf-8")
    assert "tf.function" in fixed
    assert fixed.endswith('print("\N{SNOWMAN} \N{LATIN SMALL LETTER E WITH ACUTE}")\n')


def test_each_text_file_is_opened_by_its_encoding() -> None:
    words = ["-m", "ruff", "check", "--preview", "--select", "PLW1514", "--no-cache"]
    done = subprocess.run(
        [sys.executable, *words, "--exclude", "tests,testdata,tools", "tfxla_lint", "rules"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


# Paths


def test_paths_have_slashes_where_tools_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_slashes(r"a\b.py") == r"a\b.py", "here it is a name like others"
    monkeypatch.setattr(os, "sep", "\\")
    assert in_slashes(r"src\b.py") == "src/b.py"


# What is not there


def test_a_child_ends_where_there_are_no_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg", raising=False)
    child = Child([sys.executable, "-c", "import time; time.sleep(60)"], stdin=subprocess.PIPE)
    child.signal("SIGINT")
    assert not child.wait(0.2), "there it would be no end that one can ask for"
    child.end()
    assert child.process.returncode is not None


def test_no_list_of_processes_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> list[str]:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "listdir", refuse)
    child = Child([sys.executable, "-c", "import time; time.sleep(60)"])
    started = time.monotonic()
    child.end()
    assert time.monotonic() - started < 5


def test_what_a_program_changes_is_put_back_without_posix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "resource", None)
    lacking = ("pthread_sigmask", "ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF", "setitimer")
    for name in lacking:
        monkeypatch.delattr(signal, name, raising=False)
    monkeypatch.delattr(os, "geteuid", raising=False)
    kept.limit_files(1)
    before = signal.getsignal(signal.SIGTERM), sys.getrecursionlimit()
    with kept.kept_process():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.setrecursionlimit(before[1] + 7)
    assert (signal.getsignal(signal.SIGTERM), sys.getrecursionlimit()) == before
    assert not kept.is_spoiled()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ps")
def test_macos_tells_memory_by_ps(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> object:
        raise FileNotFoundError

    monkeypatch.setattr(limits, "_children", lambda pid: [])
    plain = limits.resident_bytes(os.getpid())
    monkeypatch.setattr("builtins.open", refuse)
    assert limits.resident_bytes(os.getpid()) == 0, "Windows: unknown"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert limits.resident_bytes(os.getpid()) > plain / 4
    assert limits.resident_bytes(1 << 22) == 0


def test_a_file_that_is_held_open_keeps_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Windows puts no file in the place of one that somebody has open."""

    def refuse(source: object, target: object) -> None:
        raise PermissionError(13, "The process cannot access the file")

    (tmp_path / "m.py").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(SystemExit) as stop:
        main(["check", "--isolated", "--fix", "--unsafe-fixes", "m.py"])
    assert stop.value.code == 2
    assert "m.py: cannot write it: The process cannot access the file" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["m.py"]
    assert (tmp_path / "m.py").read_text() == BAD
