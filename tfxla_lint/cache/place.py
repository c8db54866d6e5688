"""Where the cache of a project lies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tfxla_lint.digests import CACHE_FOLDER

_NAME = "tfxla-lint"


def cache_folder(root: Path, chosen: Path | None = None) -> Path:
    """The folder of the cache of the project at `root`: the chosen one, else one at the root.

    Where the root cannot be written to, or somebody has put a link there, it is the user's own. A
    chosen folder that holds anything else gives room to one inside of it.
    """
    if chosen is not None:
        return chosen if _is_ours(chosen) else chosen / _NAME
    own = root / CACHE_FOLDER
    is_usable = os.access(own if os.path.exists(own) else root, os.W_OK)
    return own if is_usable and not os.path.islink(own) else _of_user()


def _is_ours(folder: Path) -> bool:
    """Whether a folder is a cache, or empty, or not there yet."""
    try:
        names = os.listdir(folder)
    except OSError:
        return not os.path.exists(folder)
    return not names or "CACHEDIR.TAG" in names


def _of_user() -> Path:
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return Path(base) / _NAME
