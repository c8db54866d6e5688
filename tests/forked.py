"""Workers whose processes are forked from one that has imported TensorFlow, which takes two seconds.

Each is a process as `Child` starts it: in a session of its own, with its own streams, folder and
environment, and the code that it runs is entered anew. Only TensorFlow is there already, and has not
run anything. Where a worker is asked for that could see a difference, it is started as always.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import os
import runpy
import secrets
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

#: What may differ between the environments of workers.
_OWN = ("TMPDIR", "TFXLA_LINT_CHILD", "PYTEST_CURRENT_TEST", "PYTHONPATH")
#: No request is longer.
_LONGEST = 1 << 17
_BESIDE = "PYTEST_XDIST_"


def _others(env: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in env.items() if k not in _OWN and not k.startswith(_BESIDE)}


class Forked:
    """A forked process, with what `Popen` has of one."""

    def __init__(self, pid: int, ended: int, streams: Sequence[int]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = ended
        writing, *reading = streams
        self.stdin = os.fdopen(writing, "w", encoding="utf-8", errors="replace")
        self.stdout, self.stderr = (
            os.fdopen(n, encoding="utf-8", errors="replace") for n in reading
        )

    def poll(self) -> int | None:
        """How it ended, if it has."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """How it ended; raises TimeoutExpired where it has not so soon."""
        if self.returncode is None:
            if not select.select([self._ended], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a forked process", timeout or 0.0)
            told = os.read(self._ended, 16)
            os.close(self._ended)
            self.returncode = int(told) if told else -signal.SIGKILL
        return self.returncode

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, signal.SIGKILL)


class Source:
    """The process that others are forked from, started with the first of them."""

    def __init__(self, python: str, env: Mapping[str, str]) -> None:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        words = [python, "-I", __file__, str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(words, env=env, pass_fds=[theirs.fileno()])

    def start(self, words: Sequence[str], env: Mapping[str, str], cwd: Path) -> Forked:
        """Run a script with its arguments in a new process."""
        pipes = [os.pipe() for _ in range(4)]
        (in_read, in_write), (out_read, out_write), (err_read, err_write), (ended, end) = pipes
        request = {"words": list(words), "env": dict(env), "cwd": str(cwd)}
        theirs = [in_read, out_write, err_write, end]
        socket.send_fds(self._channel, [json.dumps(request).encode()], theirs)
        for number in theirs:
            os.close(number)
        pid = int(self._channel.recv(64))
        return Forked(pid, ended, (in_write, out_read, err_read))


@functools.cache
def source(python: str, others: frozenset[tuple[str, str]]) -> Source:
    """One for each environment: a test may set what TensorFlow reads."""
    return Source(python, dict(others))


def forking(kind: Any) -> Any:
    """The class of workers, with processes that are forked."""
    from tfxla_lint.sandbox.spawn import MARK, Child, environment

    class ForkedChild(Child):
        def __init__(self, words: Sequence[str], folder: Path) -> None:
            self._mark, self._seen = secrets.token_hex(16), {}
            around = environment(TMPDIR=str(folder))
            around[MARK] = " ".join([*around.get(MARK, "").split(), self._mark])
            origin = source(words[0], frozenset(_others(around).items()))
            self.process = cast(Any, origin.start(words[2:], around, folder))

    class Forking(kind):  # type: ignore[misc]
        _command: list[str]

        def _spawn(self, folder: Path) -> Child:
            if sys.platform != "linux" or self._command[:2] != [sys.executable, "-I"]:
                return cast(Child, super()._spawn(folder))
            return ForkedChild(self._command, folder)

    return Forking


# What follows is run in the process that others are forked from.


def serve(channel: socket.socket) -> NoReturn:
    """Fork a process for each request, and tell how each ended."""
    gc.disable()
    importlib.import_module("tensorflow").keras.layers  # noqa: B018
    gc.freeze()
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(woken)
    ends: dict[int, int] = {}
    while True:
        waiting: list[Any] = [channel, wake]
        ready = select.select(waiting, [], [])[0]
        if wake in ready:
            os.read(wake, 1 << 10)
            _reap(ends)
        if channel in ready:
            data, given, _, _ = socket.recv_fds(channel, _LONGEST, 4)
            if not data:
                # To take TensorFlow down takes long.
                os._exit(0)
            begun, begin = os.pipe()
            pid = os.fork()
            if not pid:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.setsid()
                os.write(begin, b"1")
                for number in (begun, begin, wake, woken, given[3], *ends.values()):
                    os.close(number)
                channel.close()
                _enter(json.loads(data), given[:3])
            os.read(begun, 1)
            for number in (begun, begin, *given[:3]):
                os.close(number)
            ends[pid] = given[3]
            channel.send(str(pid).encode())


def _reap(ends: dict[int, int]) -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            end = ends.pop(pid)
            with contextlib.suppress(OSError):
                os.write(end, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(end)


def _enter(request: dict[str, Any], streams: Sequence[int]) -> None:
    """Run a script as if this process had been started for it."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = request["words"]
    gc.enable()
    runpy.run_path(sys.argv[0], run_name="__main__")
    sys.exit()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
