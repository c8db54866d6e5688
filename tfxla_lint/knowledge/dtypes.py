"""The names of TensorFlow's element types (https://www.tensorflow.org/api_docs/python/tf/dtypes)."""

from __future__ import annotations

from collections.abc import Collection

from tfxla_lint.knowledge import behaviour, tables
from tfxla_lint.knowledge.behaviour import Trait

FLOATS = behaviour.leaves("tensorflow", Trait.FLOATING)
COMPLEX = frozenset({"complex64", "complex128"})
INTEGERS = behaviour.leaves("tensorflow", Trait.INTEGER)
DTYPES = FLOATS | COMPLEX | INTEGERS | {"bool", "string"}
_ALIASES: dict[str, str] = tables.load("spellings")["dtypes"]


def dtype_named(name: str) -> str | None:
    """TensorFlow's own name of an element type that TensorFlow or NumPy calls `name`."""
    name = _ALIASES.get(name, name)
    return name if name in DTYPES else None


def spellings(names: Collection[str]) -> frozenset[str]:
    """The names of element types, and what else TensorFlow or NumPy calls them."""
    return frozenset(names) | {alias for alias, name in _ALIASES.items() if name in names}
