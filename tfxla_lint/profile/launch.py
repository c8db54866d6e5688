"""Starts a program under the recorder, in a process group of its own, and waits for its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, Any

from tfxla_lint.profile.program import Program

#: The folder that `python` runs as the recorder.
RECORDER = Path(__file__).with_name("recorder")
#: The plug-in that keeps the values of calls; its file says which options it takes.
SAMPLER = RECORDER / "sampler.py"
#: How long a program may take to end once it was asked to.
GRACE_SECONDS = 5.0
_WRITE_SECONDS = 0.5
_LOST = "the program has ended without a recording"


class LaunchError(Exception):
    """The recorder could not be started."""


@dataclass(frozen=True)
class Plan:
    """What to run, and how.

    `sources` maps absolute paths to the texts that modules run as instead. `plugin` is a file as
    `recorder/plugins.py` describes it, `plugin_options` what it is handed, as JSON. `stdout` and
    `stderr` are passed to the program; None lets it write where this process writes.
    """

    program: Program
    root: Path
    python: str = sys.executable
    time_limit: float | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    plugin: Path | None = None
    plugin_options: object = None
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
    with tempfile.TemporaryDirectory(prefix="tfxla-lint-") as folder, _terminable():
        output = Path(folder, "recording.json")
        command = _command(plan, Path(folder), output)
        started = time.monotonic()
        process = _start(plan, command)
        timed_out = interrupted = False
        try:
            timed_out = not _wait(process, plan.time_limit)
        except KeyboardInterrupt:
            interrupted = True
            _signal(process, "SIGINT")
            _wait(process, GRACE_SECONDS)
        finally:
            _end(process)
        seconds = time.monotonic() - started
        recording = _read(output)
        problem = "" if recording is not None else _LOST
        status = _status(process.returncode)
        return Outcome(status, seconds, timed_out, interrupted, recording, problem)


def _command(plan: Plan, folder: Path, output: Path) -> list[str]:
    command = [plan.python, *plan.program.options, str(RECORDER)]
    command += ["--root", str(plan.root), "--output", str(output)]
    if plan.sources:
        sources = folder / "sources.json"
        sources.write_text(json.dumps(dict(plan.sources)), "utf-8")
        command += ["--sources", str(sources)]
    if plan.plugin is not None:
        command += ["--plugin", str(plan.plugin)]
        command += ["--plugin-options", json.dumps(plan.plugin_options)]
    return [*command, "--", *plan.program.words]


def _start(plan: Plan, command: list[str]) -> subprocess.Popen[Any]:
    # A terminal hands its input to one process group only, and stops others that ask for it.
    stdin = subprocess.DEVNULL if sys.stdin is None or sys.stdin.isatty() else None
    try:
        return subprocess.Popen(
            command,
            cwd=plan.folder,
            env=plan.environment,
            stdin=stdin,
            stdout=plan.stdout,
            stderr=plan.stderr,
            start_new_session=os.name == "posix",
        )
    except OSError as error:
        raise LaunchError(f"cannot run '{plan.python}': {error.strerror or error}") from None


def _wait(process: subprocess.Popen[Any], limit: float | None) -> bool:
    """Wait for the end; False where it has not come within `limit` seconds."""
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[Any]) -> None:
    """End the program, if it has not ended, and all that it started."""
    try:
        if process.poll() is None:
            _warn(process)
            _signal(process, "SIGTERM")
            _wait(process, GRACE_SECONDS)
    finally:
        _signal(process, "SIGKILL")
        process.wait()


def _warn(process: subprocess.Popen[Any]) -> None:
    """Let the recorder write what it has (see `LAST_CALL` in `recorder/running.py`)."""
    if os.name == "posix":
        process.send_signal(signal.SIGVTALRM)
        _wait(process, _WRITE_SECONDS)


def _signal(process: subprocess.Popen[Any], name: str) -> None:
    """Send a signal to the process group; without groups, end the process."""
    try:
        if os.name == "posix":
            os.killpg(process.pid, getattr(signal, name))
        elif process.poll() is None and name != "SIGINT":
            process.terminate()
    except (ProcessLookupError, PermissionError):
        return


def _status(code: int) -> int:
    """The exit status as shells give it: 128 and the number of a signal."""
    return code if code >= 0 else 128 - code


def _read(output: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(output.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind this process as Ctrl-C does, so that nothing is left behind."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {}
    try:
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                number = getattr(signal, name)
                before[number] = signal.signal(number, interrupt)
    except ValueError:
        # Not the main thread: whoever owns that answers for signals.
        pass
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
