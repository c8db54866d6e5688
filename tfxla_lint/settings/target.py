"""The TensorFlow version that a project's own files ask for."""

from __future__ import annotations

import re
from pathlib import Path

from tfxla_lint.settings.folders import Folders
from tfxla_lint.settings.globs import relative_to
from tfxla_lint.settings.model import Target
from tfxla_lint.settings.pins import files_of, pins, text_of
from tfxla_lint.settings.specifiers import FIRST

_TF_KERAS = re.compile(r"""^[^#\n]*?(?<![\w-])tf[-_]keras(?![\w-])""", re.MULTILINE)


def find_target(root: Path, folders: Folders | None = None) -> Target:
    """The lowest TensorFlow 2 that the project's files allow, else the lowest TensorFlow 1.

    One of TensorFlow 1 counts only where no file allows TensorFlow 2. The target is open where a
    file takes any newer one and no package that is required has been given up before.
    """
    every = list(pins(root, folders or Folders()))
    is_last = any(asked.is_last for _, (_, asked) in every)
    own = [pin for pin in every if not pin[1][1].of_other]
    every = own if any(asked.lowest is not None for _, (_, asked) in own) else every
    found = [
        (asked.lowest, f"{relative_to(path, root) or path}:{line}" if line else path.name)
        for path, (line, asked) in every
        if asked.lowest is not None
    ]
    if not found:
        return Target(None, "no requirement or lock file says which")
    modern = [pin for pin in found if pin[0] >= FIRST]
    (major, minor), place = min(modern or found)
    asked = [asked for _, (_, asked) in every]
    is_open = bool(modern) and any(a.is_open for a in asked) and not is_last
    return Target(f"{major}.{minor}", place, is_open)


def requires_tf_keras(root: Path, folders: Folders | None = None) -> bool:
    """Whether the project's requirements name the Keras 2 that is a package of its own."""
    folders = folders or Folders()
    return any(
        _TF_KERAS.search(text_of(path, folders))
        for path in files_of(root, folders)
        if "lock" not in path.name
    )
