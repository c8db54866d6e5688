"""Reads what a patch makes of a folder's Python files, which stay as they are."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from tfxla_lint.discovery import SUFFIXES
from tfxla_lint.notebooks.reading import source_of
from tfxla_lint.regular import regular_bytes
from tfxla_lint.repository.git import GitError, run_git
from tfxla_lint.source import Source
from tfxla_lint.verify.pairs import Pair


def patched_pairs(patch: str, folder: Path) -> tuple[list[Pair], list[str]]:
    """The Python files below `folder` that a unified diff changes, and the names of those it removes.

    Each pair knows the other files' old and new texts. Names in it may begin with git's `a/` and
    `b/`. Raises GitError where the patch does not apply, or reaches out of the folder; SourceError
    where a file is no Python.
    """
    try:
        return _patched(patch, folder, "-p1")
    except GitError as error:
        try:
            return _patched(patch, folder, "-p0")
        except GitError:
            raise error from None


def _patched(patch: str, folder: Path, strip: str) -> tuple[list[Pair], list[str]]:
    every = _named(patch, folder, strip)
    names = [name for name in every if name.endswith(SUFFIXES)]
    with tempfile.TemporaryDirectory() as scratch:
        aside = Path(scratch)
        for name in every:
            if (folder / name).is_file():
                (aside / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / name, aside / name)
        _git([strip], patch, aside)
        old = {name: _read(folder / name, name) for name in names if (folder / name).is_file()}
        new = {name: _read(aside / name, name) for name in names if (aside / name).is_file()}
    before, after = ({_place(folder, n): s.text for n, s in x.items()} for x in (old, new))
    pairs = [
        Pair(Path(_place(folder, n)), n, s.text, new[n].text, (before, after), s.cell_lines)
        for n, s in old.items()
        if n in new
    ]
    return pairs, [name for name in old if name not in new]


def _place(folder: Path, name: str) -> str:
    return os.path.abspath(folder / name)


def _read(path: Path, name: str) -> Source:
    return source_of(regular_bytes(path), name)


def _named(patch: str, folder: Path, strip: str) -> list[str]:
    """The files that a patch names, below the folder."""
    rows = _git([strip, "--numstat", "-z"], patch, folder).split("\0")
    names = [row.split("\t", 2)[-1] for row in rows if row]
    for name in names:
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise GitError(f"the patch reaches out of the folder: {name}")
    return names


def _git(options: list[str], patch: str, folder: Path) -> str:
    """What `git apply` prints; it takes the folder for the top, whatever repository it lies in."""
    command = ["apply", "--unidiff-zero", "--whitespace=nowarn", *options, "-"]
    data = patch.encode("utf-8", "surrogateescape")
    done = run_git(*command, folder=folder, data=data, environment={"GIT_DIR": os.devnull})
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(words[0].removeprefix("error: ") if words else "the patch does not apply")
    return done.stdout.decode("utf-8", "surrogateescape")
