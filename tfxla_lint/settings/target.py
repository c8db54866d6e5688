"""The TensorFlow version that a project's own files ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tfxla_lint.settings.globs import relative_to
from tfxla_lint.settings.pins import files_of, pins, text_of
from tfxla_lint.settings.specifiers import FIRST

_TF_KERAS = re.compile(r"""^[^#\n]*?(?<![\w-])tf[-_]keras(?![\w-])""", re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """A TensorFlow version, None where nothing says which, and where it was found."""

    version: str | None
    origin: str

    def __str__(self) -> str:
        if self.version is None:
            return f"the newest known TensorFlow ({self.origin})"
        return f"TensorFlow {self.version} ({self.origin})"


def find_target(root: Path) -> Target:
    """The lowest TensorFlow 2 that the project's files allow, else the lowest TensorFlow 1.

    One of TensorFlow 1 counts only where no file allows TensorFlow 2.
    """
    found = [
        (version, f"{relative_to(path, root) or path}:{line}" if line else path.name)
        for path, (line, version) in pins(root)
    ]
    if not found:
        return Target(None, "no requirement or lock file says which")
    modern = [pin for pin in found if pin[0] >= FIRST]
    (major, minor), place = min(modern or found)
    return Target(f"{major}.{minor}", place)


def requires_tf_keras(root: Path) -> bool:
    """Whether the project's requirements name the Keras 2 that is a package of its own."""
    return any(
        _TF_KERAS.search(text_of(path)) for path in files_of(root) if "lock" not in path.name
    )
