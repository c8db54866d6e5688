"""A whole run, told again where nothing has changed of what it looked at.

It is looked for before anything else is loaded, so it rests on what can be seen without: the command,
the surroundings, and the state of each file and folder. A file that has its size, times and place is
not read; where one of them is another, what it holds decides.
"""

from __future__ import annotations

import os
import sys
import time

from tfxla_lint.digests import CACHE_FOLDER, digest
from tfxla_lint.regular import regular_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO

#: What was changed within so many seconds may change again without another time.
_SETTLED = 2.0
#: The state of what must not have changed at all.
_NEVER = "-"

#: What was written: whether to standard error, and the text.
Told = list[tuple[bool, str]]
_Rows = list[list[str]]


class Run:
    """One run of the command line."""

    #: The run that this process is there for.
    own: Run | None = None

    def __init__(self, arguments: Sequence[str]) -> None:
        self._began = time.time()
        self._arguments = arguments
        self._key = _key(arguments)
        self.told: Told = []

    @classmethod
    def forget(cls) -> None:
        """Keep nothing of this run: it does, or has looked at, what is not told of here."""
        cls.own = None

    def folder(self) -> str | None:
        """The nearest cache above what the last argument names, or above the working folder."""
        chosen = os.environ.get("TFXLA_LINT_CACHE_DIR")
        if chosen:
            return os.path.abspath(os.path.expanduser(chosen))
        named = self._arguments[-1] if self._arguments else "."
        place = os.path.abspath(named if os.path.exists(named) else ".")
        while True:
            found = os.path.join(place, CACHE_FOLDER)
            if os.path.isdir(found) and not os.path.islink(found):
                return found
            above = os.path.dirname(place)
            if above == place:
                return None
            place = above

    def recall(self) -> tuple[int, Told] | None:
        """The status and the words of the same run, where it would come out the same."""
        folder = self.folder()
        if folder is None:
            return None
        from tfxla_lint.cache.store import Store

        store = Store(folder)
        document = store.get(self._key)
        try:
            status, told, rows = document
            if type(status) is not int:
                return None
            fresh: _Rows = []
            for key, was, state in rows:
                now = was and _stamp(key)
                if not was or now != was:
                    if _state(key) != state:
                        return None
                    now = _stamp(key, self._began)
                fresh.append([key, now, state])
            words = [(bool(is_error), str(text)) for is_error, text in told]
        except (AttributeError, OSError, TypeError, ValueError):
            return None
        if fresh != rows:
            store.put(self._key, [status, told, fresh])
        return status, words

    def keep(
        self, folders: Iterable[str], status: int, seen: Mapping[str, str], tool: Iterable[str]
    ) -> None:
        """Keep what was told in the one of the caches of this run where it will be looked for.

        `seen` is what was looked at, with its state, `tool` what did so. Nothing is kept where
        something has changed meanwhile.
        """
        folder = self.folder()
        if folder is None or folder not in folders:
            return
        rows: _Rows = []
        for key, state in seen.items():
            stamp = _stamp(key, self._began)
            if not stamp and _state(key) != state:
                return
            rows.append([key, stamp, state])
        for path in tool:
            stamp = _stamp(path, self._began)
            if not stamp:
                return
            rows.append([path, stamp, _NEVER])
        from tfxla_lint.cache.store import Store

        Store(folder).put(self._key, [status, self.told, rows])


def _key(arguments: Sequence[str]) -> str:
    streams = [_stream(stream) for stream in (sys.stdin, sys.stdout, sys.stderr)]
    # What differs from call to call, and nothing asks for, has no say.
    passing = ("_", "OLDPWD", "SHLVL")
    surroundings = sorted((k, v) for k, v in os.environ.items() if k not in passing)
    interpreter = (sys.version, sys.executable, sys.path, sys.flags)
    told = (list(arguments), os.getcwd(), streams, surroundings, interpreter)
    return digest(f"run\n{told}".encode("utf-8", "surrogateescape"))


def _stream(stream: TextIO | None) -> tuple[object, ...]:
    """What of a stream may have a say in what is written."""
    if stream is None or not stream.isatty():
        return (stream is not None and stream.encoding,)
    try:
        return stream.encoding, os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return (stream.encoding, None)


def _stamp(key: str, before: float | None = None) -> str:
    """What a file or a folder cannot keep when it changes; empty where it changed just `before`."""
    try:
        found = os.stat(key.partition("\0")[0])
    except OSError:
        return ""
    if before is not None and max(found.st_mtime, found.st_ctime) > before - _SETTLED:
        return ""
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"


def _state(key: str) -> str:
    """The state of what `Folders` has looked at, under the key that it notes for it."""
    folder, *names = key.split("\0")
    if not names and not key.endswith(os.sep):
        try:
            return digest(regular_bytes(key))
        except OSError:
            return ""
    if names:
        return str(any(os.path.exists(os.path.join(folder, name)) for name in names))
    from tfxla_lint.settings.folders import Folders

    return Folders().state(key)
