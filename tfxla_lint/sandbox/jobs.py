"""Drives a worker process: jobs in, reports out; time and memory limits; nothing left behind."""

from __future__ import annotations

import contextlib
import json
import math
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

from tfxla_lint.sandbox.limits import Limits, resident_bytes
from tfxla_lint.sandbox.spawn import ROOT, Child, command, environment

START_SECONDS = 180.0
_TICK = 0.1
#: How each message of a worker begins.
_BEGINNING = '{"event": '
#: After so many jobs a worker is replaced: what programs leave in TensorFlow piles up.
JOBS = 60


Message = dict[str, Any]
Own = TypeVar("Own", bound="Worker")


class WorkerError(Exception):
    """The interpreter cannot serve: it is missing or has no TensorFlow."""


def _missing(words: str) -> str:
    """What to do where TensorFlow, or the NumPy that it brings, is what is missing."""
    if not re.search("No module named '(tensorflow|numpy)'", words):
        return ""
    return (
        "; name the interpreter that has it with --python, or install it: pip install tensorflow"
        " (tensorflow-cpu where there is no GPU)"
    )


class Death(Exception):
    """The worker ended during a job; `kind` is timeout, memory or crash."""

    def __init__(self, kind: str, reason: str, phase: Message, seconds: float) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.side = phase.get("side", "")
        self.phase = phase.get("what", "")
        #: Which of several inputs it was, where they come one by one.
        self.number: int | None = phase.get("number")
        self.seconds = seconds


class Worker:
    """One TensorFlow process, started at the first job, kept for the next, replaced if it dies.

    It runs `main` of a module whose package lies in `root`, and which calls `service.serve`.
    """

    def __init__(
        self,
        module: str,
        python: str = sys.executable,
        root: Path = ROOT,
        jobs: float = JOBS,
        start_seconds: float | None = None,
    ) -> None:
        self._command = command(python, module, root=root)
        self._python = python
        self._jobs = jobs
        self._start_seconds = start_seconds or START_SECONDS
        self._child: Child | None = None
        self._messages: queue.Queue[Message | None] = queue.Queue()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._served = 0
        self.tensorflow = ""

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def run(
        self,
        job: Mapping[str, Any],
        limits: Limits,
        on_event: Callable[[Message], None] | None = None,
    ) -> Message:
        """The report for one job; raises Death where the worker did not live to give it."""
        self.start()
        self._send(job)
        phase: Message = {}
        began = time.monotonic()
        deadline = began + limits.seconds
        while True:
            message = self._next(_TICK)
            if not message:
                crash = None if message is not None else ("crash", self._how_it_ended())
                end = crash or self._overrun(deadline, limits)
                if end is not None:
                    self.stop()
                    raise Death(*end, phase, time.monotonic() - began)
                continue
            if message["event"] == "answer":
                self._served += 1
                return message
            if message["event"] == "phase":
                phase, began = message, time.monotonic()
                deadline = began + min(limits.seconds, message.get("seconds", math.inf))
            if on_event is not None:
                on_event(message)

    def start(self) -> None:
        """Start the process if it does not run; raises WorkerError where it cannot."""
        is_running = self._child is not None and self._child.process.poll() is None
        if is_running and self._served < self._jobs:
            return
        self.stop()
        self._folder = tempfile.TemporaryDirectory(prefix="tfxla-lint-")
        try:
            self._child = self._spawn(Path(self._folder.name))
        except OSError as error:
            self.stop()
            raise WorkerError(
                f"cannot start the interpreter {self._python}: {error.strerror or error}"
            ) from None
        self._messages = queue.Queue()
        stream = self._child.process.stdout
        threading.Thread(target=_forward, args=(stream, self._messages), daemon=True).start()
        self._wait_until_ready()

    def stop(self) -> None:
        """Kill the process with all that it started, and remove its folder."""
        child, self._child = self._child, None
        self._served = 0
        if child is not None:
            child.end()
        folder, self._folder = self._folder, None
        if folder is not None:
            with contextlib.suppress(OSError):
                folder.cleanup()

    # Starting

    def _spawn(self, folder: Path) -> Child:
        around = environment(TMPDIR=str(folder))
        around.pop("PYTHONPATH", None)
        with (folder / "errors.txt").open("wb") as errors:
            return Child(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env=around,
                encoding="utf-8",
                errors="replace",
            )

    def _wait_until_ready(self) -> None:
        message = self._next(self._start_seconds) or {}
        if message.get("event") != "ready":
            words = message.get("reason") or self._last_words() or "it does not answer"
            self.stop()
            hint = _missing(words)
            raise WorkerError(f"{self._python} cannot run TensorFlow: {words}{hint}")
        self.tensorflow = message["tensorflow"]

    # Talking

    def _send(self, job: Mapping[str, Any]) -> None:
        assert self._child is not None
        stream = self._child.process.stdin
        assert stream is not None
        # Where it died between two jobs, the reader sees the end of its answers.
        with contextlib.suppress(OSError):
            stream.write(json.dumps(job) + "\n")
            stream.flush()

    def _next(self, seconds: float) -> Message | None:
        """The next message; an empty one where none comes so soon, None where none comes any more."""
        try:
            return self._messages.get(timeout=seconds)
        except queue.Empty:
            return {}

    def _overrun(self, deadline: float, limits: Limits) -> tuple[str, str] | None:
        if time.monotonic() > deadline:
            return "timeout", f"it ran for more than {limits.seconds:g} s"
        assert self._child is not None
        if resident_bytes(self._child.process.pid) > limits.memory:
            return "memory", f"it took more than {limits.memory >> 20} MB of memory"
        return None

    def _how_it_ended(self) -> str:
        assert self._child is not None
        self._child.wait(10)
        status = self._child.process.returncode
        if status is not None and status < 0:
            with contextlib.suppress(ValueError):
                return f"the process was ended by {signal.Signals(-status).name}"
        return f"the process ended with status {status}"

    def _last_words(self) -> str:
        if self._folder is None:
            return ""
        text = (Path(self._folder.name) / "errors.txt").read_text(errors="replace").strip()
        return text.splitlines()[-1] if text else ""


def _forward(stream: IO[str], messages: queue.Queue[Message | None]) -> None:
    """Hand on the messages in what a process prints, whatever stands before or between them."""
    with contextlib.suppress(ValueError, OSError):
        for line in stream:
            # What begins like a message may be none.
            with contextlib.suppress(ValueError):
                messages.put(json.loads(line[line.index(_BEGINNING) :]))
    messages.put(None)
