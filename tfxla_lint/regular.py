"""Reads files that come to an end."""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

#: No source, notebook or settings file is larger than so many bytes.
LARGEST = 256_000_000
#: Binary, and without waiting for a pipe.
READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PIECE = 1 << 20


def regular_bytes(path: Path | str) -> bytes:
    """The bytes of a regular file; raises OSError, also for what is none and for what is too large.

    A pipe, a device, or what a kernel shows as a file (`/proc/kmsg`) may never come to an end, and
    may have taken the place of a file since somebody looked.
    """
    try:
        file = os.open(path, READING)
    except ValueError as error:
        # No path has a NUL in it.
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    try:
        state = os.fstat(file)
        if stat.S_ISDIR(state.st_mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        data = contents(file, state.st_size, LARGEST + 1) if state.st_size <= LARGEST else b""
    except BlockingIOError:
        raise OSError(errno.EAGAIN, "it never comes to an end", str(path)) from None
    finally:
        os.close(file)
    if max(state.st_size, len(data)) > LARGEST:
        raise OSError(errno.EFBIG, f"it is larger than {LARGEST // 1_000_000} MB", str(path))
    return data


def contents(file: int, size: int, most: int) -> bytes:
    """What an open file of about this size holds, `most` bytes of it; raises OSError.

    What Python's own files take to be made and taken apart is more than what it takes to read one.
    """
    # What says that it is empty need not be.
    data = os.read(file, min(size + 1, most))
    while len(data) < most and (more := os.read(file, min(_PIECE, most - len(data)))):
        data += more
    return data
