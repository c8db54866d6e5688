"""Settings on the command line: `--config KEY=VALUE`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.layer import LISTS, Layer, layer_from_table
from tfxla_lint.settings.toml import parse_toml

_KEY_VALUE = re.compile(r"\s*(?P<key>[A-Za-z_-]+)\s*=(?P<value>.*)", re.DOTALL)


def is_inline(word: str) -> bool:
    """Whether a word gives a setting, and names no file."""
    return _KEY_VALUE.fullmatch(word) is not None


def inline_layer(base: Path, words: Iterable[str]) -> Layer:
    """The settings that some words give; those that name files are passed over.

    A value is TOML, or a plain word; a list may be words between commas. Raises SettingsError.
    """
    values: dict[str, Any] = {}
    for match in filter(None, map(_KEY_VALUE.fullmatch, words)):
        key = match["key"].replace("_", "-")
        values[key] = _value(key, match["value"].strip())
    if "extend" in values:
        raise SettingsError("'extend' stands in settings files only")
    return layer_from_table(Layer(base), values)


def _value(key: str, text: str) -> Any:
    parsed = parse_toml(f"value = {text}")
    value = text if parsed is None else parsed["value"]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = text
    if isinstance(value, str) and key in LISTS:
        return [part.strip() for part in value.split(",") if part.strip()]
    return value
