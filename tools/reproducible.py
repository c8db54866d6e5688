"""Makes archives whose bytes hang on their contents alone: not on the clock, the user or the umask.

A wheel keeps to SOURCE_DATE_EPOCH by itself, an sdist does not; neither keeps to one umask.
"""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import tarfile
import zipfile
from datetime import datetime, timezone
from pathlib import Path

_EXECUTABLE, _PLAIN = 0o755, 0o644
#: The first moment that a zip file can name.
_EARLIEST = 315_532_800


def epoch(root: Path) -> int:
    """The moment that archives name: SOURCE_DATE_EPOCH, else that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    command = ["git", "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, cwd=root, capture_output=True, check=True).stdout)


def settle(path: Path, moment: int) -> None:
    """Write an sdist or a wheel anew."""
    data = _wheel(path, moment) if path.suffix == ".whl" else _sdist(path, moment)
    path.write_bytes(data)


def _sdist(path: Path, moment: int) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(path) as old, tarfile.open(fileobj=packed, mode="w") as new:
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            plain = tarfile.TarInfo(member.name)
            plain.type, plain.size, plain.mtime = member.type, member.size, moment
            is_executable = member.isdir() or member.mode & 0o100
            plain.mode = _EXECUTABLE if is_executable else _PLAIN
            new.addfile(plain, old.extractfile(member) if member.isfile() else None)
    zipped = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, zipped, moment) as file:
        file.write(packed.getvalue())
    return zipped.getvalue()


def _wheel(path: Path, moment: int) -> bytes:
    when = datetime.fromtimestamp(max(moment, _EARLIEST), timezone.utc).timetuple()[:6]
    packed = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(packed, "w") as new:
        # The record comes last, as wheels have it.
        for member in sorted(
            old.infolist(), key=lambda m: (".dist-info/" in m.filename, m.filename)
        ):
            plain = zipfile.ZipInfo(member.filename, when)
            plain.create_system, plain.compress_type = 3, zipfile.ZIP_DEFLATED
            is_executable = member.external_attr >> 16 & 0o100
            plain.external_attr = (0o100000 | (_EXECUTABLE if is_executable else _PLAIN)) << 16
            new.writestr(plain, old.read(member), compresslevel=9)
    return packed.getvalue()
