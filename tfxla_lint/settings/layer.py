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
VERSION = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}(\.[0-9]{1,4})?")


def _says(what: str, default: str = "") -> dict[str, str]:
    """What a setting is, in Markdown, and what holds without it."""
    return {"what": what, "default": default}


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
    extend: str | None = field(
        default=None,
        metadata=_says(
            "the settings file to start from: lists of rules and `extend-exclude` add to its own (`select` and `fixable` start afresh), other keys replace it"
        ),
    )
    select: tuple[str, ...] | None = field(
        default=None, metadata=_says("the rules to run", "all but the opt-in rules")
    )
    extend_select: tuple[str, ...] | None = field(default=None, metadata=_says("more rules to run"))
    ignore: tuple[str, ...] | None = field(default=None, metadata=_says("rules not to run"))
    fixable: tuple[str, ...] | None = field(
        default=None, metadata=_says("the rules whose fixes are offered", "all")
    )
    unfixable: tuple[str, ...] | None = field(
        default=None, metadata=_says("the rules whose fixes are not", "none")
    )
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] | None = field(
        default=None,
        metadata=_says(
            "rules that are silent in files that match a glob; `!` in front means all other files"
        ),
    )
    exclude: tuple[str, ...] | None = field(
        default=None,
        metadata=_says(
            "what is left out of folders", "`.git`, `.venv`, `venv`, `node_modules`, caches"
        ),
    )
    extend_exclude: tuple[str, ...] | None = field(default=None, metadata=_says("more of that"))
    force_exclude: bool | None = field(
        default=None, metadata=_says("leave out excluded files even if they are named outright")
    )
    respect_gitignore: bool | None = field(
        default=None, metadata=_says("leave out what `.gitignore` files name")
    )
    test_files: tuple[str, ...] | None = field(
        default=None,
        metadata=_says(
            "files in which the families eager, retracing and input are silent",
            "files that hold tests: cases of unittest or `tf.test`, what pytest collects or imports it",
        ),
    )
    include_tests: bool | None = field(
        default=None, metadata=_says("let those families speak there too")
    )
    include_notebooks: bool | None = field(
        default=None,
        metadata=_says(
            "lint notebooks too; if not, one that is named outright is, unless `force-exclude` is on"
        ),
    )
    clear_outputs: bool | None = field(
        default=None,
        metadata=_says("fixes take away the outputs of the notebook cells that they change"),
    )
    tf_version: str | None = field(
        default=None,
        metadata=_says(
            "the TensorFlow that the code has to work with",
            "the lowest that the project's files allow",
        ),
    )
    unsafe_fixes: bool | None = field(
        default=None, metadata=_says("count and apply unsafe fixes too")
    )
    verify: bool | None = field(
        default=None,
        metadata=_says(
            "`--fix` runs each fix against the original, as with `--verify`: this runs your code"
        ),
    )
    output_format: str | None = field(
        default=None, metadata=_says("see [output-formats.md](output-formats.md)", "`full`")
    )
    profile: str | None = field(
        default=None,
        metadata=_says(
            "a file that `tfxla-lint profile` wrote, see [profile.md](profile.md)", "none"
        ),
    )
    cache_dir: str | None = field(
        default=None,
        metadata=_says(
            "where results are kept, see [cache.md](cache.md)",
            "`.tfxla_lint_cache` at the top of the project",
        ),
    )
    models: Taught | None = field(
        default=None,
        metadata=_says("what names of your own are like, see [below](#names-of-your-own)", "none"),
    )
    baseline: str | None = field(
        default=None,
        metadata=_says("the file of the findings to live with, see [ci.md](ci.md)", "none"),
    )
    fail_on: str | None = field(
        default=None,
        metadata=_says("the mildest level of findings that ends with status 1", "`warning`"),
    )

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


def _path(layer: Layer, key: str, value: object) -> str:
    return _string(layer, key, value)


@dataclass(frozen=True)
class OneOf:
    """Reads one of some words; `what` they are called."""

    what: str
    words: tuple[str, ...]

    def __call__(self, layer: Layer, key: str, value: object) -> str:
        """The word, if it is one of them."""
        text = _string(layer, key, value)
        if text in self.words:
            return text
        raise layer.error(f"unknown {self.what} '{text}'; {did_you_mean(text, self.words)}", key)


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
    "extend": _path,
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
    "output-format": OneOf("output format", OUTPUT_FORMATS),
    "profile": _path,
    "cache-dir": _path,
    "models": taught_of,
    "baseline": _path,
    "fail-on": OneOf("level", LEVELS),
}
#: The settings that are lists of strings.
LISTS = frozenset(key for key in ATTRIBUTES if _READERS.get(key, _strings) in (_strings, _globs))


@dataclass(frozen=True)
class Described:
    """What there is to say of a setting: its name, its type in a word and as JSON schema."""

    key: str
    type: str
    schema: Mapping[str, Any]
    what: str
    default: str


def described() -> list[Described]:
    """All settings of files, in the order in which they are declared."""
    said = {f.name: f.metadata for f in fields(Layer)}
    found = []
    for key, attribute in ATTRIBUTES.items():
        kind, schema = _type(_READERS.get(key, _strings))
        found.append(Described(key, kind, schema, **said[attribute]))
    return found


def _type(reader: Callable[[Layer, str, object], Any]) -> tuple[str, dict[str, Any]]:
    """What a reader takes."""
    text: dict[str, Any] = {"type": "string"}
    texts = {"type": "array", "items": text}
    if isinstance(reader, OneOf):
        return ", ".join(f"`{word}`" for word in reader.words), {**text, "enum": [*reader.words]}
    if reader is taught_of:
        keys = {f.name: texts for f in fields(Taught)}
        return "table", {"type": "object", "properties": keys, "additionalProperties": False}
    simple: dict[Callable[[Layer, str, object], Any], tuple[str, dict[str, Any]]] = {
        _boolean: ("boolean", {"type": "boolean"}),
        _path: ("path", text),
        _version: ("string", {**text, "pattern": f"^{VERSION.pattern}$"}),
        _globs: ("globs", texts),
        _strings: ("rules", texts),
        _ignores_table: ("table", {"type": "object", "additionalProperties": texts}),
    }
    return simple[reader]
