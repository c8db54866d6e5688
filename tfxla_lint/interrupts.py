"""Remembers an interrupt that Python lost.

The `KeyboardInterrupt` of a Ctrl-C is lost where it comes up in a weak reference's callback (the
import system has those), and becomes a `RuntimeError` in `__set_name__` before Python 3.12. Both
happen while LibCST is imported.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

_received: int | None = None


def listen(is_own: bool = False) -> None:
    """Remember interrupts from here on; a process that was told to ignore them still does.

    Who ends by SIGTERM a process that is our own interrupts it, too: it puts away what it has begun.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _remember)
        sys.unraisablehook = _report_unless_interrupt
    if is_own and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _remember)


def raise_if_interrupted() -> None:
    """Raise the `KeyboardInterrupt` of an interrupt that came and did not end the work."""
    if _received is not None:
        raise KeyboardInterrupt


def was_terminated() -> bool:
    """Whether the interrupt was SIGTERM."""
    return _received == signal.SIGTERM


def _remember(signal_number: int, frame: FrameType | None) -> None:
    global _received
    _received = signal_number
    signal.default_int_handler(signal_number, frame)


def _report_unless_interrupt(lost: sys.UnraisableHookArgs) -> None:
    if lost.exc_type is None or not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
