"""Finds the settings for a folder: the nearest settings file, what it extends, the command line."""

from __future__ import annotations

import os
from pathlib import Path

from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.folders import Folders, above
from tfxla_lint.settings.layer import Layer, layer_from_table
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.roots import Roots
from tfxla_lint.settings.shown import shown_path

OWN_FILE = "tfxla-lint.toml"
PYPROJECT = "pyproject.toml"
_TABLE = ("tool", "tfxla-lint")
#: So many settings files may extend one another.
_LONGEST_CHAIN = 30


class SettingsResolver:
    """Gives the settings of each folder, reading every settings file once.

    `command_line` is the strongest layer. With `config` that file holds everywhere; with
    `isolated` no file is read.
    """

    def __init__(
        self,
        command_line: Layer,
        config: Path | None = None,
        isolated: bool = False,
        folders: Folders | None = None,
    ) -> None:
        self.folders = folders if folders is not None else Folders()
        self.roots = Roots(self.folders)
        self._command_line = command_line
        self._isolated = isolated
        self._by_folder: dict[Path, Settings] = {}
        self._by_file: dict[Path, Settings] = {}
        self._by_root: dict[Path, Settings] = {}
        self._files: dict[Path, Path | None] = {}
        self._config = self._from_config(config) if config is not None else None

    def for_folder(self, folder: Path) -> Settings:
        """The settings for the files that lie directly in `folder`, an absolute path."""
        if self._config is not None:
            return self._config
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = self._search(folder)
        return found

    def _search(self, folder: Path) -> Settings:
        path = None if self._isolated else above(folder, self._files, self._file_in)
        if path is not None:
            return self._from_file(path)
        root = self.roots.of(folder)
        found = self._by_root.get(root)
        if found is None:
            found = self._by_root[root] = self._settings(root, ())
        return found

    def _file_in(self, folder: Path) -> Path | None:
        """The settings file of one folder; a `pyproject.toml` without our table is none."""
        own, pyproject = folder / OWN_FILE, folder / PYPROJECT
        if self.folders.has(folder, (OWN_FILE,)) and os.path.isfile(own):
            return own
        is_other = self.folders.has(folder, (PYPROJECT,)) and os.path.isfile(pyproject)
        return pyproject if is_other and self._has_table(pyproject) else None

    def _settings(self, root: Path, layers: tuple[Layer, ...]) -> Settings:
        return Settings(root, (*layers, self._command_line), self.folders)

    def _from_config(self, config: Path) -> Settings:
        path = absolute(config)
        if path.name == PYPROJECT and os.path.isfile(path) and not self._has_table(path):
            raise SettingsError("it has no table [tool.tfxla-lint]", shown_path(path))
        return self._from_file(path)

    def _from_file(self, path: Path) -> Settings:
        found = self._by_file.get(path)
        if found is None:
            found = self._by_file[path] = self._settings(path.parent, self._chain(path, ()))
        return found

    def _has_table(self, path: Path) -> bool:
        """Whether a `pyproject.toml` has our table; one that is broken and never names us has not."""
        try:
            if b"tfxla-lint" not in self.folders.data(path):
                return False
        except OSError:
            return False
        from tfxla_lint.settings.toml import read_toml

        data, _ = read_toml(path, shown_path(path))
        tool = data.get("tool")
        return isinstance(tool, dict) and "tfxla-lint" in tool

    def _chain(self, path: Path, below: tuple[Path, ...]) -> tuple[Layer, ...]:
        """The layers of a settings file and of the files that it extends, the weakest first."""
        self.folders.note(path)
        layer = _read_layer(path)
        if layer.extend is None:
            return (layer,)
        base = absolute(path.parent / os.path.expanduser(layer.extend))
        if len(below) == _LONGEST_CHAIN:
            message = (
                f"more than {_LONGEST_CHAIN} files extend each other, down to '{layer.extend}'"
            )
            raise layer.error(message, "extend")
        if base in (path, *below):
            raise layer.error(f"'extend' goes round in a circle through '{layer.extend}'", "extend")
        self.folders.note(base)
        if not os.path.isfile(base):
            raise layer.error(f"'extend' names no file: '{layer.extend}'", "extend")
        return (*self._chain(base, (path, *below)), layer)


def absolute(path: Path) -> Path:
    """`path` from the root, without `.` and `..`, symbolic links left as they are."""
    return Path(os.path.abspath(path))


def _read_layer(path: Path) -> Layer:
    from tfxla_lint.settings.toml import read_toml

    shown = shown_path(path)
    data, text = read_toml(path, shown)
    table = _TABLE if path.name == PYPROJECT else ()
    if table:
        tool = data.get("tool")
        data = tool.get("tfxla-lint", {}) if isinstance(tool, dict) else {}
    layer = Layer(path.parent, shown, text, table)
    if not isinstance(data, dict):
        raise SettingsError("[tool.tfxla-lint] must be a table", shown)
    return layer_from_table(layer, data)
