"""Of which kinds the arguments are that a program passes: descriptions of others that are like them."""

from __future__ import annotations

import contextlib
import inspect
import json
from collections import Counter
from typing import Any, Dict, List, Mapping, Optional

import numpy as np
import tensorflow as tf

from tfxla_lint.verify.worker.values import BATCH, Spec, as_flags
from tfxla_lint.verify.worker.variations import Last

#: Lists that are longer say nothing of how long they have to be.
_PARTS = 8
_LARGEST = 1 << 16
#: What the modules of Keras' classes begin with, and of what they are made of.
_KERAS = ("keras", "builtins")


def kinds_of(last: Last) -> Dict[str, Spec]:
    """By parameter what a program passed for it last, where that can be described."""
    found: Dict[str, Spec] = {}
    with contextlib.suppress(TypeError, ValueError):
        signature = inspect.signature(last.plain)
        given = list(last.positional)
        owner = [] if last.owner is None else [last.owner]
        arguments = signature.bind(*owner, *given, **last.keywords).arguments
        values = {n: v for n, v in arguments.items() if not (owner and v is last.owner)}
        rows = _rows(values)
        for name, value in values.items():
            spec = _spec(value, rows)
            is_one = signature.parameters[name].kind in _SINGLE
            if spec is not None and is_one:
                found[name] = spec
    return found


_SINGLE = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)


def _rows(values: Mapping[str, Any]) -> int:
    """The size of the first dimension of most arrays; a long list is one by its parts."""
    long = [v for v in values.values() if type(v) is list and len(v) > _PARTS]
    leaves = tf.nest.flatten([v for v in values.values() if not any(v is one for one in long)])
    sizes = Counter(leaf.shape[0] for leaf in leaves if _is_array(leaf) and len(leaf.shape))
    sizes.update(map(len, long))
    return sizes.most_common(1)[0][0] if sizes else 0


def _is_array(value: Any) -> bool:
    is_tensor = isinstance(value, tf.Tensor) and hasattr(value, "numpy")
    return is_tensor or (isinstance(value, np.ndarray) and value.dtype.kind in "fiub")


def _spec(value: Any, rows: int) -> Optional[Spec]:
    if _is_array(value):
        return _of_array(value, rows)
    if isinstance(value, tf.Tensor):
        return _of_symbol(value)
    if isinstance(value, (bool, np.bool_)):
        return {"k": "bool", "value": bool(value)}
    if isinstance(value, (int, np.integer)):
        return {"k": "int", "value": int(value)}
    if isinstance(value, (float, np.floating)) and np.isfinite(value):
        return {"k": "float", "value": float(value)}
    if isinstance(value, str):
        return {"k": "word", "value": value}
    if isinstance(value, (tf.keras.Model, tf.keras.optimizers.Optimizer)):
        return _of_keras(value)
    if type(value) in (list, tuple) and 0 < len(value) <= _PARTS:
        parts = [_spec(part, rows) for part in value]
        kind = "list" if isinstance(value, list) else "tuple"
        return {"k": kind, "parts": parts} if None not in parts else None
    if type(value) is list and len(value) == rows > _PARTS:
        parts = [_spec(part, rows) for part in value[:BATCH]]
        return {"k": "list", "parts": parts, "rows": rows} if None not in parts else None
    if type(value) is dict and value and all(isinstance(key, str) for key in value):
        named = {key: _spec(part, rows) for key, part in value.items()}
        return {"k": "dict", "parts": named} if None not in named.values() else None
    return None


def _of_keras(value: Any) -> Optional[Spec]:
    """A model of Keras' own layers, or an optimizer: it can be made again wherever Keras is."""
    is_model = isinstance(value, tf.keras.Model)
    with contextlib.suppress(Exception):
        # What holds code, or no plain data, raises here.
        config = value.to_json() if is_model else json.dumps(tf.keras.optimizers.serialize(value))
        if (value.built or not is_model) and not _names_own(json.loads(config)):
            return {"k": "model" if is_model else "optimizer", "config": config}
    return None


def _names_own(config: Any) -> bool:
    """Whether a configuration names a class that is not Keras'."""
    if isinstance(config, list):
        return any(map(_names_own, config))
    if not isinstance(config, dict):
        return False
    module = config.get("module", "keras") or ""
    return not module.startswith(_KERAS) or any(map(_names_own, config.values()))


def _of_symbol(tensor: Any) -> Optional[Spec]:
    """What is known of a tensor in a graph; sizes that are open but for the batch's say nothing."""
    shape = tensor.shape.as_list() if tensor.shape.rank is not None else [None, None]
    if shape[:1] == [None]:
        shape = [BATCH, *shape[1:]]
    if None in shape or not (tensor.dtype.is_floating or tensor.dtype.is_integer):
        return None
    low, high = (-2.0, 2.0) if tensor.dtype.is_floating else (0, 2)
    return {"k": "tensor", "shape": shape, "dtype": tensor.dtype.name, "low": low, "high": high}


def _of_array(value: Any, rows: int) -> Optional[Spec]:
    array = np.asarray(value)
    if array.size > _LARGEST or array.size == 0:
        return None
    shape: List[int] = list(array.shape)
    kind = "numpy" if isinstance(value, np.ndarray) else "tensor"
    dtype = value.dtype.name
    spec: Spec = {"k": kind, "shape": shape, "dtype": dtype}
    if shape and shape[0] == rows != BATCH:
        # It need not be a batch's size, of which there may be others.
        spec.update(shape=[BATCH, *shape[1:]], rows=rows)
    if array.dtype.kind == "f":
        finite = array[np.isfinite(array)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        if finite.size == array.size and set(np.unique(finite)) == {0.0, 1.0}:
            return as_flags(spec)
        return {**spec, "low": low, "high": high if high > low else 1.25 * low + 0.0625}
    if array.dtype.kind in "iu":
        return {**spec, "low": int(array.min()), "high": int(array.max()) + 1}
    return spec
