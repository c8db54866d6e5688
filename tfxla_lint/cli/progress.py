"""Says on a terminal how far a long run has come, in a line that is gone in the end."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

#: A run that is over by then says nothing of itself.
PATIENCE = 2.0
_TICK = 0.2


class Progress:
    """Counts files, and has a thread show the counts."""

    def __init__(self) -> None:
        self._files = self._done = 0
        self._began = time.monotonic()
        self._ended = threading.Event()

    def __call__(self, count: int, is_done: bool) -> None:
        """So many files are to be looked at, or are done."""
        if is_done:
            self._done += count
        else:
            self._files, self._done = count, 0

    def show(self) -> None:
        """Write the line, again and again, until the end."""
        if self._ended.wait(PATIENCE):
            return
        while not self._ended.wait(_TICK):
            seconds = time.monotonic() - self._began
            text = f"{self._done} of {self._files} files, {seconds:.0f} s"
            _write(f"\r\x1b[K{text}")
        _write("\r\x1b[K")

    def end(self) -> None:
        """Let the thread take its line away."""
        self._ended.set()


def _write(text: str) -> None:
    """Write what is no part of what the run has to tell."""
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def progress(is_quiet: bool) -> Iterator[Progress]:
    """What is told of files; shown where standard error is a terminal."""
    item = Progress()
    if is_quiet or not sys.stderr.isatty():
        yield item
        return
    thread = threading.Thread(target=item.show, daemon=True)
    thread.start()
    try:
        yield item
    finally:
        item.end()
        thread.join()
