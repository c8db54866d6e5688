"""A folder of small JSON documents, each under a key that names all that it was made from.

Any number of processes may use it at once. What is not whole is removed when it is found.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tfxla_lint.digests import digest
from tfxla_lint.regular import READING, contents

if TYPE_CHECKING:
    from pathlib import Path

#: How many bytes the documents may take up together.
LIMIT = 100_000_000
_LARGEST = 20_000_000
_SWEPT = "swept"
_TAG = "CACHEDIR.TAG"
_TAG_DATA = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by tfxla-lint; it may be removed.\n"
)
_IGNORED = ".gitignore"
_KEY = re.compile(r"\.?[0-9a-f]{30}(\.\d+)?")
_SHELF = re.compile(r"[0-9a-f]{2}")
#: A document counts as used lately when it was used within so many seconds.
_LATELY = 3600.0


class Store:
    """The documents in one folder, which is made when the first one is put in."""

    def __init__(self, folder: Path | str, limit: int = LIMIT) -> None:
        self.folder = str(folder)
        self._limit = limit
        self._has_written = False

    def get(self, key: str) -> Any:
        """The document under a key; None where there is none that is whole."""
        path = self._path(key)
        try:
            file = _open(path, READING)
            try:
                state = os.fstat(file)
                is_file = stat.S_ISREG(state.st_mode)
                data = contents(file, state.st_size, _LARGEST) if is_file else b""
            finally:
                os.close(file)
        except OSError:
            return None
        check, _, body = data.partition(b"\n")
        try:
            if check.decode("ascii") != digest(key.encode() + body):
                raise ValueError("not what was written")
            document = json.loads(body)
        except (ValueError, RecursionError):
            self.drop(key)
            return None
        if time.time() - state.st_mtime > _LATELY:
            with suppress(OSError):
                os.utime(path)
        return document

    def put(self, key: str, document: Any) -> None:
        """Keep a document; where that cannot be done, nothing is kept."""
        path = self._path(key)
        body = json.dumps(document, separators=(",", ":")).encode("ascii")
        with suppress(OSError):
            if not self._has_written:
                self._make()
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _write(path, digest(key.encode() + body).encode("ascii") + b"\n" + body)
            self._has_written = True

    def take(self, other: Store) -> int:
        """Keep what another folder has and this one has not; how many documents that are.

        What is not whole there is found out when it is asked for.
        """
        count = 0
        for _, _, path in other._documents():
            shelf, name = os.path.split(path)
            place = self._path(os.path.basename(shelf) + name)
            with suppress(OSError):
                if name[0] != "." and not os.path.exists(place):
                    if not self._has_written:
                        self._make()
                    os.makedirs(os.path.dirname(place), exist_ok=True)
                    with open(path, "rb", opener=_open) as file:
                        _write(place, file.read(_LARGEST))
                    self._has_written = True
                    count += 1
        return count

    @property
    def is_empty(self) -> bool:
        """Whether there is no document."""
        return next(iter(self._documents()), None) is None

    def drop(self, key: str) -> None:
        """Forget a document."""
        with suppress(OSError):
            os.unlink(self._path(key))

    def _path(self, key: str) -> str:
        return os.path.join(self.folder, key[:2], key[2:])

    def _make(self) -> None:
        os.makedirs(self.folder, exist_ok=True)
        for name, data in ((_TAG, _TAG_DATA), (_IGNORED, b"*\n")):
            path = os.path.join(self.folder, name)
            if not os.path.lexists(path):
                _write(path, data)

    def sweep(self) -> None:
        """Keep to the limit, if something was written and this was not done lately.

        Those go that were not used for the longest time.
        """
        stamp = os.path.join(self.folder, _SWEPT)
        with suppress(OSError):
            if not self._has_written or time.time() - os.stat(stamp).st_mtime < _LATELY:
                return
        kept = sorted(self._documents(), reverse=True)
        size = 0
        for modified, bytes_taken, path in kept:
            size += bytes_taken
            is_left_over = os.path.basename(path)[0] == "." and time.time() - modified > _LATELY
            if size > self._limit or is_left_over:
                with suppress(OSError):
                    os.unlink(path)
        with suppress(OSError):
            _write(stamp, b"")

    def _documents(self) -> Iterator[tuple[float, int, str]]:
        """When each was last used, its size, and its path."""
        for shelf in _entries(self.folder):
            if _SHELF.fullmatch(shelf.name) and shelf.is_dir(follow_symlinks=False):
                for entry in _entries(shelf.path):
                    with suppress(OSError):
                        if _KEY.fullmatch(entry.name):
                            state = entry.stat(follow_symlinks=False)
                            yield state.st_mtime, state.st_size, entry.path

    def clean(self) -> tuple[int, int]:
        """Remove all documents, and the folder if it holds nothing else; their count and size."""
        count = size = 0
        for _, bytes_taken, path in list(self._documents()):
            with suppress(OSError):
                os.unlink(path)
                count, size = count + 1, size + bytes_taken
        for shelf in _entries(self.folder):
            if _SHELF.fullmatch(shelf.name):
                with suppress(OSError):
                    os.rmdir(shelf.path)
        names = {entry.name for entry in _entries(self.folder)}
        if _TAG in names and names <= {_TAG, _IGNORED, _SWEPT}:
            with suppress(OSError):
                for name in names:
                    os.unlink(os.path.join(self.folder, name))
                os.rmdir(self.folder)
        return count, size


def _open(path: str, flags: int) -> int:
    """Open what is no link, and do not wait for a pipe that somebody has put there."""
    extra = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.open(path, flags | extra)


def _write(path: str, data: bytes) -> None:
    """Put a whole file in place of what is there, through no link."""
    shelf, name = os.path.split(path)
    aside = os.path.join(shelf, f".{name}.{os.getpid()}")
    try:
        with open(aside, "xb") as file:
            file.write(data)
        os.replace(aside, path)
    except OSError:
        with suppress(OSError):
            os.unlink(aside)
        raise


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
