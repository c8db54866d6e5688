"""How much memory something takes, as the kernel counts it for the process."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Iterator, List, Optional

_STATUS = "/proc/self/status"
#: Writing this there makes the kernel forget the most that the process has held.
_CLEAR, _FORGET = "/proc/self/clear_refs", "5"
_KILOBYTES = 1024.0


class Grown:
    """The most megabytes that the process held within a block, beyond what it held before; None
    where the kernel does not tell."""

    def __init__(self) -> None:
        self.megabytes: Optional[float] = None


@contextlib.contextmanager
def growing() -> Iterator[Grown]:
    """Watches resident memory while a block runs; what was freed before is given back first."""
    grown = Grown()
    held = _held_now()
    try:
        yield grown
    finally:
        most = _lines("VmHWM:")
        if held is not None and most:
            grown.megabytes = max(most[0] - held, 0.0) / _KILOBYTES


def _held_now() -> Optional[float]:
    try:
        ctypes.CDLL(None).malloc_trim(0)
        with open(_CLEAR, "w", encoding="ascii") as file:
            file.write(_FORGET)
    except (OSError, AttributeError):
        return None
    held = _lines("VmRSS:")
    return held[0] if held else None


def _lines(name: str) -> List[float]:
    """The kilobytes that the kernel tells by a name."""
    with contextlib.suppress(OSError), open(_STATUS, encoding="ascii") as file:
        return [float(line.split()[1]) for line in file if line.startswith(name)]
    return []
