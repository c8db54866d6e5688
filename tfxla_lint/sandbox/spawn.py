"""Starts modules of the tool in other interpreters, in processes that end with all they started."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

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
#: So often it is looked whether anything is left that was started meanwhile.
_ROUNDS = 20


class Child:
    """A process in a group of its own; raises OSError where it cannot be started."""

    def __init__(
        self, words: Sequence[str], env: Mapping[str, str] | None = None, **options: Any
    ) -> None:
        around = dict(os.environ if env is None else env)
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
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> None:
        """End it at once, with all that it started; on Linux also what has left its group.

        Whoever reads its output closes that: elsewhere a process that got away may hold it open.
        """
        self.signal("SIGKILL")
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()
        with suppress(OSError):
            self.process.wait()
        for _ in range(_ROUNDS):
            strays = list(self._strays())
            for pid in strays:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if not strays:
                return

    def _strays(self) -> Iterator[int]:
        """The processes that carry its mark."""
        mark = self._mark.encode()
        with suppress(OSError):
            for name in os.listdir("/proc"):
                # One that ends meanwhile, or is another user's, has none to be read.
                with suppress(OSError):
                    if name.isdigit() and mark in Path("/proc", name, "environ").read_bytes():
                        yield int(name)


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
