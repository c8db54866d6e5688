"""Paths as reports show them: the same from whatever folder of a repository the tool runs in."""

from __future__ import annotations

import os
from pathlib import Path


def report_root(folder: Path | None = None) -> Path:
    """What paths in reports are relative to: the top of the git repository around `folder`.

    That is the working folder if none is named, and the answer where it lies in no repository.
    """
    start = str(folder) if folder is not None else os.getcwd()
    place, above = start, ""
    # It is asked of each file: paths as objects take four times as long.
    while place != above and not os.path.exists(os.path.join(place, ".git")):
        place, above = os.path.dirname(place), place
    return Path(start if place == above else place)


def shown_path(path: Path) -> str:
    """`path`, an absolute one, as reports and messages show it."""
    try:
        return relative(path, report_root())
    except OSError:
        return str(path)


def from_here(path: Path) -> str:
    """`path` as one would type it in the working folder."""
    try:
        return relative(path, Path.cwd())
    except OSError:
        return str(path)


def relative(path: Path, folder: Path) -> str:
    """`path` relative to `folder` where it lies below it."""
    try:
        return str(path.relative_to(folder))
    except ValueError:
        return str(path)
