"""Where the project of a folder begins, when no settings file says so.

The working folder has no say: a file means the same from wherever it is linted.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import cache
from pathlib import Path

from tfxla_lint.settings.model import DEFAULT_EXCLUDE

#: What lies at the top of a project.
TOP = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg")
#: What lies at the top of a project that has none of these.
_REQUIREMENTS = ("requirements.txt", "environment.yml", "environment.yaml", "Pipfile")
MARKERS = frozenset({*TOP, *_REQUIREMENTS})
#: What tells a folder of a project from one that only holds projects.
_SIGNS = (".py", "readme", "readme.md", "readme.rst", "license", "makefile", "dockerfile")
#: Folders that lie in a project, whatever lies beside them.
_INNER = frozenset({"src", "lib", "python", "tests", "test", "scripts", "examples"})


def project_root(folder: Path) -> Path:
    """The top of the project that `folder`, an absolute path, belongs to.

    That is the nearest folder with a marker such as `.git`, else with a list of requirements; else
    the farthest one that is tied to `folder` by packages, Python files or what lies beside code. A
    folder of unknown use may lie between.
    """
    for markers in (TOP, _REQUIREMENTS):
        for candidate in (folder, *folder.parents):
            if candidate not in _no_projects() and _has(candidate, markers):
                return candidate
    return _climb(folder)


def _has(folder: Path, names: Collection[str]) -> bool:
    return any(os.path.exists(os.path.join(folder, name)) for name in names)


def _climb(folder: Path) -> Path:
    root = folder
    for above in folder.parents:
        if above in _no_projects():
            break
        gap = len(root.parts) - len(above.parts)
        if _is_of_project(above) or (gap == 1 and _is_inside(root)):
            root = above
        elif gap > 1:
            break
    return root


def _is_inside(folder: Path) -> bool:
    """Whether a folder is a package, or one that is never a project by itself."""
    name = folder.name
    return (
        name.lower() in _INNER or name in DEFAULT_EXCLUDE or os.path.isfile(folder / "__init__.py")
    )


def _is_of_project(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(_is_sign(entry) for entry in entries)
    except OSError:
        return False


def _is_sign(entry: os.DirEntry[str]) -> bool:
    return entry.name.lower().endswith(_SIGNS) and not entry.is_dir()


@cache
def _no_projects() -> frozenset[Path]:
    """Folders that everything lies in: the top, the home folders, the one for passing things."""
    home = Path(os.path.expanduser("~"))
    passing = [os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
    found = [home, home.parent, Path("/"), Path("/tmp"), *(Path(p) for p in passing if p)]
    return frozenset(found)
