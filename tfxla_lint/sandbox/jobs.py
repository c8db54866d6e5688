"""Drives a worker process: jobs in, reports out; time and memory limits; nothing left behind."""

from __future__ import annotations

import contextlib
import json
import math
import os
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
#: So long a process may take to end that has nothing to say any more.
_LAST_SECONDS = 3.0
#: A line that is longer is no message: an interpreter may print without end.
_LONGEST = 1 << 26
#: So much of what a process says besides is kept, from the end.
_KEPT = 1 << 16
#: How each message of a worker begins.
_BEGINNING = '{"event": '
#: The oldest TensorFlow that is tried.
OLDEST = (2, 12)
#: After so many jobs a worker is replaced: what programs leave in TensorFlow piles up.
JOBS = 60


Message = dict[str, Any]
Own = TypeVar("Own", bound="Worker")


class WorkerError(Exception):
    """The interpreter cannot serve: it is missing or has no TensorFlow."""


def _advice(words: str, versions: Mapping[str, str]) -> str:
    """What to do where TensorFlow, or the NumPy that it brings, is missing, too old or unfit."""
    tensorflow, numpy = versions.get("tensorflow", ""), versions.get("numpy", "")
    if re.search("No module named '(tensorflow|numpy)'", words):
        return (
            "; name the interpreter that has it with --python, or install it: pip install"
            " tensorflow (tensorflow-cpu where there is no GPU)"
        )
    if tensorflow and tuple(map(int, re.findall(r"\d+", tensorflow)[:2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        return f"; TensorFlow {tensorflow} is too old, it takes {oldest} or newer"
    if numpy and re.search(r"numpy|_ARRAY_API", words):
        fitting = f"TensorFlow {tensorflow}".strip()
        return f"; NumPy {numpy} seems not to fit {fitting}: install one that it asks for"
    return ""


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
        #: The number of the last job: what answers another one is a process that was left over.
        self._number = 0
        self._words: _LastWords | None = None
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
        self._number += 1
        self._send({**job, "job": self._number})
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
            if message.pop("job", None) != self._number:
                continue
            if message["event"] == "answer":
                self._served += 1
                if message.pop("spoiled", False):
                    self.stop()
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
        process = self._child.process
        assert process.stderr is not None
        self._words = _LastWords(process.stderr)
        words = (process.stdout, self._messages)
        threading.Thread(target=_forward, args=words, daemon=True).start()
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
        return Child(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=around,
            encoding="utf-8",
            errors="replace",
        )

    def _wait_until_ready(self) -> None:
        message = self._next(self._start_seconds)
        if message and message.get("event") == "ready" and "tensorflow" in message:
            self.tensorflow = message["tensorflow"]
            return
        versions = (message or {}).get("versions", {})
        words = (message or {}).get("reason") or self._end_of_start(message is None)
        self.stop()
        hint = _advice(words, versions)
        raise WorkerError(f"{self._python} cannot run TensorFlow: {words}{hint}")

    def _end_of_start(self, has_ended: bool) -> str:
        """Why it serves nothing: its last words, and how it ended where nobody asked it to."""
        if not has_ended:
            return "it does not answer"
        assert self._words is not None
        end, said = self._how_it_ended(), self._words.last().removeprefix("error: ")
        if "with status" in end:
            return said or "it does not answer"
        return f"{end}: {said}" if said else end

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
        started = self._child.note()
        if resident_bytes(self._child.process.pid, started) > limits.memory:
            return "memory", f"it took more than {limits.memory >> 20} MB of memory"
        return None

    def _how_it_ended(self) -> str:
        assert self._child is not None
        if not self._child.wait(_LAST_SECONDS):
            return "the process closed its output"
        status = self._child.process.returncode
        if status < 0:
            with contextlib.suppress(ValueError):
                return f"the process was ended by {signal.Signals(-status).name}"
        return f"the process ended with status {status}"


def _forward(stream: IO[str], messages: queue.Queue[Message | None]) -> None:
    """Hand on the messages in what a process prints, whatever stands before or between them."""
    with contextlib.suppress(ValueError, OSError), stream:
        while line := stream.readline(_LONGEST):
            # What begins like a message may be none.
            with contextlib.suppress(ValueError):
                messages.put(json.loads(line[line.index(_BEGINNING) :]))
    messages.put(None)


class _LastWords:
    """The end of what a process writes to a stream, which it never has to wait with."""

    def __init__(self, stream: IO[str]) -> None:
        self._kept = b""
        self._reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._reader.start()

    def _read(self, stream: IO[str]) -> None:
        with contextlib.suppress(ValueError, OSError), stream:
            while text := os.read(stream.fileno(), _KEPT):
                self._kept = (self._kept + text)[-_KEPT:]

    def last(self) -> str:
        """The last line of what a process wrote that has ended."""
        self._reader.join(1.0)
        text = self._kept.decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else ""
