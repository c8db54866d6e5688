"""What is verified: two versions of a file, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.verify.trees import Tree

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """How to verify.

    `command` is a program of the user's that runs the code (`--run`), in `folder`; `correcting`
    says that the original is known to be wrong, so that its eager run counts. `measure_xla` times
    a version compiled by XLA too, and with `advises_xla` it is said where that is faster; without
    `measure` nothing is timed. With `power` wrong versions of the rewritten code are run, to see
    whether the comparison notices them.
    """

    limits: Limits = field(default_factory=Limits)
    command: tuple[str, ...] = ()
    folder: str = ""
    correcting: bool = False
    measure_xla: bool = False
    advises_xla: bool = True
    measure: bool = True
    power: bool = False
    search: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair:
    """Two versions of one file, and those of other files that changed with it, by path.

    Of a notebook `cells` has the lines of the original on which the cells begin, and their numbers.
    """

    path: Path
    shown: str
    original: str
    rewritten: str
    overlays: tuple[Mapping[str, str], Mapping[str, str]] = field(default=({}, {}))
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def is_part(self) -> bool:
        """Whether other files changed with it."""
        own = {str(self.path): ""}
        return {**self.overlays[0], **own} != {**self.overlays[1], **own}

    def others(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Those of `pairs` that changed with it."""
        before, after = self.overlays
        paths = [(pair, str(pair.path)) for pair in pairs if pair.path != self.path]
        return [p for p, path in paths if path in after and before.get(path) != after[path]]


@dataclass(frozen=True)
class Version:
    """What the original is run against: its tree, and the texts of other files."""

    tree: Tree
    overlay: Mapping[str, str]


def package_of(path: Path) -> tuple[str, str]:
    """The package that a file belongs to ("" if none), and the folder that the package lies in."""
    folder = path.parent
    names: list[str] = []
    while (folder / "__init__.py").exists() and folder.name.isidentifier():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names), str(folder)
