"""The names of TensorFlow's element types (https://www.tensorflow.org/api_docs/python/tf/dtypes)."""

from __future__ import annotations

FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
COMPLEX = frozenset({"complex64", "complex128"})
INTEGERS = frozenset({"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
DTYPES = FLOATS | COMPLEX | INTEGERS | {"bool", "string"}
_ALIASES = {"double": "float64", "half": "float16", "bool_": "bool", "single": "float32"}


def dtype_named(name: str) -> str | None:
    """TensorFlow's own name of an element type that TensorFlow or NumPy calls `name`."""
    name = _ALIASES.get(name, name)
    return name if name in DTYPES else None
