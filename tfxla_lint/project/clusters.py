"""Clusters: the files of a project that have to be analysed together.

Files that import each other see each other's calls. What has nothing to do with TensorFlow and is
imported by nothing but such files stays out, and so do files of which none has more than words for it. A cluster depends on the project alone, never on
which of its files are linted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from posixpath import dirname

from tfxla_lint.project.layout import INIT, Layout
from tfxla_lint.project.scan import Scan

#: The most bytes of code in a cluster; a larger one is cut along the project's folders.
LARGEST_CLUSTER = 1_000_000

_Edges = Mapping[str, set[str]]


def clusters(layout: Layout, scans: Mapping[str, Scan]) -> dict[str, tuple[str, ...]]:
    """The cluster of each file, its files in order.

    A file that nothing ties to another one has no entry.
    """
    imports = {file: imported(layout, file, scan) for file, scan in scans.items()}
    core = _core(imports, scans)
    linked: dict[str, set[str]] = defaultdict(set)
    for file in core:
        for other in imports[file] & core:
            linked[file].add(other)
            linked[other].add(file)
    found: dict[str, tuple[str, ...]] = {}
    for component in _components(core, linked):
        for part in _cut(component, linked, scans):
            helpers = set().union(*(imports[file] for file in part)) - core
            files = tuple(sorted((*part, *helpers)))
            if len(files) > 1 and any(scans[file].uses for file in files):
                found.update((file, files) for file in part)
    return found


def imported(layout: Layout, file: str, scan: Scan) -> set[str]:
    """The files of the project that an import statement of `file` names."""
    found: set[str] = set()
    for name in scan.imports:
        place = layout.find(name, file)
        if place is not None and place.file is not None and place.file != file:
            found.add(place.file)
    return found & layout.files


def _core(imports: _Edges, scans: Mapping[str, Scan]) -> set[str]:
    """The files that name TensorFlow, and all that import such files, through any chain."""
    importers: dict[str, set[str]] = defaultdict(set)
    for file, others in imports.items():
        for other in others:
            importers[other].add(file)
    core = {file for file, scan in scans.items() if scan.mentions}
    pending = list(core)
    while pending:
        for importer in importers[pending.pop()]:
            if importer not in core:
                core.add(importer)
                pending.append(importer)
    return core


def _components(files: Iterable[str], linked: _Edges) -> list[list[str]]:
    left = set(files)
    found: list[list[str]] = []
    for file in sorted(left):
        if file not in left:
            continue
        left.discard(file)
        component, pending = [file], [file]
        while pending:
            for other in linked.get(pending.pop(), ()):
                if other in left:
                    left.discard(other)
                    component.append(other)
                    pending.append(other)
        found.append(sorted(component))
    return found


def _cut(component: list[str], linked: _Edges, scans: Mapping[str, Scan]) -> list[list[str]]:
    """The component in parts that are small enough, cut along folders, then between files."""
    if sum(scans[file].size for file in component) <= LARGEST_CLUSTER:
        return [component]
    parts: list[list[str]] = []
    for group in _by_folder(component):
        if len(group) == len(component):
            return _in_order(component, scans)
        inside = set(group)
        within = {file: linked.get(file, set()) & inside for file in group}
        for smaller in _components(group, within):
            parts.extend(_cut(smaller, within, scans))
    return parts


def _by_folder(files: list[str]) -> list[list[str]]:
    """The files by the first folder in which their paths differ."""
    shared = _shared_folder(files)
    start = len(shared) + 1 if shared else 0
    groups: dict[str, list[str]] = defaultdict(list)
    for file in files:
        head, slash, _ = file[start:].partition("/")
        groups[head if slash else ""].append(file)
    return list(groups.values())


def _shared_folder(files: list[str]) -> str:
    folders = [dirname(file).split("/") for file in files]
    shared: list[str] = []
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "/".join(shared)


def _in_order(files: list[str], scans: Mapping[str, Scan]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    size = 0
    for file in sorted(files, key=lambda f: (not f.endswith(INIT), f)):
        if parts[-1] and size + scans[file].size > LARGEST_CLUSTER:
            parts.append([])
            size = 0
        parts[-1].append(file)
        size += scans[file].size
    return [sorted(part) for part in parts]
