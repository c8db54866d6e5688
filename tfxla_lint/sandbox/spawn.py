"""Starts modules of the tool in other interpreters, in processes that end with all they started."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tfxla_lint.sandbox.limits import below, started_at

ENTRY = Path(__file__).with_name("inside") / "enter.py"
#: The folder that this package lies in.
ROOT = Path(__file__).parents[2]


def environment(**more: str) -> dict[str, str]:
    """This process's environment, TensorFlow quiet and on the CPU where that says nothing else."""
    quiet = {
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TF_ENABLE_ONEDNN_OPTS": "0",
        "CUDA_VISIBLE_DEVICES": "-1",
    }
    return {**quiet, **os.environ, **more}


def command(
    python: str, module: str, options: Sequence[str] = ("-I",), root: Path = ROOT
) -> list[str]:
    """What runs `main` of a module whose package lies in `root`; arguments may follow."""
    return [python, *options, str(ENTRY), module, str(root)]


#: In the environment of a child and of all that it starts: of whom they are.
MARK = "TFXLA_LINT_CHILD"
#: So often it is looked whether anything is left that was started meanwhile, after so many seconds.
_ROUNDS, _BETWEEN = 20, 0.01
#: So often a process is looked at while it is waited for, in seconds.
_TICK = 0.1


class Child:
    """A process in a group of its own; raises OSError where it cannot be started."""

    def __init__(
        self, words: Sequence[str], env: Mapping[str, str] | None = None, **options: Any
    ) -> None:
        around = dict(os.environ if env is None else env)
        self._seen: dict[int, str] = {}
        self._mark = secrets.token_hex(16)
        # What is started by what was started belongs to both.
        around[MARK] = " ".join([*around.get(MARK, "").split(), self._mark])
        self.process: subprocess.Popen[Any] = subprocess.Popen(
            words, start_new_session=True, env=around, **options
        )

    def signal(self, name: str) -> None:
        """Send a signal to it and all that it started; without groups, end it by any but SIGINT."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, getattr(signal, name))
            elif self.process.poll() is None and name != "SIGINT":
                self.process.kill()

    def wait(self, limit: float | None) -> bool:
        """Wait for its end; False where that has not come within `limit` seconds."""
        stop = None if limit is None else time.monotonic() + limit
        while True:
            left = _TICK if stop is None else min(_TICK, max(stop - time.monotonic(), 0.0))
            try:
                self.process.wait(left)
                return True
            except subprocess.TimeoutExpired:
                if stop is not None and time.monotonic() >= stop:
                    return False
            self.note()

    def note(self) -> list[int]:
        """Take note of what it has started, whatever that makes of its environment; gives what runs now."""
        found = below(self.process.pid)
        for pid in found:
            if pid not in self._seen:
                self._seen[pid] = started_at(pid)
        return found

    def end(self) -> None:
        """End it at once, with all that it started; on Linux also what has left its group.

        Whoever reads its output closes that: elsewhere a process that got away may hold it open.
        """
        if sys.platform.startswith("linux"):
            self._end_below()
        self.signal("SIGKILL")
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()
        with suppress(OSError):
            self.process.wait()
        for _ in range(_ROUNDS):
            strays = list(self._strays())
            _kill(strays)
            if not strays:
                return

    def _end_below(self) -> None:
        """End what it has started while it holds still: it takes in those whose parents end."""
        if self.process.poll() is None:
            with suppress(OSError):
                os.kill(self.process.pid, signal.SIGSTOP)
            for _ in range(_ROUNDS):
                running = [pid for pid in below(self.process.pid) if started_at(pid)]
                if not running:
                    break
                _kill(running)
                time.sleep(_BETWEEN)
        _kill([pid for pid, start in self._seen.items() if start and started_at(pid) == start])

    def _strays(self) -> Iterator[int]:
        """The processes that carry its mark."""
        mark = self._mark.encode()
        with suppress(OSError):
            for name in os.listdir("/proc"):
                # One that ends meanwhile, or is another user's, has none to be read.
                with suppress(OSError):
                    if name.isdigit() and mark in Path("/proc", name, "environ").read_bytes():
                        yield int(name)


def _kill(pids: Sequence[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM and SIGHUP unwind this process as Ctrl-C does, so that nothing is left behind.

    Where this process was told to ignore one of them, it still does.
    """

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = {}
    # Not the main thread: whoever owns that answers for signals.
    with suppress(ValueError):
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
