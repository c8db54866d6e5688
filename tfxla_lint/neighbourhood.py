"""Finds the projects that the files of a run belong to: all Python files below their roots."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tfxla_lint.discovery import IgnoreFiles, Target, ignores_above, list_folder
from tfxla_lint.outsiders import modules_used_beside
from tfxla_lint.project.projects import Memory, Project, Projects
from tfxla_lint.project.scan import may_name_tensorflow, scan
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.globs import relative_to
from tfxla_lint.settings.layer import Layer
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.resolver import OWN_FILE, PYPROJECT, SettingsResolver
from tfxla_lint.settings.roots import MARKERS

#: The most folders and Python files of a project; of a larger one (a home folder with settings,
#: say) only what lies nearest to the linted files is looked at.
_MOST = 20_000
_MARKS = MARKERS | {OWN_FILE}
_SETTINGS = frozenset({OWN_FILE, PYPROJECT})
#: Where the packages of a project may lie.
_SOURCES = "src"
#: What lies at the top of a virtual environment.
_ENVIRONMENT = "pyvenv.cfg"
#: So many other files beside no code are data, and code does not lie below them.
_DATA = 1_000
#: As many other files as are passed over in the time that a folder or a file of code takes.
_PASSED = 20


def concerned(
    targets: Iterable[Target], resolver: SettingsResolver, data: bytes | None = None
) -> Iterator[Target]:
    """The files to lint of whose projects something has to be known.

    Those are all files of a project, as soon as one of them may concern TensorFlow: it names it, or
    imports what lies beside it. `data` is what a file holds that does not come from the disk.
    """
    roots: set[Path] = set()
    for target in targets:
        root = root_of(target, resolver)
        if root in roots or _may_concern_tensorflow(target.path, root, resolver, data):
            roots.add(root)
            yield target


def _may_concern_tensorflow(
    path: Path, root: Path, resolver: SettingsResolver, data: bytes | None
) -> bool:
    try:
        held = resolver.folders.data(path) if data is None else data
    except OSError:
        return False
    if may_name_tensorflow(held):
        return True
    tops = {name.partition(".")[0] for name in scan(held).imports}
    names = {spelled for top in tops for spelled in (top, f"{top}.py")}
    folders = (path.parent, root, root / _SOURCES)
    return "" in tops or any(resolver.folders.has(folder, names) for folder in folders)


def projects_of(
    targets: Iterable[Target], resolver: SettingsResolver, memory: Memory | None = None
) -> Projects:
    """The projects of some files that are linted.

    A project holds the files below the root of its settings for which the same settings hold, but
    no test files: what tests call, and how, says nothing of how a program runs. `memory` keeps what
    is found out of them.
    """
    roots: dict[Path, dict[Path, None]] = {}
    for target in targets:
        folder = target.path.parent
        roots.setdefault(root_of(target, resolver), {})[folder] = None
    return Projects(
        _project(root, list(folders), resolver, memory) for root, folders in roots.items()
    )


def root_of(target: Target, resolver: SettingsResolver) -> Path:
    """The root of a linted file's project: settings from elsewhere say nothing of it."""
    folder, root = target.path.parent, target.settings.root
    return root if root == folder or root in folder.parents else resolver.roots.of(folder)


def _project(
    root: Path, folders: list[Path], resolver: SettingsResolver, memory: Memory | None
) -> Project:
    walk = _Walk(root, resolver)
    files = walk.known_below(_MOST)
    used = modules_used_beside(root, files, resolver.folders) if files is not None else None
    if files is None:
        around = list(dict.fromkeys(f for folder in folders for f in _up(folder, root)))
        files = walk.around(folders, around, _MOST)

    def is_test(path: Path) -> bool:
        return resolver.for_folder(path.parent).is_test(path)

    return replace(Project.of(root, files, memory, is_test, resolver.folders.contents), used=used)


def _walked(layer: Layer) -> tuple[object, ...]:
    """What settings say of the files of a project."""
    globs = (layer.exclude, layer.extend_exclude, layer.test_files)
    return (
        str(layer.base),
        *globs,
        layer.respect_gitignore,
        layer.include_tests,
        layer.include_notebooks,
    )


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
        self._folders = resolver.folders

    def known_below(self, most: int) -> list[Path] | None:
        """The files below the root, or as they were before where no folder has changed."""

        def find() -> tuple[str, ...] | None:
            found = self.below([self._root], most)
            if found is None:
                return None
            return tuple(relative_to(path, self._root) or "" for path in found)

        layers = [_walked(layer) for layer in self._resolver.for_folder(self._root).layers]
        question = f"files {most} {layers}"
        names = self._folders.ask(question, self._root, tuple[str, ...] | None, find)
        if names is None or any(".." in name.split("/") for name in names):
            return None
        return [self._root / name for name in names]

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
        pending = deque((start, ignores_above(start, self._folders)) for start in starts)
        seen = set(starts)
        files: list[Path] = []
        while pending and self._left > 0:
            folder, above = pending.popleft()
            folders, here, ignores = self._look(folder, above)
            self._left -= 1 + len(here)
            files.extend(here)
            fresh = [f for f in folders if f not in seen] if deep else []
            seen.update(fresh)
            pending.extend((f, ignores) for f in fresh)
        return files

    def _look(self, folder: Path, above: IgnoreFiles) -> tuple[list[Path], list[Path], IgnoreFiles]:
        """The folders and the files in a folder that are of this project, and what is ignored there."""
        try:
            names = self._folders.listing(folder)
            for name in _SETTINGS.intersection(names.entries):
                self._folders.text(folder / name)
            settings = self._resolver.for_folder(folder)
        except (OSError, SettingsError):
            return [], [], above
        self._left -= names.others // _PASSED
        if folder != self._root and self._is_other(folder, names.entries, settings):
            return [], [], above
        ignores = above.within(folder)
        listing = list_folder(folder, self._folders)
        folders, files = listing.kept(self._root, settings, ignores)
        if names.others >= _DATA and not files:
            return [], [], ignores
        linked = {folder / name for name in names.odd}
        return folders, [f for f in files if not (f in linked and self._is_twin(f))], ignores

    def _is_twin(self, path: Path) -> bool:
        """Whether a file is a link to one that lies below the root as well."""
        return self._root in Path(os.path.realpath(path)).parents

    def _is_other(self, folder: Path, names: Collection[str], settings: Settings) -> bool:
        """Whether a project of its own begins in a folder, or a virtual environment."""
        has_mark = not _MARKS.isdisjoint(names)
        return (has_mark and settings.root == folder) or _ENVIRONMENT in names
