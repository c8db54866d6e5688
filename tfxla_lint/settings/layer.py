"""One source of settings, checked and typed: a file's table, or the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from tfxla_lint.findings import Level
from tfxla_lint.settings.errors import SettingsError, did_you_mean
from tfxla_lint.settings.globs import is_valid_pattern
from tfxla_lint.settings.taught import Taught, taught_of

OUTPUT_FORMATS = (
    "full",
    "concise",
    "json",
    "github",
    "gitlab",
    "sarif",
    "junit",
    "rdjson",
    "azure",
    "pylint",
    "markdown",
)
LEVELS = tuple(level.value for level in Level)
COMMAND_LINE = "command line"
VERSION = re.compile(r"\d+\.\d+(\.\d+)?")


@dataclass(frozen=True, eq=False, repr=False)
class Layer:
    """The settings that one source gives; None where it is silent.

    Globs are relative to `base`. `origin` names the source, `lines` the lines of its keys; `text`
    is that of a file.
    """

    base: Path
    origin: str = COMMAND_LINE
    text: str = field(default="", repr=False)
    table: tuple[str, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)
    extend: str | None = None
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fixable: tuple[str, ...] | None = None
    unfixable: tuple[str, ...] | None = None
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] | None = None
    force_exclude: bool | None = None
    respect_gitignore: bool | None = None
    test_files: tuple[str, ...] | None = None
    include_tests: bool | None = None
    include_notebooks: bool | None = None
    clear_outputs: bool | None = None
    tf_version: str | None = None
    unsafe_fixes: bool | None = None
    verify: bool | None = None
    output_format: str | None = None
    profile: str | None = None
    cache_dir: str | None = None
    models: Taught | None = None
    baseline: str | None = None
    fail_on: str | None = None

    @property
    def is_file(self) -> bool:
        """Whether this layer stands in a file."""
        return self.origin != COMMAND_LINE

    def place(self, key: str) -> str:
        """Where a key of this layer is set, for people: "pyproject.toml:12"."""
        line = self.lines.get(key, 0)
        return f"{self.origin}:{line}" if line else self.origin

    def error(self, message: str, key: str, item: str | None = None) -> SettingsError:
        """An error that points at `key`, or at the string `item` of its value."""
        if not self.is_file:
            return SettingsError(message)
        from tfxla_lint.settings.toml import locate

        line = locate(self.text, (*self.table, *key.split("\0")), item)
        return SettingsError(message, self.origin, line)


#: The fields that settings files have, by their names there.
ATTRIBUTES = {
    f.name.replace("_", "-"): f.name
    for f in fields(Layer)
    if f.name not in ("base", "origin", "text", "table", "lines")
}


def layer_from_table(layer: Layer, values: Mapping[str, Any]) -> Layer:
    """`layer` with the settings of a parsed table; raises SettingsError for the first wrong one."""
    from tfxla_lint.settings.toml import locate

    typed: dict[str, Any] = {}
    lines: dict[str, int] = {}
    for key, value in values.items():
        attribute = ATTRIBUTES.get(key)
        if attribute is None:
            shown = f"[{'.'.join(layer.table)}]" if layer.table else "this file"
            shown = shown if layer.is_file else "--config"
            hint = did_you_mean(key, ATTRIBUTES)
            raise layer.error(f"unknown setting '{key}' in {shown}; {hint}", key)
        typed[attribute] = _READERS.get(key, _strings)(layer, key, value)
        lines[key] = locate(layer.text, (*layer.table, key))
    return replace(layer, lines=lines, **typed)


def _wrong_type(layer: Layer, key: str, wanted: str, value: object) -> SettingsError:
    kind = {str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    kind |= {list: "a list", dict: "a table"}
    found = kind.get(type(value), type(value).__name__)
    return layer.error(f"'{key}' must be {wanted}, not {found}", key)


def _strings(layer: Layer, key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    hint = f' (write ["{value}"])' if isinstance(value, str) else ""
    raise _wrong_type(layer, key, f"a list of strings{hint}", value)


def _globs(layer: Layer, key: str, value: object) -> tuple[str, ...]:
    patterns = _strings(layer, key, value)
    for pattern in patterns:
        _check_glob(layer, key, pattern, pattern)
    return patterns


def _check_glob(layer: Layer, key: str, pattern: str, item: str) -> None:
    if not pattern.strip() or not is_valid_pattern(pattern):
        raise layer.error(f"'{item}' is no glob", key, item)


def _boolean(layer: Layer, key: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _wrong_type(layer, key, "true or false", value)


def _string(layer: Layer, key: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise _wrong_type(layer, key, "a string", value)


def _version(layer: Layer, key: str, value: object) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        raise layer.error(
            f"'{key}' must be a string: TOML reads the number 2.10 as 2.1 (quote it)", key
        )
    text = _string(layer, key, value)
    if VERSION.fullmatch(text):
        return text
    raise layer.error(f"'{key}' must be a version such as \"2.15\", not '{text}'", key)


def _one_of(what: str, words: tuple[str, ...]) -> Callable[[Layer, str, object], str]:
    """Reads one of some words; `what` they are called."""

    def read(layer: Layer, key: str, value: object) -> str:
        text = _string(layer, key, value)
        if text in words:
            return text
        raise layer.error(f"unknown {what} '{text}'; {did_you_mean(text, words)}", key)

    return read


def _ignores_table(
    layer: Layer, key: str, value: object
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise _wrong_type(layer, key, "a table of globs, each with a list of rules", value)
    rows: list[tuple[str, tuple[str, ...]]] = []
    for pattern, rules in value.items():
        _check_glob(layer, key, pattern.removeprefix("!"), pattern)
        if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
            message = f"'{key}' must give a list of rules for the glob '{pattern}'"
            raise layer.error(message, f"{key}\0{pattern}")
        rows.append((pattern, tuple(rules)))
    return tuple(rows)


_READERS: dict[str, Callable[[Layer, str, object], Any]] = {
    "extend": _string,
    "exclude": _globs,
    "extend-exclude": _globs,
    "test-files": _globs,
    "per-file-ignores": _ignores_table,
    "force-exclude": _boolean,
    "respect-gitignore": _boolean,
    "include-tests": _boolean,
    "include-notebooks": _boolean,
    "clear-outputs": _boolean,
    "tf-version": _version,
    "unsafe-fixes": _boolean,
    "verify": _boolean,
    "output-format": _one_of("output format", OUTPUT_FORMATS),
    "profile": _string,
    "cache-dir": _string,
    "models": taught_of,
    "baseline": _string,
    "fail-on": _one_of("level", LEVELS),
}
#: The settings that are lists of strings.
LISTS = frozenset(key for key in ATTRIBUTES if _READERS.get(key, _strings) in (_strings, _globs))
