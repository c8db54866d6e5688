"""What the functions of the TensorFlow that runs it give, seen by calling them on small inputs.

A record says of which sort the results were ("tensor", "tuple", "list", "host" where no tensor
came back, "structure" for anything else), how many members they had, and whether shape and dtype
were those of the first argument. Only what held of every call is said.
"""

from __future__ import annotations

import contextlib
import io
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import tensorflow as tf

from tools.harvest.calls import COMPOSITES, Call, is_leaf, tensors_in
from tools.harvest.probe import Prober

MOST_CALLS = 6


def probe(prober: Prober, name: str) -> dict[str, Any]:
    """The record of one endpoint; `failed` where no call of it ran."""
    with contextlib.redirect_stdout(io.StringIO()):
        seen = list(itertools.islice(observations(prober.calls_of(name)), MOST_CALLS))
    return merged(seen) if seen else {"failed": "no call ran"}


def observations(calls: Iterable[Call]) -> Iterator[dict[str, Any]]:
    """What each call gave that ran eagerly."""
    for call in calls:
        if call.stateful:
            continue
        try:
            result = call.run()
        except Exception:
            continue
        yield {**sort_of(result), **travel(call, result)}


def sort_of(result: Any) -> dict[str, Any]:
    """Of which sort a result is."""
    if isinstance(result, tf.Tensor):
        return {"result": "tensor"}
    if isinstance(result, COMPOSITES):
        return {"result": "structure"}
    if not any(True for _ in tensors_in(result)):
        return {"result": "host"}
    if isinstance(result, (tuple, list)) and all(isinstance(r, tf.Tensor) for r in result):
        sort = "tuple" if isinstance(result, tuple) else "list"
        return {"result": sort, "count": len(result)}
    return {"result": "structure"}


def travel(call: Call, result: Any) -> dict[str, Any]:
    """Whether a tensor has the shape and the dtype of the first argument, and which dtype."""
    if not isinstance(result, tf.Tensor):
        return {}
    found: dict[str, Any] = {"dtype": result.dtype.name}
    first = next(iter(call.arguments().values()), None)
    if isinstance(first, COMPOSITES):
        return found
    try:
        given = tf.convert_to_tensor(first)
    except (TypeError, ValueError):
        return found
    found["same_shape"] = given.shape == result.shape
    if is_leaf(first):
        found["same_dtype"] = given.dtype == result.dtype
    return found


def merged(seen: list[dict[str, Any]]) -> dict[str, Any]:
    """What all observations of one endpoint have in common."""
    first = seen[0]
    common = {key: value for key, value in first.items() if all(o.get(key) == value for o in seen)}
    return {**common, "calls": len(seen)}
