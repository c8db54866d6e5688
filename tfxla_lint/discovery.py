"""Finds the files to lint: what was named, and what lies in the folders that were named."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tfxla_lint.notebooks.reading import is_notebook
from tfxla_lint.project.scan import NOTEBOOK
from tfxla_lint.settings.folders import Folders
from tfxla_lint.settings.globs import (
    Globs,
    gitignore_spec,
    is_quick,
    is_valid_pattern,
    relative_to,
)
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.resolver import SettingsResolver, absolute
from tfxla_lint.settings.shown import report_root

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".py", NOTEBOOK)
GITIGNORE = ".gitignore"


@dataclass(frozen=True)
class Target:
    """A file to lint, the path that reports show for it, and the settings that hold for it.

    `leads_out` says that it is a link that was found in a folder, to a file that lies elsewhere.
    """

    path: Path
    shown: str
    settings: Settings
    leads_out: bool = False


@dataclass
class Discovery:
    """The files that were found, and what could not be looked at: (path, reason)."""

    files: list[Target] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)


def discover(
    paths: Iterable[str], resolver: SettingsResolver, base: Path | None = None
) -> Discovery:
    """The files that `paths` mean, each once, in the order of their paths within each argument.

    They are shown relative to `base`, or as reports show paths.
    """
    search = _Search(resolver, base if base is not None else report_root())
    for argument in paths:
        search.add(argument)
    return search.found


def is_excluded(path: Path, settings: Settings, is_folder: bool = False) -> bool:
    """Whether `exclude`, `extend-exclude` or `include-notebooks` leaves out `path`."""
    if not settings.include_notebooks and is_notebook(path.name):
        return True
    return any(globs.matches(path, is_folder) for globs in settings.exclude)


class _Search:
    def __init__(self, resolver: SettingsResolver, base: Path) -> None:
        self._resolver = resolver
        self._folders = resolver.folders
        self._base = base
        #: The places of files among those found.
        self._seen: dict[str, int] = {}
        self.found = Discovery()

    def add(self, argument: str) -> None:
        path = absolute(Path(argument))
        if os.path.isdir(path):
            self._add_folder(path)
        elif os.path.exists(path) and not os.path.isfile(path):
            # A pipe or a device may never come to an end.
            self.found.problems.append((argument, "not a regular file; `-` is standard input"))
        elif os.path.exists(path):
            settings = self._resolver.for_folder(path.parent)
            if not (settings.force_exclude and is_excluded(path, settings)):
                self._add_file(path, settings)
        else:
            dangling = "a symbolic link that leads nowhere" if os.path.islink(path) else None
            self.found.problems.append((argument, dangling or "no such file or folder"))

    def _add_folder(self, folder: Path) -> None:
        settings = self._resolver.for_folder(folder)
        if settings.force_exclude and is_excluded(folder, settings, is_folder=True):
            return
        self._walk(folder, folder, ignores_above(folder, self._folders))

    def _walk(self, folder: Path, start: Path, ignores: IgnoreFiles) -> None:
        pending = [(folder, ignores)]
        inside = os.path.join(os.path.realpath(start), "")
        while pending:
            current, above = pending.pop()
            try:
                listing = list_folder(current, self._folders)
            except OSError as error:
                reason = error.strerror or str(error)
                self.found.problems.append((self._shown(current), reason))
                continue
            settings = self._resolver.for_folder(current)
            here = above.within(current)
            folders, files = listing.kept(start, settings, here)
            for path in files:
                self._add_file(path, settings, inside)
            pending.extend((path, here) for path in reversed(folders))

    def _add_file(self, path: Path, settings: Settings, inside: str = "") -> None:
        """Add a file that was named, or was found in the folder `inside`."""
        key = os.path.realpath(path)
        target = Target(path, self._shown(path), settings, not key.startswith(inside))
        place = self._seen.setdefault(key, len(self.found.files))
        if place == len(self.found.files):
            self.found.files.append(target)
        elif self.found.files[place].leads_out:
            self.found.files[place] = target

    def _shown(self, path: Path) -> str:
        relative = relative_to(path, self._base)
        return str(path) if not relative else relative.replace("/", os.sep)


def _excluding(folder: Path, start: Path, settings: Settings) -> Iterator[tuple[Globs, str]]:
    """What may exclude entries of a folder, with the path that it knows the folder by.

    The folder lies below `start`, which was named and so is not itself excluded.
    """
    for globs in settings.exclude:
        base = globs.base
        is_elsewhere = relative_to(start, base) is None and relative_to(base, start) is None
        if is_elsewhere or globs.matches(start, is_folder=True):
            base = start
        relative = relative_to(folder, base)
        if relative is not None:
            yield globs, relative + "/" if relative else ""


@dataclass(frozen=True)
class Listing:
    """The folders and the Python files that lie directly in a folder, in the order of their names."""

    folder: Path
    entries: tuple[tuple[str, bool], ...]
    odd: Collection[str]

    def kept(
        self, start: Path, settings: Settings, ignores: IgnoreFiles
    ) -> tuple[list[Path], list[Path]]:
        """The folders and the files that are not left out, when the folder `start` was named."""
        folders: list[Path] = []
        files: list[Path] = []
        excluding = list(_excluding(self.folder, start, settings))
        for name, is_folder in self.entries:
            if any(globs.matches_relative(above + name, is_folder) for globs, above in excluding):
                continue
            path = self.folder / name
            if settings.respect_gitignore and ignores.ignores(path, is_folder):
                continue
            if is_folder:
                folders.append(path)
            elif not settings.include_notebooks and is_notebook(name):
                continue
            elif name not in self.odd or os.path.isfile(path):
                files.append(path)
        return folders, files


def list_folder(folder: Path, folders: Folders) -> Listing:
    """What lies in a folder, thousands of other files in it being passed over at little cost."""
    found = folders.listing(folder)
    kept = (
        (n, is_folder)
        for n, is_folder in found.entries.items()
        if is_folder or n.endswith(SUFFIXES)
    )
    return Listing(folder, tuple(sorted(kept)), found.odd)


def ignores_above(folder: Path, folders: Folders) -> IgnoreFiles:
    """The `.gitignore` files that hold when `folder` is named, which may itself be ignored."""
    ignores = IgnoreFiles.above(folder, folders)
    none = IgnoreFiles((), folders)
    return none if ignores.ignores(folder, is_folder=True) else ignores


class IgnoreFiles:
    """The `.gitignore` files that hold in a folder, the farthest first."""

    def __init__(self, files: tuple[tuple[Path, str], ...], folders: Folders) -> None:
        self._files = files
        self._folders = folders

    @classmethod
    def above(cls, folder: Path, folders: Folders) -> IgnoreFiles:
        """Those above `folder`, up to the top of its git repository; none outside of one."""
        found = cls((), folders)
        top = next((f for f in (folder, *folder.parents) if folders.has(f, (".git",))), None)
        if top is None:
            return found
        found = found._with(top, top / ".git" / "info" / "exclude")
        for parent in reversed(folder.parents):
            if parent == top or top in parent.parents:
                found = found.within(parent)
        return found

    def within(self, folder: Path) -> IgnoreFiles:
        """These and the one that lies in `folder`."""
        return self._with(folder, folder / GITIGNORE)

    def _with(self, base: Path, path: Path) -> IgnoreFiles:
        text = self._folders.text(path)
        return IgnoreFiles((*self._files, (base, text)), self._folders) if text else self

    def ignores(self, path: Path, is_folder: bool) -> bool:
        """Whether the nearest file with an opinion ignores `path`."""
        for base, text in reversed(self._files):
            relative = relative_to(path, base)
            if relative:
                name = relative + "/" if is_folder else relative
                verdict = _patterns(text).check_file(name).include
                if verdict is not None:
                    return verdict
        return False


@lru_cache(maxsize=64)
def _patterns(text: str) -> GitIgnoreSpec:
    # What may take for ever to match, and nobody writes by hand, excludes nothing.
    lines = [line for line in text.splitlines() if is_quick(line)]
    try:
        return gitignore_spec(lines)
    except (ValueError, re.error):
        return gitignore_spec(line for line in lines if is_valid_pattern(line))
