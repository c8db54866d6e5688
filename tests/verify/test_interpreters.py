"""`--python`: relative paths, interpreters that print by themselves; failures of the tool itself."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tfxla_lint.cli import main
from tfxla_lint.sandbox import jobs
from tfxla_lint.sandbox.interpreter import interpreter
from tfxla_lint.sandbox.jobs import WorkerError
from tfxla_lint.verify.process import Worker

TEXT = "import tensorflow as tf\n\n\ndef f(x):\n    return x * 2.0\n"
CHATTER = 'echo "Activating the environment"; echo "{\\"event\\" is no message"; printf "$ "; '


def wrapper(folder: Path, text: str) -> Path:
    """A script that stands for an interpreter."""
    path = folder / "env" / "bin" / "python"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tfxla_lint", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.py").write_text(TEXT)
    (tmp_path / "new.py").write_text(TEXT.replace("x * 2.0", "x + x"))
    (tmp_path / "train.py").write_text("def f():\n    return 1\n\n\nf()\n")
    return tmp_path


SIDES = ("--original", "old.py", "--rewritten", "new.py")


@pytest.mark.parametrize("given", ["env/bin/python", "./env/bin/../bin/python"])
def test_a_relative_interpreter_that_chatters_verifies(given: str, folder: Path) -> None:
    wrapper(folder, f'{CHATTER}exec "{sys.executable}" "$@"')
    done = run(folder, "verify", *SIDES, "--python", given)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "f: equivalent" in done.stdout


def test_a_relative_interpreter_serves_check_and_profile(folder: Path) -> None:
    wrapper(folder, f'{CHATTER}exec "{sys.executable}" "$@"')
    done = run(folder, "check", "--isolated", "--verify", "--python", "env/bin/python", "old.py")
    assert (done.returncode, done.stderr) == (0, "Verified: nothing to verify.\n")
    (folder / "elsewhere").mkdir()
    program = ["--root", ".", "-o", "out.json", "--python", "env/bin/python", "--", "train.py"]
    done = run(folder, "profile", *program)
    assert done.returncode == 0, done.stderr
    assert "Recorded 1 function" in done.stderr


def test_which_interpreter_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert interpreter(None) == sys.executable
    assert interpreter("python3.11") == "python3.11"
    assert interpreter(os.path.join(".venv", "bin", "python")) == str(tmp_path / ".venv/bin/python")
    assert interpreter("/usr/bin/python3") == "/usr/bin/python3"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{CHATTER}exit 1", "it does not answer"),
        (f"{CHATTER}echo no such environment >&2; exit 1", "no such environment"),
        ("while true; do echo chatter; done", "it does not answer"),
        ("printf '\\377\\376\\n'; exit 0", "it does not answer"),
    ],
)
def test_an_interpreter_that_only_chatters_is_named(
    text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "START_SECONDS", 2.0)
    path = wrapper(tmp_path, text)
    with (
        pytest.raises(WorkerError, match=f"cannot run TensorFlow: {words}"),
        Worker(str(path)) as w,
    ):
        w.start()


@pytest.mark.parametrize("command", ["verify", "check", "profile"])
def test_an_interpreter_that_fails_ends_with_status_2(command: str, folder: Path) -> None:
    wrapper(folder, "exit 1")
    arguments = {
        "verify": ["verify", *SIDES, "--python", "env/bin/python"],
        "check": ["check", "--isolated", "--verify", "--python", "env/bin/python", "old.py"],
        "profile": ["profile", "--python", "env/bin/python", "--", "train.py"],
    }[command]
    done = run(folder, *arguments)
    assert done.returncode == 2
    assert "rror: " in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


FAULTS = {
    "verify": ("tfxla_lint.cli.verifying.verify_pairs", ["verify", *SIDES]),
    "profile": ("tfxla_lint.cli.profiling.launch", ["profile", "--", "train.py"]),
    "check": ("tfxla_lint.cli.running.discover", ["check", "old.py"]),
}


@pytest.mark.parametrize("command", FAULTS)
def test_a_fault_of_the_tool_ends_with_status_2_and_one_line(
    command: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*arguments: object, **keywords: object) -> None:
        raise KeyError("a bug\nof two lines")

    target, arguments = FAULTS[command]
    monkeypatch.chdir(folder)
    monkeypatch.setattr(target, fail)
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: internal error: KeyError: ")
    assert "test_interpreters.py, line " in line


def test_a_report_that_cannot_be_written_ends_with_status_2(folder: Path) -> None:
    done = run(folder, "verify", *SIDES, "--html", "none/report.html")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "error: " in done.stderr


def test_a_recorder_that_fails_ends_with_status_2(folder: Path) -> None:
    # The recorder needs it, Python itself does not.
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['argparse'] = None\n")
    environment = f'PYTHONPATH="{folder}" exec "{sys.executable}" "$@"'
    wrapper(folder, environment)
    done = run(folder, "profile", "--python", "env/bin/python", "--", "train.py")
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "error: the recorder failed" in done.stderr
