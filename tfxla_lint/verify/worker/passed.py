"""What a call is passed, in words that a reader can repeat it by."""

from __future__ import annotations

import inspect
import re
from typing import Any, List, Mapping, Sequence

import numpy as np
import tensorflow as tf

#: Arrays of so many elements are shown whole, others by dtype and shape.
_SHOWN = 12
#: So many parts of a list, and characters of a text.
_PARTS, _LETTERS = 6, 60
_PLAIN = (type(None), bool, int, float, complex, str, bytes, np.generic, range)


def passed_text(function: Any, positional: Sequence[Any], keywords: Mapping[str, Any]) -> str:
    """The arguments of a call by their names, each as `lengths=[3, 2]` or as
    `logits=float32 tensor of shape (4, 3)`."""
    names = _names(function)[: len(positional)]
    # What goes into `*rest` has no name of its own.
    names += [""] * (len(positional) - len(names))
    rows = [*zip(names, positional), *keywords.items()]
    return ", ".join(f"{name}={_text(value)}" if name else _text(value) for name, value in rows)


def _names(function: Any) -> List[str]:
    plain = getattr(function, "python_function", function)
    try:
        parameters = inspect.signature(plain).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.kind in kinds]


def _text(value: Any) -> str:
    if isinstance(value, _PLAIN):
        text = repr(value)
        return text if len(text) <= _LETTERS else f"{text[:_LETTERS]}..."
    if isinstance(value, (list, tuple)):
        left, right = ("[", "]") if isinstance(value, list) else ("(", ")")
        return f"{left}{_parts([_text(part) for part in value[:_PARTS]], len(value))}{right}"
    if isinstance(value, dict):
        rows = [f"{key!r}: {_text(part)}" for key, part in list(value.items())[:_PARTS]]
        return f"{{{_parts(rows, len(value))}}}"
    if isinstance(value, (np.ndarray, tf.Tensor, tf.Variable)):
        return _array_text(value)
    return _name(value) or f"<{_name(type(value)) or 'object'}>"


def _name(value: Any) -> str:
    """What a function or class is called; "" where that is no name: a terminal obeys some of what it may be."""
    name = getattr(value, "__name__", None)
    return name if isinstance(name, str) and name.isidentifier() else ""


def _parts(rows: List[str], count: int) -> str:
    return ", ".join([*rows, "..."] if count > len(rows) else rows)


def _array_text(value: Any) -> str:
    kind = "array" if isinstance(value, np.ndarray) else type(value).__name__
    kind = "variable" if isinstance(value, tf.Variable) else kind
    kind = "tensor" if kind == "EagerTensor" else kind
    dtype = getattr(value.dtype, "name", str(value.dtype))
    try:
        array = np.asarray(value)
    except Exception:  # One that a graph is made of has no values.
        return f"{dtype} {kind}"
    if array.size > _SHOWN:
        return f"{dtype} {kind} of shape {array.shape}"
    shown = np.array2string(array, separator=", ", precision=4)
    shape = f" of shape {array.shape}" if not array.size else ""
    return f"{dtype} {kind}{shape} " + re.sub(r"\s+", " ", shown)
