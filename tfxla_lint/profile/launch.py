"""Starts a program under the recorder, in a process group of its own, and waits for its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tfxla_lint.profile.program import Program
from tfxla_lint.sandbox.spawn import Child, command, terminable

#: What runs in the program's interpreter.
RECORDER = "tfxla_lint.profile.recorder.running"
#: How long a program may take to end once it was asked to.
GRACE_SECONDS = 5.0
_WRITE_SECONDS = 0.5
_LOST = "the program has ended without a recording"


class LaunchError(Exception):
    """The recorder could not be started."""


@dataclass(frozen=True)
class Plan:
    """What to run, and how.

    `stdout` and `stderr` are passed to the program; None lets it write where this process writes.
    """

    program: Program
    root: Path
    python: str = sys.executable
    time_limit: float | None = None
    folder: Path | None = None
    environment: Mapping[str, str] | None = None
    stdout: IO[Any] | int | None = None
    stderr: IO[Any] | int | None = None


@dataclass(frozen=True)
class Outcome:
    """How a program ended. `recording` is the content of its file, None where there is none.

    `interrupted` says that Ctrl-C (or SIGTERM) ended it, `timed_out` that the time limit did.
    """

    status: int
    seconds: float
    timed_out: bool = False
    interrupted: bool = False
    recording: dict[str, Any] | None = None
    problem: str = ""


def launch(plan: Plan) -> Outcome:
    """Run the program to its end; nothing of it is left running, whatever happens here.

    Ctrl-C is passed on to the program, which then has some seconds to end. Raises LaunchError where
    the interpreter cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="tfxla-lint-") as folder, terminable():
        output = Path(folder, "recording.json")
        words = _command(plan, output)
        started = time.monotonic()
        child = _start(plan, words)
        timed_out = interrupted = False
        try:
            timed_out = not child.wait(plan.time_limit)
        except KeyboardInterrupt:
            interrupted = True
            child.signal("SIGINT")
            child.wait(GRACE_SECONDS)
        finally:
            _end(child)
        seconds = time.monotonic() - started
        recording = _read(output)
        problem = "" if recording is not None else _LOST
        # As shells give it: 128 and the number of a signal.
        code: int = child.process.returncode
        status = code if code >= 0 else 128 - code
        return Outcome(status, seconds, timed_out, interrupted, recording, problem)


def _command(plan: Plan, output: Path) -> list[str]:
    words = command(plan.python, RECORDER, plan.program.options)
    words += ["--root", str(plan.root), "--output", str(output)]
    return [*words, "--", *plan.program.words]


def _start(plan: Plan, words: list[str]) -> Child:
    # A terminal hands its input to one process group only, and stops others that ask for it.
    stdin = subprocess.DEVNULL if sys.stdin is None or sys.stdin.isatty() else None
    streams = {"stdin": stdin, "stdout": plan.stdout, "stderr": plan.stderr}
    try:
        return Child(words, cwd=plan.folder, env=plan.environment, **streams)
    except OSError as error:
        raise LaunchError(f"cannot run '{plan.python}': {error.strerror or error}") from None


def _end(child: Child) -> None:
    """End the program, if it has not ended, and all that it started."""
    try:
        if child.process.poll() is None:
            _warn(child)
            child.signal("SIGTERM")
            child.wait(GRACE_SECONDS)
    finally:
        child.end()


def _warn(child: Child) -> None:
    """Let the recorder write what it has (see `LAST_CALL` in `recorder/running.py`)."""
    if os.name == "posix":
        child.process.send_signal(signal.SIGVTALRM)
        child.wait(_WRITE_SECONDS)


def _read(output: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(output.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
