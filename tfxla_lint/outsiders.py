"""Python files that belong to no project at hand and may use it all the same.

Those are scripts without an ending, files that git ignores, and other projects of the repository, above
it and below. They are not linted; what they may do with a project's modules is not known.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Collection, Iterator
from pathlib import Path

from tfxla_lint.digests import digest
from tfxla_lint.discovery import ignores_above, list_folder
from tfxla_lint.project.scan import NOTEBOOK, code_of, scan
from tfxla_lint.settings.folders import Folders
from tfxla_lint.settings.model import DEFAULT_EXCLUDE

#: So many folders and files are looked at; of a larger repository nothing is known.
_MOST = 2_000
#: So many files without an ending lie beside no program, and so many others beside no code.
_MANY, _DATA = 200, 1_000
_GIT = ".git"
_ENVIRONMENT = "pyvenv.cfg"
_EXCLUDED = frozenset(DEFAULT_EXCLUDE)
#: How a script begins that has no ending.
_SHEBANG = re.compile(rb"#!.*python")
_LONGEST = 80


def modules_used_beside(
    root: Path, files: Collection[Path], folders: Folders
) -> frozenset[str] | None:
    """The parts of the names of modules that outsiders of the project at `root`, with these files,
    import; None where there is too much to look at."""

    def find() -> tuple[str, ...] | None:
        found: set[str] = set()
        for path in _outsiders(root, frozenset(files), folders):
            if path is None:
                return None
            try:
                data = folders.data(path)
            except OSError:
                continue
            lines = code_of(data) if path.suffix == NOTEBOOK else data
            found.update(part for name in scan(lines).imports for part in name.split(".") if part)
        return tuple(sorted(found))

    own = digest("\0".join(sorted(map(str, files))).encode("utf-8", "surrogateescape"))
    names = folders.ask(f"outsiders {_MOST} {own}", root, tuple[str, ...] | None, find)
    return frozenset(names) if names is not None else None


def _outsiders(root: Path, files: frozenset[Path], folders: Folders) -> Iterator[Path | None]:
    """The files, of the repository that the project lies in; None where there are too many."""
    top = _top(root, folders)
    pending = deque([(top, ignores_above(top, folders))])
    left = _MOST
    while pending and left > 0:
        folder, above = pending.popleft()
        try:
            names = folders.listing(folder)
        except OSError:
            continue
        if _ENVIRONMENT in names.entries:
            continue
        listing, ignores = list_folder(folder, folders), above.within(folder)
        inner = [name for name, is_folder in listing.entries if is_folder]
        code = [folder / name for name, is_folder in listing.entries if not is_folder]
        if names.others >= _DATA and not code:
            continue
        left -= 1
        kept = (folder / name for name in inner if name not in _EXCLUDED)
        pending.extend((f, ignores) for f in kept if not ignores.ignores(f, is_folder=True))
        bare = [name for name, is_folder in names.entries.items() if not is_folder]
        bare = [name for name in bare if name.endswith(".pyw") or "." not in name]
        scripts = bare if len(bare) <= _MANY else []
        found = [path for path in code if path not in files and os.path.isfile(path)]
        found += [folder / name for name in scripts if _is_script(folder / name, folders)]
        left -= len(found)
        yield from found
    if left <= 0:
        yield None


def _top(root: Path, folders: Folders) -> Path:
    """The top of the repository that a project lies in, or of the one that has it as a part."""
    for folder in (root, *root.parents):
        if folder != Path.home() and os.path.isdir(folder / _GIT):
            folders.has(folder, (_GIT,))
            return folder
    return root


def _is_script(path: Path, folders: Folders) -> bool:
    """Whether a file that does not end as modules do is a program in Python all the same."""
    if path.suffix:
        return True
    try:
        if not os.path.isfile(path):
            return False
        folders.note(path)
        with open(path, "rb") as file:
            return _SHEBANG.match(file.read(_LONGEST)) is not None
    except OSError:
        return False
