"""Writes files so that a reader sees the old bytes or the new ones, never a part."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path


class ChangedMeanwhileError(OSError):
    """The file is not what it was when it was read."""


def write_atomically(path: Path, data: bytes, expected: bytes | None = None) -> None:
    """Put `data` into the file `path`, or into the file that a symbolic link points to.

    The new file keeps the mode. With `expected` nothing is written where the file has other
    contents by now. Raises OSError; the old file is whole then. What is no file, such as a pipe or
    `/dev/null`, is written to and not replaced.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    import tempfile

    target = Path(os.path.realpath(path))
    mode = _mode(target)
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is not writable", str(path))
    if expected is not None and target.read_bytes() != expected:
        raise ChangedMeanwhileError(0, "the file changed while it was being fixed", str(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode if mode is not None else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
