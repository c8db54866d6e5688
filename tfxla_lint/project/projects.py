"""The projects whose files are linted: their layout, and the cluster of each file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tfxla_lint.project.clusters import clusters
from tfxla_lint.project.layout import Layout
from tfxla_lint.project.scan import scan


@dataclass(frozen=True, slots=True)
class Cluster:
    """Files of one project that are analysed together, as paths relative to its root."""

    root: Path
    files: tuple[str, ...]


@dataclass(frozen=True)
class Project:
    """One project: the folder that its paths are relative to, and who belongs to whom."""

    root: Path
    layout: Layout
    by_file: dict[str, tuple[str, ...]]
    #: The full names of TensorFlow that a file gives a value.
    assigned: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, root: Path, files: Iterable[Path], read: Callable[[Path], bytes] = Path.read_bytes
    ) -> Project:
        """The project of these files below `root`, whose Python `read` gives; what can't be read
        has no imports."""
        scans = {}
        for path in files:
            try:
                scans[path.relative_to(root).as_posix()] = scan(read(path))
            except (OSError, ValueError):
                continue
        layout = Layout(scans, scans)
        assigned = frozenset(name for scanned in scans.values() for name in scanned.assigned)
        return cls(root, layout, clusters(layout, scans), assigned)


class Projects:
    """The projects of one run."""

    def __init__(self, projects: Iterable[Project] = ()) -> None:
        self._projects = sorted(projects, key=lambda p: len(p.root.parts), reverse=True)

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
