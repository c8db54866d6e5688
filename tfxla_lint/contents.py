"""The bytes of files, each read once in a run, and what follows from them alone."""

from __future__ import annotations

import os
from pathlib import Path

from tfxla_lint.digests import digest
from tfxla_lint.regular import regular_bytes
from tfxla_lint.tests_held import holds_tests

#: So many bytes are kept; what comes later is read again when it is asked for again.
_ROOM = 20_000_000


class Contents:
    """What the files of one run hold; `room` is for so many bytes of them.

    `tests` says of files whether they hold tests, where that is known.
    """

    def __init__(self, room: int = _ROOM) -> None:
        self._data: dict[str, bytes | OSError] = {}
        self._digests: dict[str, str] = {}
        self._left = room
        #: The paths of the files that were read.
        self.read: dict[str, None] = {}
        self.tests: dict[str, bool] = {}

    def data(self, path: Path) -> bytes:
        """The bytes of a file; raises OSError, every time."""
        key = str(path)
        found = self._data.get(key)
        if found is None:
            self.read[key] = None
            try:
                found = regular_bytes(key)
            except OSError as error:
                found = error
            size = len(found) if isinstance(found, bytes) else 0
            if size <= self._left:
                self._left -= size
                self._data[key] = found
        if isinstance(found, OSError):
            raise found
        return found

    def let_go(self) -> None:
        """Keep the names of what was read, and no bytes: what is asked for again is read again."""
        self._data.clear()

    def digest(self, path: Path) -> str:
        """The name of what a file holds; raises OSError, every time."""
        key = str(path)
        if key not in self._digests:
            self._digests[key] = digest(self.data(path))
        return self._digests[key]

    def state(self, path: Path) -> str:
        """The name of what a file holds, empty for what is no readable file."""
        # A pipe or a device may never come to an end.
        if not os.path.isfile(path):
            return ""
        try:
            return self.digest(path)
        except OSError:
            return ""

    def holds_tests(self, path: Path) -> bool:
        """Whether a file holds tests, or what only tests use."""
        key = str(path)
        if key not in self.tests:
            try:
                self.tests[key] = holds_tests(path, self.data(path))
            except OSError:
                self.tests[key] = holds_tests(path, b"")
        return self.tests[key]
