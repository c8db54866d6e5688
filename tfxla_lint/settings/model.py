"""The settings that hold for a file: all layers put together, the last one first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tfxla_lint.findings import Level
from tfxla_lint.settings.folders import Folders
from tfxla_lint.settings.globs import Globs
from tfxla_lint.settings.layer import VERSION, Layer
from tfxla_lint.settings.taught import NOTHING_TAUGHT, Taught
from tfxla_lint.tests_held import holds_tests

#: Folders that hold no code of the project. Few: a folder left out by surprise costs more.
DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "node_modules",
    "site-packages",
    "venv",
)


@dataclass(frozen=True)
class Target:
    """A TensorFlow version, None where nothing says which, and where it was found.

    `is_open` says that any newer one does as well.
    """

    version: str | None
    origin: str
    is_open: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no version."""
        if self.version is not None and VERSION.fullmatch(self.version) is None:
            raise ValueError(f"{self.version!r} is no version")

    def __str__(self) -> str:
        if self.version is None:
            return f"the newest known TensorFlow ({self.origin})"
        newer = " and newer" if self.is_open else ""
        return f"TensorFlow {self.version}{newer} ({self.origin})"


@dataclass(frozen=True, eq=False)
class Settings:
    """What holds for the files of one folder.

    `root` is the folder of the settings file, or the project's. `layers` are ordered from the
    weakest to the strongest; the command line is the last.
    """

    root: Path
    layers: tuple[Layer, ...]
    folders: Folders = field(default_factory=Folders)

    @cached_property
    def file(self) -> Layer | None:
        """The layer of the settings file that is in force, if there is one."""
        return next((layer for layer in reversed(self.layers) if layer.is_file), None)

    def _value(self, attribute: str, default: Any) -> Any:
        layer = self.layer_of(attribute)
        return default if layer is None else getattr(layer, attribute)

    def layer_of(self, attribute: str) -> Layer | None:
        """The strongest layer that sets a value."""
        found = (la for la in reversed(self.layers) if getattr(la, attribute) is not None)
        return next(found, None)

    @property
    def force_exclude(self) -> bool:
        """Whether files that are named outright can be excluded."""
        return bool(self._value("force_exclude", False))

    @property
    def respect_gitignore(self) -> bool:
        """Whether ignored files are left out when folders are walked."""
        return bool(self._value("respect_gitignore", True))

    @property
    def unsafe_fixes(self) -> bool:
        """Whether unsafe fixes are applied and counted as fixable."""
        return bool(self._value("unsafe_fixes", False))

    @property
    def verify(self) -> bool:
        """Whether `--fix` runs each fix against the original, which runs the code."""
        return bool(self._value("verify", False))

    @property
    def profile(self) -> Path | None:
        """The profile of a recorded run that the findings rest on."""
        layer = self.layer_of("profile")
        return None if layer is None else layer.base / str(layer.profile)

    @property
    def output_format(self) -> str:
        """The name of the report format."""
        return str(self._value("output_format", "full"))

    @property
    def baseline(self) -> Path | None:
        """The file that names the findings which the project has come to live with."""
        layer = self.layer_of("baseline")
        return None if layer is None else layer.base / os.path.expanduser(str(layer.baseline))

    @property
    def fail_on(self) -> Level:
        """The mildest level of findings that make a run fail."""
        return Level(self._value("fail_on", Level.WARNING))

    @property
    def include_tests(self) -> bool:
        """Whether the families that are silent in test files speak there too."""
        return bool(self._value("include_tests", False))

    @property
    def include_notebooks(self) -> bool:
        """Whether notebooks are linted like other files."""
        return bool(self._value("include_notebooks", True))

    @property
    def clear_outputs(self) -> bool:
        """Whether the cells of a notebook that fixes change lose their outputs."""
        return bool(self._value("clear_outputs", False))

    @property
    def models(self) -> Taught:
        """What the project teaches of its own names."""
        taught: Taught = self._value("models", NOTHING_TAUGHT)
        return taught

    @property
    def cache_dir(self) -> Path | None:
        """The folder of the cache, where one is chosen; raises SettingsError if none can be there."""
        layer = self.layer_of("cache_dir")
        if layer is None:
            return None
        text = str(layer.cache_dir)
        if not text.strip() or "\0" in text:
            raise layer.error(f"'cache-dir' names no folder: {text!r}", "cache-dir")
        folder = layer.base / os.path.expanduser(text)
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise layer.error(f"'cache-dir' is no folder: {text}", "cache-dir")
        return folder

    @cached_property
    def exclude(self) -> tuple[Globs, ...]:
        """What is left out: `exclude` (or its default), and every layer's `extend-exclude`."""
        layer = self.layer_of("exclude")
        base = Globs(self.root, DEFAULT_EXCLUDE)
        if layer is not None and layer.exclude is not None:
            base = Globs(layer.base, layer.exclude)
        more = (Globs(la.base, la.extend_exclude) for la in self.layers if la.extend_exclude)
        return (base, *more)

    @cached_property
    def test_files(self) -> Globs | None:
        """The patterns of test files, where the settings give some."""
        layer = self.layer_of("test_files")
        if layer is None or layer.test_files is None:
            return None
        return Globs(layer.base, layer.test_files)

    @cached_property
    def per_file_ignores(self) -> Sequence[tuple[Globs, tuple[str, ...]]]:
        """Globs and the rules that are silent in the files that they match.

        A glob that begins with `!` stands for the files that it does not match.
        """
        layer = self.layer_of("per_file_ignores")
        rows = (layer.per_file_ignores or ()) if layer is not None else ()
        base = layer.base if layer is not None else self.root
        return [(Globs(base, (pattern,)), rules) for pattern, rules in rows]

    def ignored_in(self, path: Path) -> tuple[str, ...]:
        """The selectors that `per-file-ignores` silences in the file `path`."""
        found: list[str] = []
        for globs, rules in self.per_file_ignores:
            pattern = globs.patterns[0]
            if pattern.startswith("!"):
                hit = not Globs(globs.base, (pattern[1:],)).matches(path)
            else:
                hit = globs.matches(path)
            if hit:
                found.extend(rules)
        return tuple(found)

    def is_test(self, path: Path, data: bytes | None = None) -> bool:
        """Whether `path` is a test file, in which the families 1, 2 and 6 are silent.

        The settings' patterns decide or, without them, what stands in it: `data`, where that is
        not what lies on the disk.
        """
        if self.include_tests:
            return False
        if self.test_files is not None:
            return self.test_files.matches(path)
        if data is not None:
            return holds_tests(path, data)
        return self.folders.contents.holds_tests(path)

    @cached_property
    def may_use_tf_keras(self) -> bool:
        """Whether the project requires `tf_keras`: an environment variable can choose it."""

        def find() -> bool:
            from tfxla_lint.settings.target import requires_tf_keras

            return requires_tf_keras(self.root, self.folders)

        return bool(self.folders.ask("tf_keras", self.root, bool, find))

    @cached_property
    def target(self) -> Target:
        """The TensorFlow version that the code has to work with, and how it is known."""
        layer = self.layer_of("tf_version")
        if layer is not None and layer.tf_version is not None:
            return Target(layer.tf_version, layer.place("tf-version"))

        def find() -> Target:
            from tfxla_lint.settings.target import find_target

            return find_target(self.root, self.folders)

        target: Target = self.folders.ask("target", self.root, Target, find)
        return target
