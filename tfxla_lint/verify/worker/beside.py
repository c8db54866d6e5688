"""Copies the files that lie beside a program to where it works: data, settings, old results."""

from __future__ import annotations

import os
import shutil
from typing import Iterator, Tuple

#: So many files are copied, of so many bytes together.
_MOST, _BYTES = 500, 1 << 26
#: What tells a folder that holds an environment.
_ENVIRONMENT = "pyvenv.cfg"
_CODE = (".py", ".pyc")


def has_files(folder: str) -> bool:
    """Whether there is anything to copy."""
    return next(_files(folder), None) is not None


def copy_files(folder: str) -> None:
    """Copy them to the working folder; what goes beyond the bounds is left."""
    left = _BYTES
    for count, (path, name) in enumerate(_files(folder)):
        left -= os.path.getsize(path)
        if left < 0 or count >= _MOST:
            return
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        shutil.copy2(path, name)


def _files(folder: str) -> Iterator[Tuple[str, str]]:
    """Files that are no code, with their names from the folder on."""
    for place, inner, names in os.walk(folder):
        inner[:] = sorted(
            n
            for n in inner
            if not n.startswith((".", "__pycache__"))
            and not os.path.exists(os.path.join(place, n, _ENVIRONMENT))
        )
        for name in sorted(names):
            path = os.path.join(place, name)
            is_code = name.endswith(_CODE) or name.startswith(".")
            if os.path.isfile(path) and not is_code:
                yield path, os.path.relpath(path, folder)
