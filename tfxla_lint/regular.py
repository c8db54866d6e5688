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
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


def regular_bytes(path: Path | str) -> bytes:
    """The bytes of a regular file; raises OSError, also for what is none and for what is too large.

    A pipe, a device, or what a kernel shows as a file (`/proc/kmsg`) may never come to an end, and
    may have taken the place of a file since somebody looked.
    """
    with open(path, "rb", opener=_open) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        # What says that it is empty need not be.
        data = file.read(LARGEST + 1) if state.st_size <= LARGEST else b""
    if data is None:
        raise OSError(errno.EAGAIN, "it never comes to an end", str(path))
    if max(state.st_size, len(data)) > LARGEST:
        raise OSError(errno.EFBIG, f"it is larger than {LARGEST // 1_000_000} MB", str(path))
    return data


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | _NO_WAIT)
