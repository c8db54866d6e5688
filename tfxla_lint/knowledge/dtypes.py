"""The names of TensorFlow's element types (https://www.tensorflow.org/api_docs/python/tf/dtypes)."""

from __future__ import annotations

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait

FLOATS = behaviour.leaves("tensorflow", Trait.FLOATING)
COMPLEX = frozenset({"complex64", "complex128"})
INTEGERS = behaviour.leaves("tensorflow", Trait.INTEGER)
DTYPES = FLOATS | COMPLEX | INTEGERS | {"bool", "string"}
_ALIASES = {"double": "float64", "half": "float16", "bool_": "bool", "single": "float32"}


def dtype_named(name: str) -> str | None:
    """TensorFlow's own name of an element type that TensorFlow or NumPy calls `name`."""
    name = _ALIASES.get(name, name)
    return name if name in DTYPES else None
