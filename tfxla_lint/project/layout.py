"""Where the modules of a project lie: dotted names of imports to files and folders."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from posixpath import basename, dirname, join, normpath

from tfxla_lint.project.scan import ANY, NOTEBOOK, Scan

INIT = "__init__.py"
#: Folders that often hold a project's packages without being one.
_SOURCE_FOLDERS = ("src", "lib", "python")
#: Names that mean an installed library even where a file of the project has the same name.
_LIBRARIES = frozenset(
    {"tensorflow", "keras", "tf_keras", "numpy", "tensorflow_probability", "tensorflow_datasets"}
)


@dataclass(frozen=True, slots=True)
class Place:
    """What a dotted name of the project stands for.

    `file` is the module's file, or the `__init__.py` of a package; `folder` the package's folder.
    Either can be missing: a module has no folder, a namespace package no file.
    """

    file: str | None
    folder: str | None


class Layout:
    """The Python files of one project, as paths relative to its root with forward slashes."""

    def __init__(self, files: Iterable[str], scans: Mapping[str, Scan] | None = None) -> None:
        self.files = frozenset(files)
        #: What is known of the files' bytes, where it is.
        self.scans = scans or {}
        self._found: dict[tuple[str, str], Place | None] = {}
        self._members: dict[str, dict[str, set[str]]] = {}

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders that hold Python files, at any depth; the root is the empty string."""
        found: set[str] = set()
        for file in self.files:
            folder = dirname(file)
            while folder not in found:
                found.add(folder)
                folder = dirname(folder)
        return frozenset(found)

    def find(self, name: str, importer: str) -> Place | None:
        """What an import of `name` (with leading dots where relative) in `importer` means.

        None where it means nothing of this project. An absolute name is looked for where Python
        would find it when the importer is part of a package or a script, then in the folders
        above, then in `src`, then below the root where that is itself the package of this name, then
        in the folders that the importer adds to `sys.path`; at last it is the only file of this name
        that binds all that the importer takes from it. A module that imports its own name means an
        installed library.
        """
        key = (dirname(importer), name)
        if key not in self._found:
            self._found[key] = self._search(name, importer)
        found = self._found[key]
        if found is None:
            found = self._elsewhere(name, importer)
        return None if found is not None and found.file == importer and name[:1] != "." else found

    def loaded(self, tests: Mapping[str, Scan], moved: Collection[str]) -> Iterator[str]:
        """The files that others may load though no import tells that it is these; tests load what they name,
        those of `moved` search modules along a path that has been changed."""
        for folder in {dirname(path) for path in self._in_place_of_libraries()}:
            yield from (file for file in self.files if file.startswith(_join(folder, "")))
        named: dict[str, dict[str, list[str]]] = {}
        for file in self.files:
            parts = file.removesuffix(".py").split("/")
            for index, part in enumerate(parts, 1):
                named.setdefault(part, {}).setdefault("/".join(parts[:index]), []).append(file)
        for importer, scan in (*self.scans.items(), *tests.items()):
            if ANY in scan.reached:
                yield from self.files - {importer}
            tops = {name.partition(".")[0] for name in scan.imports}
            for name in (scan.reached | tops) & named.keys():
                paths = set(named[name])
                is_reached = (
                    name in scan.reached or importer in moved or self._is_twice(name, importer)
                )
                if self._may_be_another(name, importer, name in tops, is_reached, paths):
                    files = (file for files in named[name].values() for file in files)
                    yield from (file for file in files if file != importer)
                    if is_reached and name in tops and importer in self.scans:
                        # What its own code runs there is not known, either.
                        yield importer
            said = (found for name in scan.said for found in self._said(name))
            yield from (found for found in said if found != importer)

    def _is_twice(self, name: str, importer: str) -> bool:
        """Whether it depends on where a program is started which module of a name an import leads to."""
        found = (self._descend(base, [name]) for base in self._bases(importer))
        return len({place for place in found if place is not None}) > 1

    def _said(self, name: str) -> Iterator[str]:
        """The files that a dotted text may mean: modules, or those that hold what it ends with."""
        parts = name.lstrip(".").replace(":", ".").split(".")
        for index, part in enumerate(parts):
            for file in self._by_part.get(part, ()):
                *before, _ = _module_path(file).split("/")
                length = min(index, len(before))
                if before[len(before) - length :] == parts[index - length : index]:
                    rest = parts[index + 1 :]
                    if not rest or rest[0] in self.scans[file].defined:
                        yield file

    def _in_place_of_libraries(self) -> Iterator[str]:
        """The paths, without a suffix, of modules and packages that have the name of a library."""
        for file in self.files:
            path = file.removesuffix(f"/{INIT}").removesuffix(".py")
            if basename(path) in _LIBRARIES:
                yield path

    def started(self, tests: Mapping[str, Scan]) -> Iterator[str]:
        """The files that others may run as programs: they name them, or start Python with what they are given."""
        stems = self._by_name
        for starter, scan in (*self.scans.items(), *tests.items()):
            if ANY in scan.started:
                yield from self.files - {starter}
            for stem in scan.started & stems.keys():
                yield from (file for file in stems[stem] if file != starter)

    def _may_be_another(
        self, name: str, importer: str, is_import: bool, is_reached: bool, paths: set[str]
    ) -> bool:
        """Whether a name may mean other modules, of those at some paths, than what its import leads to."""
        found = self.find(name, importer) if is_import else None
        if found is None:
            is_own = any(importer.startswith((f"{path}/", f"{path}.")) for path in paths)
            # One of Python's own is another one where a program is started beside it.
            return is_reached or (name not in _LIBRARIES and not is_own)
        path = found.folder or (found.file or "").removesuffix(".py")
        is_open = found.file is None and not self._lead_to_files(name, importer)
        return (is_reached or is_open) and paths != {path}

    def _lead_to_files(self, name: str, importer: str) -> bool:
        """Whether the imports below a package without a file, which all folders of its name are, find one here."""
        imports = self.scans[importer].imports if importer in self.scans else ()
        for each in imports:
            parts = each.split(".")
            if parts[0] == name and not any(other.startswith(f"{each}.") for other in imports):
                starts = (
                    self.find(".".join(parts[:end]), importer) for end in range(2, len(parts) + 1)
                )
                if not any(start is not None and start.file is not None for start in starts):
                    return False
        return True

    def _elsewhere(self, name: str, importer: str) -> Place | None:
        """What a name means that only a changed search path leads to."""
        parts, scan = name.split("."), self.scans.get(importer)
        if scan is None or not parts[0] or not _may_be_own(parts[0]):
            return None
        for folder in scan.searched:
            for base in (normpath(join(dirname(importer), folder)), normpath(folder)):
                base = base if base != "." else ""
                found = self._descend(base, parts) if base in self.folders else None
                if found is not None:
                    return found
        members = self._taken(importer, scan).get(parts[0], set())
        files = self._by_name.get(parts[0], ())
        if not members or len(files) != 1 or parts[0] not in scan.imports:
            return None
        is_meant = members <= self.scans[files[0]].defined
        return self._descend(dirname(files[0]), parts) if is_meant else None

    def _taken(self, importer: str, scan: Scan) -> dict[str, set[str]]:
        """What a file takes from each module, by the first part of that one's name."""
        if importer not in self._members:
            found = self._members[importer] = {}
            for name in scan.imports:
                top, dot, _ = name.partition(".")
                if dot:
                    found.setdefault(top, set()).add(name.rpartition(".")[2])
        return self._members[importer]

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The files that hold modules, by the last part of their names."""
        found: dict[str, list[str]] = {}
        for file in self.scans:
            found.setdefault(basename(file).removesuffix(".py"), []).append(file)
        return found

    @cached_property
    def _by_part(self) -> dict[str, list[str]]:
        """The files of modules, and those of packages that run by their name, by the last part of that."""
        found: dict[str, list[str]] = {}
        for file in self.files:
            found.setdefault(basename(_module_path(file)), []).append(file)
        return found

    def child(self, place: Place, name: str) -> Place | None:
        """The module or package `name` inside of the package `place`."""
        return None if place.folder is None else self._at(_join(place.folder, name))

    def _search(self, name: str, importer: str) -> Place | None:
        bare = name.lstrip(".")
        level = len(name) - len(bare)
        parts = bare.split(".") if bare else []
        if level:
            folder: str | None = dirname(importer)
            for _ in range(level - 1):
                folder = dirname(folder) if folder else None
            return None if folder is None else self._descend(folder, parts)
        if not parts or parts[0] in _LIBRARIES:
            return None
        for base in self._bases(importer) if _may_be_own(parts[0]) else self._beside(importer):
            found = self._descend(base, parts)
            if found is not None:
                return found
        return self._descend("", parts[1:]) if parts[0] == self._called else None

    @cached_property
    def _called(self) -> str | None:
        """The name of the package that the root itself is: the one by which files import the rest.

        It is no name of a file below, and leads to a file whenever modules of it are imported.
        """
        if INIT not in self.files:
            return None
        imported = {name for scan in self.scans.values() for name in scan.imports}
        below: dict[str, list[bool]] = {}
        for name in imported:
            first, *parts = name.split(".")
            if len(parts) > 1 and _may_be_own(first) and not self._has(first):
                leads = self._descend("", parts[:1]) is not None
                below.setdefault(first, []).append(leads)
        found = [name for name, leads in below.items() if len(leads) > 1 and all(leads)]
        return found[0] if len(found) == 1 else None

    def _has(self, name: str) -> bool:
        """Whether something of this name lies at the root or in one of its source folders."""
        return any(self._at(_join(base, name)) for base in ("", *_SOURCE_FOLDERS))

    def _beside(self, importer: str) -> list[str]:
        """The folder of a script, where Python looks before it looks in its own library."""
        here = dirname(importer)
        return [] if _join(here, INIT) in self.files else [here]

    def _bases(self, importer: str) -> list[str]:
        here = dirname(importer)
        above = [here]
        while above[-1]:
            above.append(dirname(above[-1]))
        package = here
        while _join(package, INIT) in self.files and package:
            package = dirname(package)
        ordered = [package, *above, *(s for s in _SOURCE_FOLDERS if s in self.folders)]
        return list(dict.fromkeys(ordered))

    def _descend(self, folder: str, parts: list[str]) -> Place | None:
        place = self._package(folder)
        for part in parts:
            below = self.child(place, part)
            if below is None:
                return None
            place = below
        return place

    def _at(self, path: str) -> Place | None:
        # A notebook is no module, but another one takes its names by `%run`.
        file = next((path + end for end in (".py", NOTEBOOK) if path + end in self.files), None)
        # A module goes before a folder that holds no `__init__.py`.
        if path in self.folders and (file is None or _join(path, INIT) in self.files):
            return self._package(path)
        return Place(file, None) if file is not None else None

    def _package(self, folder: str) -> Place:
        init = _join(folder, INIT)
        return Place(init if init in self.files else None, folder)


def _may_be_own(name: str) -> bool:
    """Whether a module of this name may lie anywhere in the project."""
    return name not in _LIBRARIES and name not in sys.stdlib_module_names


def _module_path(file: str) -> str:
    """The path that a module is named by: that of its file, or of the package that it is or runs as."""
    return file.removesuffix(".py").removesuffix("/__init__").removesuffix("/__main__")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
