"""Tells the user's code from Python's, from the tool's and from what is installed."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from typing import Collection, Optional, Set

#: Where packages are installed, and where Python's own modules and the tool's lie.
_INSTALLED = ("site-packages", "dist-packages")
_FOREIGN = tuple(
    os.path.join(folder, "")
    for folder in (
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("platstdlib"),
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
    )
)


@functools.lru_cache(maxsize=1 << 16)
def is_users(file: str) -> bool:
    """Whether a file of code is the user's."""
    is_installed = any(os.sep + name + os.sep in file for name in _INSTALLED)
    return not is_installed and not file.startswith((*_FOREIGN, "<frozen"))


def own_modules(own: Collection[str] = (), names: Optional[Set[str]] = None) -> Set[str]:
    """The names of the modules that are the user's, or whose files are among `own`."""
    found = set()
    for name in names if names is not None else set(sys.modules):
        file = getattr(sys.modules.get(name), "__file__", None) or ""
        is_made = name.startswith("__autograph_generated")
        if file in own or (file and not is_made and is_users(file)):
            found.add(name)
    return found
