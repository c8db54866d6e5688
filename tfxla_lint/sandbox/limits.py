"""What a process may take: seconds, and resident memory.

The parent watches the memory: a limit of the address space aborts TensorFlow.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Seconds and resident bytes that one job may take."""

    seconds: float = 120.0
    memory: int = 4 << 30


def resident_bytes(pid: int) -> int:
    """The resident memory of a process; 0 where it cannot be told.

    On Linux with that of the processes that its main thread has started.
    """
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            own = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return _resident_from_ps(pid) if sys.platform == "darwin" else 0
    return own + sum(resident_bytes(child) for child in _children(pid))


def _children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except (OSError, ValueError):
        return []


def _resident_from_ps(pid: int) -> int:
    command = ["ps", "-o", "rss=", "-p", str(pid)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(done.stdout.strip() or 0) * 1024
