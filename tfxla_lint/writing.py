"""Writes files so that a reader sees the old bytes or the new ones, never a part.

Where a new file in the place of the old one would lose something (another name of the file, its
owner, an attribute) or cannot be made (in a folder that may not be written to), the bytes of the file
itself are changed: whole, or not at all, unless the process is killed in the middle.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from tfxla_lint.regular import regular_bytes

#: A file of this name is left where the process is killed while it writes.
_PREFIX, _SUFFIX = ".tfxla-lint.", ".tmp"
_NEW = (
    os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)


class ChangedMeanwhileError(OSError):
    """The file is not what it was when it was read."""


class _CannotReplaceError(Exception):
    """No other file can take the place of this one and be all that it was."""


def write_atomically(path: Path, data: bytes, expected: bytes | None = None) -> None:
    """Put `data` into the file `path`, or into the file that a symbolic link points to.

    The file keeps its mode, owner, other names and extended attributes. With `expected` nothing is
    written where the file has other contents by now. Raises OSError; the old file is whole then.
    What is no file, such as a pipe or `/dev/null`, is written to and not replaced.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    state = _state(target)
    if state is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is not writable", str(path))
    if expected is not None:
        _check(regular_bytes(target), expected, target)
    try:
        _replace(target, data, state, expected)
    except _CannotReplaceError:
        _overwrite(target, data, expected)


def _check(found: bytes, expected: bytes, target: Path) -> None:
    """Raise ChangedMeanwhileError where a file holds something else by now."""
    if found != expected:
        raise ChangedMeanwhileError(0, "the file changed while it was being fixed", str(target))


def _replace(target: Path, data: bytes, old: os.stat_result | None, expected: bytes | None) -> None:
    if old is not None and old.st_nlink > 1:
        raise _CannotReplaceError
    # The name is known before the file is there: who interrupts its making leaves none behind.
    name = str(target.parent / f"{_PREFIX}{os.urandom(8).hex()}{_SUFFIX}")
    try:
        try:
            handle = os.open(name, _NEW, 0o600)
        except OSError:
            if old is None:
                raise
            raise _CannotReplaceError from None
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            _make_alike(name, target, old)
        else:
            os.chmod(name, 0o666 & ~_umask())
        if expected is not None:
            # To write all of it to the disk takes long enough for somebody to save the file.
            _check(regular_bytes(target), expected, target)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _make_alike(name: str, target: Path, old: os.stat_result) -> None:
    """Give a new file what belongs to the old one beside its bytes; raises _CannotReplaceError."""
    try:
        new = os.stat(name)
        if hasattr(os, "chown") and (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
            os.chown(name, old.st_uid, old.st_gid)
        if hasattr(os, "listxattr"):
            for attribute in _attributes(target):
                os.setxattr(name, attribute, os.getxattr(target, attribute))
    except OSError:
        raise _CannotReplaceError from None
    # A change of the owner clears bits of the mode.
    os.chmod(name, stat.S_IMODE(old.st_mode))


def _attributes(path: Path) -> list[str]:
    try:
        return os.listxattr(path)
    except OSError:
        # The file system has none.
        return []


def _overwrite(target: Path, data: bytes, expected: bytes | None) -> None:
    """Change the bytes of a file itself; those that a failure leaves are the old ones.

    What is longer than it was is written first: where the disk is full, nothing is lost yet.
    """
    with open(target, "r+b", buffering=0) as file:
        old = file.read()
        if expected is not None:
            _check(old, expected, target)
        try:
            _write_at(file.fileno(), len(old), data[len(old) :])
            _write_at(file.fileno(), 0, data[: len(old)])
            file.truncate(len(data))
            os.fsync(file.fileno())
        except BaseException:
            _write_at(file.fileno(), 0, old)
            file.truncate(len(old))
            raise


def _write_at(handle: int, start: int, data: bytes) -> None:
    os.lseek(handle, start, os.SEEK_SET)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
