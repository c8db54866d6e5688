"""What a program may change of the process that it shares with the next one, put back afterwards."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from typing import Any, Dict, Iterator, List

try:
    import resource
except ImportError:  # Windows has no such limits.
    resource = None  # type: ignore[assignment]

_process = os.getpid()
#: Whether something could not be put back.
_spoiled: List[str] = []


def is_spoiled() -> bool:
    """Whether this process is not fit for another program: something could not be put back."""
    return bool(_spoiled)


def limit_files(most: int) -> None:
    """Let no file grow beyond so many bytes."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        is_less = hard != resource.RLIM_INFINITY and hard < most
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard if is_less else most, hard))


def leave_if_forked() -> None:
    """End a process that a program forked from this one, and that came to the end of its code."""
    if os.getpid() != _process:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(0)


@contextlib.contextmanager
def kept_process() -> Iterator[None]:
    """Limits, timers, signals and the standard streams are afterwards as they were before."""
    limits, handlers, timers = _limits(), _handlers(), list(_idle_timers())
    mask = (
        signal.pthread_sigmask(signal.SIG_BLOCK, ()) if hasattr(signal, "pthread_sigmask") else None
    )
    umask = os.umask(0o077)
    os.umask(umask)
    recursion = sys.getrecursionlimit()
    user = os.geteuid() if hasattr(os, "geteuid") else 0
    try:
        yield
    finally:
        leave_if_forked()
        for timer in timers:
            signal.setitimer(timer, 0)
        for number, handler in _handlers().items():
            if handler is not handlers.get(number) and handlers.get(number) is not None:
                signal.signal(number, handlers[number])
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.umask(umask)
        sys.setrecursionlimit(recursion)
        if user != (os.geteuid() if hasattr(os, "geteuid") else 0):
            _spoiled.append("user")
        for name, limit in limits.items():
            _restore(name, limit)
        _reopen()


def _limits() -> Dict[int, Any]:
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    numbers = {getattr(resource, name) for name in names}
    found = {}
    for number in numbers:
        with contextlib.suppress(OSError, ValueError):
            found[number] = resource.getrlimit(number)
    return found


def _restore(name: int, limit: Any) -> None:
    try:
        if resource.getrlimit(name) != limit:
            resource.setrlimit(name, limit)
    except (OSError, ValueError):
        # Only root may raise what was lowered for good.
        _spoiled.append("limits")


def _idle_timers() -> Iterator[Any]:
    for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF"):
        timer = getattr(signal, name, None)
        if timer is not None and not signal.getitimer(timer)[0]:
            yield timer


def _handlers() -> Dict[Any, Any]:
    return {number: signal.getsignal(number) for number in signal.valid_signals()}


def _reopen() -> None:
    """Make standard streams anew that a program has closed."""
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOBase) and stream.closed:
            raw = io.FileIO(descriptor, "w", closefd=False)
            file = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "replace", line_buffering=True)
            setattr(sys, name, file)
            setattr(sys, f"__{name}__", file)
