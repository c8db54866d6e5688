"""Where the project of a folder begins, when no settings file says so.

The working folder has no say: a file means the same from wherever it is linted.
"""

from __future__ import annotations

import os
from functools import cache, partial
from pathlib import Path

from tfxla_lint.settings.folders import Folders, above
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


class Roots:
    """Finds the tops of projects, looking at each folder once."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._marked: tuple[dict[Path, Path | None], ...] = ({}, {})

    def of(self, folder: Path) -> Path:
        """The top of the project that `folder`, an absolute path, belongs to.

        That is the nearest folder with a marker such as `.git`, else with a list of requirements;
        else the farthest one that is tied to `folder` by packages, Python files or what lies beside
        code. A folder of unknown use may lie between.
        """
        for known, markers in zip(self._marked, (TOP, _REQUIREMENTS), strict=True):
            root = above(folder, known, partial(self._marked_by, markers))
            if root is not None:
                return root
        return self._climb(folder)

    def _marked_by(self, markers: tuple[str, ...], folder: Path) -> Path | None:
        is_top = folder not in _no_projects() and self._folders.has(folder, markers)
        return folder if is_top else None

    def _climb(self, folder: Path) -> Path:
        root = folder
        for parent in folder.parents:
            if parent in _no_projects():
                break
            gap = len(root.parts) - len(parent.parts)
            if self._is_of_project(parent) or (gap == 1 and self._is_inside(root)):
                root = parent
            elif gap > 1:
                break
        return root

    def _is_inside(self, folder: Path) -> bool:
        """Whether a folder is a package, or one that is never a project by itself."""
        name = folder.name
        is_inner = name.lower() in _INNER or name in DEFAULT_EXCLUDE
        return is_inner or self._folders.has(folder, ("__init__.py",))

    def _is_of_project(self, folder: Path) -> bool:
        try:
            entries = self._folders.listing(folder).entries
        except OSError:
            return False
        return any(
            not is_folder and name.lower().endswith(_SIGNS) for name, is_folder in entries.items()
        )


@cache
def _no_projects() -> frozenset[Path]:
    """Folders that everything lies in: the top, the home folders, the one for passing things."""
    home = Path(os.path.expanduser("~"))
    passing = [os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
    found = [home, home.parent, Path("/"), Path("/tmp"), *(Path(p) for p in passing if p)]
    return frozenset(found)
