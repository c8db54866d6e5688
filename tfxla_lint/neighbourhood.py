"""Finds the projects that the files of a run belong to: all Python files below their roots."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from tfxla_lint.discovery import IgnoreFiles, Listing, Target, ignores_above, list_folder
from tfxla_lint.notebooks.reading import is_notebook, source_of
from tfxla_lint.project.projects import Project, Projects
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.resolver import OWN_FILE, SettingsResolver
from tfxla_lint.settings.roots import MARKERS, project_root
from tfxla_lint.source import SourceError

#: The most folders and Python files of a project; of a larger one (a home folder with settings,
#: say) only what lies nearest to the linted files is looked at.
_MOST = 20_000
_MARKS = MARKERS | {OWN_FILE}


def projects_of(targets: Iterable[Target], resolver: SettingsResolver) -> Projects:
    """The projects of some files that are linted.

    A project holds the files below the root of its settings for which the same settings hold, but
    no test files: what tests call, and how, says nothing of how a program runs.
    """
    roots: dict[Path, dict[Path, None]] = {}
    for target in targets:
        folder = target.path.parent
        roots.setdefault(_root(folder, target.settings), {})[folder] = None
    return Projects(_project(root, list(folders), resolver) for root, folders in roots.items())


def _root(folder: Path, settings: Settings) -> Path:
    """The root of a linted file's project: settings from elsewhere say nothing of it."""
    root = settings.root
    return root if root == folder or root in folder.parents else project_root(folder)


def _project(root: Path, folders: list[Path], resolver: SettingsResolver) -> Project:
    walk = _Walk(root, resolver)
    files = walk.below([root], _MOST)
    if files is None:
        around = list(dict.fromkeys(f for folder in folders for f in _up(folder, root)))
        files = walk.around(folders, around, _MOST)
    return Project.of(root, files, partial(_python, resolver))


def _python(resolver: SettingsResolver, path: Path) -> bytes:
    """The Python of a program in a file; raises ValueError for a test, and a notebook without."""
    data = path.read_bytes()
    if resolver.for_folder(path.parent).is_test(path, data):
        raise ValueError("a test")
    if not is_notebook(path.name):
        return data
    try:
        return source_of(data, str(path)).text.encode(errors="replace")
    except SourceError as error:
        raise ValueError(error.message) from None


def _up(folder: Path, root: Path) -> Iterator[Path]:
    yield folder
    for above in folder.parents if folder != root else ():
        yield above
        if above == root:
            return


class _Walk:
    """Collects the Python files of one project."""

    def __init__(self, root: Path, resolver: SettingsResolver) -> None:
        self._root = root
        self._resolver = resolver

    def below(self, starts: list[Path], most: int) -> list[Path] | None:
        """The files below some folders, the nearest ones first; None where there are too many."""
        found = self._collect(starts, most)
        return found if self._left > 0 else None

    def around(self, folders: list[Path], beside: list[Path], most: int) -> list[Path]:
        """The files that lie directly in the folders `beside`, and the nearest below `folders`."""
        found = dict.fromkeys(self._collect(beside, most, deep=False))
        found.update(dict.fromkeys(self._collect(folders, most)))
        return list(found)

    def _collect(self, starts: list[Path], most: int, deep: bool = True) -> list[Path]:
        self._left = most
        pending = deque((start, ignores_above(start)) for start in starts)
        seen = set(starts)
        files: list[Path] = []
        while pending and self._left > 0:
            folder, above = pending.popleft()
            ignores = above.within(folder)
            folders, here = self._look(folder, ignores)
            self._left -= 1 + len(here)
            files.extend(here)
            fresh = [f for f in folders if f not in seen] if deep else []
            seen.update(fresh)
            pending.extend((f, ignores) for f in fresh)
        return files

    def _look(self, folder: Path, ignores: IgnoreFiles) -> tuple[list[Path], list[Path]]:
        """The folders and the files in a folder that are of this project."""
        try:
            listing = list_folder(folder, _MARKS)
            settings = self._resolver.for_folder(folder)
        except (OSError, SettingsError):
            return [], []
        if self._is_other(listing, settings):
            return [], []
        folders, files = listing.kept(self._root, settings, ignores)
        return folders, [f for f in files if not self._is_twin(f)]

    def _is_twin(self, path: Path) -> bool:
        """Whether a file is a link to one that lies below the root as well."""
        return os.path.islink(path) and self._root in Path(os.path.realpath(path)).parents

    def _is_other(self, listing: Listing, settings: Settings) -> bool:
        """Whether a project of its own begins in a folder."""
        folder = listing.folder
        return folder != self._root and bool(listing.marks) and settings.root == folder
