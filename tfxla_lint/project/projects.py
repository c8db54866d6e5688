"""The projects whose files are linted: their layout, and the cluster of each file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from posixpath import dirname, join
from typing import Protocol, TypeAlias

from tfxla_lint.contents import Contents
from tfxla_lint.project.clusters import LARGEST_CLUSTER, clusters, imported
from tfxla_lint.project.layout import INIT, Layout
from tfxla_lint.project.scan import ANY, NOTEBOOK, PATH, Scan, code_of, scan


@dataclass(frozen=True, slots=True)
class Cluster:
    """Files of one project that are analysed together, as paths relative to its root."""

    root: Path
    files: tuple[str, ...]


#: What the files of tests import, and run by its name.
Tests: TypeAlias = tuple[tuple[str, Scan], ...]


@dataclass(frozen=True)
class Known:
    """What was found out of a project: each file with its digest and its scan, and each cluster with
    the files whose cluster it is. `own` are those that are no tests, `loaded` and `started` as a project
    has them."""

    files: tuple[tuple[str, str, Scan], ...] = ()
    clusters: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    own: frozenset[str] = frozenset()
    loaded: frozenset[str] = frozenset()
    started: frozenset[str] = frozenset()

    @property
    def tests(self) -> Tests:
        """What the files of tests import and run."""
        return _tests((file, found) for file, _, found in self.files if file not in self.own)


class Memory(Protocol):
    """Keeps what was found out of projects from one run to the next."""

    def recall(self, root: Path) -> Known:
        """What was kept of a project."""
        ...

    def keep(self, root: Path, known: Known) -> None:
        """Keep this of a project from now on."""
        ...


@dataclass(frozen=True)
class Project:
    """One project: the folder that its paths are relative to, who belongs to whom, and the names of
    what the files hold.
    """

    root: Path
    layout: Layout
    by_file: dict[str, tuple[str, ...]]
    digests: dict[str, str]
    #: The full names of TensorFlow that a file gives a value.
    assigned: frozenset[str] = frozenset()
    #: What the files of tests import, which belong to no project themselves, and where from.
    tests: Tests = ()
    #: The files that others may load though no import tells that it is these.
    loaded: frozenset[str] = frozenset()
    #: The files that others may run as programs.
    started: frozenset[str] = frozenset()
    #: The parts of the names of modules that files import which belong to no project at hand; None where
    #: there are too many of these to know.
    used: frozenset[str] | None = frozenset()

    @cached_property
    def run_unseen(self) -> frozenset[str]:
        """The files that run as nothing in sight says, and all that they import: tests may call what
        stands there as no program does, and set its names to something else meanwhile; so may what loads
        a file by its name, or by a search path that it changes, and scripts that are not looked at."""
        if self.used is None:
            return self.layout.files
        names = (
            (file, file.removesuffix(f"/{INIT}").removesuffix(".py")) for file in self.layout.files
        )
        used = {file for file, name in names if name.rpartition("/")[2] in self.used}
        loaded = self.loaded | used
        return loaded | self._imported_by([*loaded, *(file for file, _ in self.tests)])

    @cached_property
    def outlived(self) -> frozenset[str]:
        """The files that others may start as programs, and all that they import: what starts them may go on
        where they fail."""
        return self.started | self._imported_by(self.started)

    @cached_property
    def programs(self) -> frozenset[str]:
        """The files that nothing imports or loads: scripts and notebooks, each a process of its own."""
        scans = self.layout.scans.items()
        used = {other for file, scan in scans for other in imported(self.layout, file, scan)}
        return self.layout.files - used - self.run_unseen

    @cached_property
    def _run_by(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for program in self.programs:
            for file in _imported_by(self.layout, [program]):
                found.setdefault(file, set()).add(program)
        return found

    def run_by(self, file: str) -> frozenset[str]:
        """The programs in which a file runs, itself or those that import it; none where others may run
        it that are not known: what imports it may be part of a package that is for others."""
        if file in self.programs:
            return frozenset((file,))
        programs = self._run_by.get(file, set()) if file not in self.run_unseen else set()
        packages = {join(dirname(program), INIT) for program in programs} & self.layout.files
        return frozenset(programs) if not packages else frozenset()

    def _imported_by(self, files: Iterable[str]) -> frozenset[str]:
        """What some files import, directly or by way of others."""
        scans = {**self.layout.scans, **dict(self.tests)}
        return frozenset(_imported_by(Layout(scans, scans), files) & self.layout.files)

    @classmethod
    def of(
        cls,
        root: Path,
        files: Iterable[Path],
        memory: Memory | None = None,
        is_test: Callable[[Path], bool] = lambda path: False,
        contents: Contents | None = None,
    ) -> Project:
        """The project of these Python files below `root`, but for tests.

        What can't be read has no imports.
        """
        known = memory.recall(root) if memory is not None else Known()
        contents = contents or Contents()
        rows = dict(_rows(root, files, known, contents))
        scans = {file: scan for file, (path, _, scan) in rows.items() if not is_test(path)}
        layout = Layout(scans, scans)
        tests = _tests((file, found) for file, (_, _, found) in rows.items() if file not in scans)
        by_file = _recalled(known, scans)
        if by_file is not None and known.tests == tests:
            loaded, started = known.loaded, known.started
        else:
            by_file = by_file if by_file is not None else clusters(layout, scans)
            found = layout.loaded(dict(tests), _moved(layout, dict(tests)))
            loaded = frozenset({*found, *_cut_off(layout, by_file)})
            started = frozenset(layout.started(dict(tests)))
        digests = {file: rows[file][1] for file in scans}
        kept = tuple((file, name, scan) for file, (_, name, scan) in rows.items())
        own = frozenset(scans)
        if memory is not None and (known.files, known.own) != (kept, own):
            memory.keep(root, Known(kept, _members(by_file), own, loaded, started))
        assigned = frozenset(name for scanned in scans.values() for name in scanned.assigned)
        return cls(root, layout, by_file, digests, assigned, tests, loaded, started)


def _imported_by(layout: Layout, files: Iterable[str]) -> set[str]:
    """What some files import, directly or by way of others."""
    found: set[str] = set()
    pending = [*files]
    while pending:
        file = pending.pop()
        new = imported(layout, file, layout.scans[file]) - found
        found |= new
        pending += new
    return found


def _moved(layout: Layout, tests: Mapping[str, Scan]) -> set[str]:
    """The files that import after a file changed the path: it itself, who imports it, and what these import."""
    movers = {file for file, scan in layout.scans.items() if PATH in scan.reached}
    if movers:
        scans = layout.scans.items()
        movers |= {file for file, scan in scans if movers & imported(layout, file, scan)}
        movers |= _imported_by(layout, movers)
    is_moved = any(PATH in scan.reached for scan in tests.values())
    return {*movers, *tests} if is_moved else movers


def _tests(files: Iterable[tuple[str, Scan]]) -> Tests:
    return tuple((file, _by_names(scan)) for file, scan in sorted(files, key=itemgetter(0)))


def _by_names(scan: Scan) -> Scan:
    """What a test runs by its name: that one may run anything says nothing of each file."""
    reached, started = scan.reached - {ANY}, scan.started - {ANY}
    return Scan(scan.imports, False, 0, (), frozenset(), scan.searched, reached, started, scan.said)


def _cut_off(layout: Layout, by_file: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The files that one imports with which they are not analysed, as there is too much of both."""
    if sum(scan.size for scan in layout.scans.values()) > LARGEST_CLUSTER:
        for importer, scan in layout.scans.items():
            for file in imported(layout, importer, scan):
                if file in by_file and importer not in by_file[file]:
                    yield file


def _rows(
    root: Path, files: Iterable[Path], known: Known, contents: Contents
) -> Iterator[tuple[str, tuple[Path, str, Scan]]]:
    """Each file that can be read, with its path, the name of what it holds, and its scan."""
    before = {file: (name, scan) for file, name, scan in known.files}
    start = len(str(root / "x")) - 1
    for path in files:
        try:
            name = contents.digest(path)
        except OSError:
            continue
        file = str(path)[start:].replace(os.sep, "/")
        old_name, found = before.get(file, ("", None))
        if found is None or old_name != name:
            data = contents.data(path)
            lines = code_of(data) if path.suffix == NOTEBOOK else data
            found = replace(scan(lines, path.name == INIT), holds_tests=contents.holds_tests(path))
        contents.tests[str(path)] = found.holds_tests
        yield file, (path, name, found)


def _recalled(known: Known, scans: Mapping[str, Scan]) -> dict[str, tuple[str, ...]] | None:
    """The clusters as they were, where the files still import the same and are not to be cut anew."""
    before = {file: scan for file, _, scan in known.files if file in known.own}
    sizes = sum(s.size for s in scans.values()), sum(s.size for s in before.values())
    is_small = max(sizes) <= LARGEST_CLUSTER
    if before.keys() != scans.keys():
        return None
    for file, new in scans.items():
        old = before[file]
        is_same = replace(old, size=0, assigned=()) == replace(new, size=0, assigned=())
        if not is_same or not (is_small or old.size == new.size):
            return None
    by_file = {file: files for files, members in known.clusters for file in members}
    named = {file for files, members in known.clusters for file in (*files, *members)}
    return by_file if named <= scans.keys() else None


def _members(
    by_file: Mapping[str, tuple[str, ...]],
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    members: dict[tuple[str, ...], list[str]] = {}
    for file, files in by_file.items():
        members.setdefault(files, []).append(file)
    return tuple((files, tuple(those)) for files, those in members.items())


class Projects:
    """The projects of one run."""

    def __init__(self, projects: Iterable[Project] = ()) -> None:
        self._projects = sorted(projects, key=lambda p: len(p.root.parts), reverse=True)

    def at(self, root: Path) -> Project | None:
        """The project with this root."""
        return next((project for project in self._projects if project.root == root), None)

    def find(self, path: Path) -> tuple[Project, str] | None:
        """The project with the nearest root that knows the file `path`, and the file's name there."""
        for project in self._projects:
            try:
                file = path.relative_to(project.root).as_posix()
            except ValueError:
                continue
            if file in project.layout.files:
                return project, file
        return None

    def cluster(self, path: Path) -> Cluster | None:
        """The cluster of a file; None where it is analysed by itself."""
        found = self.find(path)
        if found is None:
            return None
        project, file = found
        files = project.by_file.get(file)
        return Cluster(project.root, files) if files is not None else None
