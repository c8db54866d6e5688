"""What a process may take: seconds, and resident memory.

The parent watches the memory: a limit of the address space aborts TensorFlow.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Seconds and resident bytes that one job may take."""

    seconds: float = 120.0
    memory: int = 4 << 30


def resident_bytes(pid: int, others: Iterable[int] | None = None) -> int:
    """The resident memory of a process; 0 where it cannot be told.

    On Linux with that of all processes below it: `others`, for whoever has looked for them.
    """
    own = _resident(pid)
    if own is None:
        return _resident_from_ps(pid) if sys.platform == "darwin" else 0
    return own + sum(_resident(each) or 0 for each in (below(pid) if others is None else others))


def below(pid: int) -> list[int]:
    """On Linux: the processes that a process has started, and those that they have; one whose parent has
    ended is of the nearest above that takes such in."""
    found: list[int] = []
    pending = [pid]
    while pending:
        started = _children(pending.pop())
        found += started
        pending += started
    return found


def started_at(pid: int) -> str:
    """What tells a process from a later one of its number; empty where there is none that runs."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return ""
    return words[19] if len(words) > 19 and words[0] not in ("Z", "X") else ""


def _resident(pid: int) -> int | None:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    return found


def _resident_from_ps(pid: int) -> int:
    command = ["ps", "-o", "rss=", "-p", str(pid)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(done.stdout.strip() or 0) * 1024
