"""What a project teaches the tool of names that it cannot see through: `[tool.tfxla-lint.models]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tfxla_lint.settings.errors import did_you_mean

if TYPE_CHECKING:
    from tfxla_lint.settings.layer import Layer

_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
#: What the tool knows by itself.
_KNOWN = re.compile(r"(tf|tensorflow|keras|tf_keras)\.")


@dataclass(frozen=True)
class Taught:
    """Full names of functions and classes, by what they are like.

    `traces` are decorators and wrappers like `tf.function`. `loops` run the callable that they are
    given many times, in Python; or they are methods that a framework so runs (`lib.Trainer.step`).
    Calling one of the others gives a dataset, a model or an optimizer, as does any method of it that
    makes an object; classes that derive from it are such, too.
    """

    traces: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    optimizers: tuple[str, ...] = ()

    def rows(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What is taught, by its key."""
        for part in fields(self):
            yield part.name, getattr(self, part.name)


NOTHING_TAUGHT = Taught()


def taught_of(layer: Layer, key: str, value: object) -> Taught:
    """What a table teaches; raises SettingsError."""
    keys = [part.name for part in fields(Taught)]
    if not isinstance(value, dict):
        raise layer.error(f"'{key}' must be a table with the keys {', '.join(keys)}", key)
    seen: dict[str, str] = {}
    for part, names in value.items():
        place = f"{key}\0{part}"
        if part not in keys:
            raise layer.error(f"unknown key '{part}' in '{key}'; {did_you_mean(part, keys)}", place)
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise layer.error(f"'{key}.{part}' must be a list of names", place)
        for name in names:
            fault = _fault(name, part, seen)
            if fault:
                raise layer.error(f"'{name}' in '{key}.{part}' {fault}", place, name)
            seen[name] = part
    return Taught(**{part: tuple(names) for part, names in value.items()})


def _fault(name: str, part: str, seen: dict[str, str]) -> str:
    """What is wrong with a name, if something is."""
    if _NAME.fullmatch(name) is None:
        return "is no full name: write the module, too (mylib.training.run)"
    if _KNOWN.match(name):
        return "is TensorFlow's own, which the tool knows"
    return f"is in '{seen[name]}' already" if seen.get(name, part) != part else ""
