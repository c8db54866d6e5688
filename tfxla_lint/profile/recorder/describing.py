"""Values in words: what TensorFlow tells traces apart by."""

from __future__ import annotations

import sys
from typing import Any

from tfxla_lint.profile.recorder.records import SHOWN, Described


def describe(value: Any, depth: int = 2) -> Described:
    """What TensorFlow tells traces apart by: kind, dtype, shape, value, identity."""
    kind = type(value)
    if value is None or kind in (bool, int, float, complex, str, bytes):
        text = repr(value)
        shown = text if len(text) <= 60 else text[:57] + "..."
        return Described("python", kind.__name__, None, shown, 0)
    found = _describe_array(value, kind)
    if found is not None:
        return found
    if isinstance(value, (list, tuple, dict)) and depth:
        return Described(kind.__name__, None, None, _describe_members(value, depth), 0)
    return Described("object", kind.__name__, None, None, id(value))


def _describe_array(value: Any, kind: type) -> Described | None:
    numpy = sys.modules.get("numpy")
    ndarray = getattr(numpy, "ndarray", None)
    if ndarray is not None and isinstance(value, (ndarray, getattr(numpy, "generic", ndarray))):
        return Described("array", str(value.dtype), str(list(value.shape)), None, 0)
    if kind.__module__.partition(".")[0] not in ("tensorflow", "keras", "tf_keras"):
        return None
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is None or shape is None or hasattr(value, "trainable_variables"):
        return None
    is_variable = hasattr(value, "assign")
    what = "variable" if is_variable else _TENSORS.get(kind.__name__, "tensor")
    name = getattr(dtype, "name", None) or str(dtype)
    return Described(what, name, _shape(shape), None, id(value) if is_variable else 0)


_TENSORS = {"RaggedTensor": "ragged", "SparseTensor": "sparse", "IndexedSlices": "slices",
            "KerasTensor": "keras"}  # fmt: skip


def _shape(shape: Any) -> str:
    try:
        return str([None if size is None else int(size) for size in shape])
    except (ValueError, TypeError):
        return "unknown"


def _describe_members(value: Any, depth: int) -> str:
    if isinstance(value, dict):
        parts = [f"{key!r:.20}: {_words(value[key], depth)}" for key in list(value)[:SHOWN]]
    else:
        parts = [_words(member, depth) for member in value[:SHOWN]]
    more = f", {len(value)} in all" if len(value) > SHOWN else ""
    return f"[{', '.join(parts)}{more}]"


def _words(value: Any, depth: int) -> str:
    kind, dtype, shape, text, identity = describe(value, depth - 1)
    if text is not None:
        return text
    return f"{dtype} {shape}" if shape is not None else f"{dtype or kind} {identity:x}"


def differences(left: dict[str, Described], right: dict[str, Described]) -> list[tuple[str, str]]:
    """The arguments in which two calls differ, each with the aspect in which it does."""
    found: list[tuple[str, str]] = []
    for name in {**left, **right}:
        ours, theirs = left.get(name), right.get(name)
        if ours is None or theirs is None:
            found.append((name, "presence"))
        elif ours != theirs:
            aspects = ("kind", "dtype", "shape", "value", "object")
            index = next(i for i in range(5) if ours[i] != theirs[i])
            found.append((name, "object" if ours[0] == "object" else aspects[index]))
    return found
