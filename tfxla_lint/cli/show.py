"""The settings that hold in a folder, each with the place that sets it."""

from __future__ import annotations

from typing import Any

from tfxla_lint.digests import CACHE_FOLDER
from tfxla_lint.planning import Planner
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import visible
from tfxla_lint.settings.layer import ATTRIBUTES
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.taught import Taught

_KEYS = [key for key in ATTRIBUTES if key != "extend"]


def render_settings(settings: Settings, planner: Planner, shown: str, style: Style) -> str:
    """One line for each setting, in the form of TOML, with its origin as a comment."""
    file = settings.file.origin if settings.file is not None else "none"
    about = {"settings for": shown, "settings file:": file, "root:": settings.root}
    lines = [visible(f"# {what} {value}") for what, value in about.items()]
    rows = [_row(settings, key) for key in _KEYS]
    width = max(len(text) for text, _ in rows if len(text) <= 60)
    lines += [f"{text:<{width}}  {style.dim('# ' + visible(origin))}" for text, origin in rows]
    selected, _ = planner.selected(settings)
    lines.append(f"# rules: {', '.join(sorted(selected))}")
    return "".join(f"{line}\n" for line in lines)


def _row(settings: Settings, key: str) -> tuple[str, str]:
    attribute = key.replace("-", "_")
    layer = settings.layer_of(attribute)
    if key == "tf-version":
        target = settings.target
        value: Any = target.version if target.version is not None else "newest known"
        return f"{key} = {_toml(value)}", target.origin
    if layer is not None:
        return f"{key} = {_toml(getattr(layer, attribute))}", layer.place(key)
    return f"{key} = {_toml(_default(settings, attribute))}", "default"


def _default(settings: Settings, attribute: str) -> Any:
    if attribute in ("fixable",):
        return ("ALL",)
    if attribute == "select":
        return "all but the opt-in rules"
    if attribute == "exclude":
        return settings.exclude[0].patterns
    if attribute == "test_files":
        return "what holds tests"
    if attribute in ("profile", "baseline"):
        return "none"
    if attribute == "fail_on":
        return settings.fail_on.value
    if attribute == "cache_dir":
        return CACHE_FOLDER
    value = getattr(settings, attribute, ())
    return value if isinstance(value, (bool, str, Taught)) else ()


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        quoted = value.replace("\\", r"\\").replace('"', r"\"")
        return f'"{visible(quoted)}"'
    if isinstance(value, Taught):
        rows = (f"{key} = {_toml(names)}" for key, names in value.rows() if names)
        return "{" + ", ".join(rows) + "}"
    if value and isinstance(value[0], tuple):
        return "{ " + ", ".join(f"{_toml(glob)} = {_toml(rules)}" for glob, rules in value) + " }"
    return "[" + ", ".join(_toml(item) for item in value) + "]"
