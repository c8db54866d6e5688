"""In which arguments a function is smooth: it neither jumps nor has a kink or a pole.

A graph may round otherwise than eager code does. That matters where a function asks on which side of
something a number lies, and its arguments lie right there: at nought, at whole numbers, at each other.
So each argument of floating-point numbers is put there, and moved a little, and less than that: what
moves as far by less jumps, and what is asked so of gradients has a kink.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tools.harvest import calls
from tools.harvest.calls import Call, Split
from tools.harvest.probe import Prober

MOST_CALLS = 3
#: Where functions have their steps and kinks.
_PLACES = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0)
#: So far an argument is moved, and less.
_FAR, _NEAR = 1e-2, 1e-4
#: What moves by more than this, and by this share of what the longer way moves it, jumps.
_LEAST, _SHARE = 5e-3, 0.3
_ROWS = np.random.RandomState(5).uniform(0.1, 0.9, (2, 4, 3)).astype(np.float32)


def probe(prober: Prober, name: str) -> dict[str, Any]:
    """The parameters of one endpoint that are `smooth` in all calls that run."""
    with contextlib.redirect_stdout(io.StringIO()):
        rough: set[str] = set()
        tried: set[str] = set()
        for call in itertools.islice(_calls(prober, name), MOST_CALLS):
            parts = calls.split(_of_tensors(call))
            for place, (tensor, owner) in enumerate(zip(parts.tensors, parts.owners, strict=True)):
                if not isinstance(tensor, tf.Tensor) or tensor.dtype != tf.float32:
                    continue
                outcome = _is_smooth(parts, place)
                tried |= {owner} if outcome is not None else set()
                rough |= {owner} if outcome is False else set()
    if not tried:
        return {"failed": "no call took numbers"}
    return {"smooth": sorted(tried - rough)}


def _calls(prober: Prober, name: str) -> Iterator[Call]:
    made = tf
    for part in name.split("."):
        made = getattr(made, part, None)
    if isinstance(made, type) and issubclass(made, tf.keras.losses.Loss):
        yield from (Call(made().call, given) for given in _labelled())
        return
    if isinstance(made, type) and issubclass(made, tf.keras.metrics.Metric):
        yield from _of_metric(made)
        return
    if callable(made) and calls.positional_names(made)[:2] == ["y_true", "y_pred"]:
        yield from (Call(made, given) for given in _labelled())
        return
    listed = prober.by_alias.get(name)
    for call in prober.calls_of(listed.name if listed is not None else name):
        if not call.stateful:
            yield call


def _of_metric(made: type) -> Iterator[Call]:
    """What a metric gives of one update, which `Mean` and its like are given one thing for."""

    def measured(*given: Any) -> Any:
        metric = made()
        metric.update_state(*given)
        return metric.result()

    _, *parameters = inspect.signature(made.update_state).parameters.values()
    measured.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    is_labelled = parameters[0].name == "y_true"
    given = _labelled() if is_labelled else [(tf.constant(_ROWS[0]),)]
    yield from (Call(measured, each) for each in given)


def _labelled() -> Iterator[tuple[Any, Any]]:
    """Shares of classes, and classes, with predictions."""
    shares, predicted = map(tf.constant, _ROWS)
    yield shares, predicted
    yield tf.one_hot([0, 2, 1, 0], 3), predicted


def _of_tensors(call: Call) -> Call:
    """The call with tensors where it is given numbers in another form."""
    found: dict[str, Any] = {}
    for name, value in call.arguments().items():
        is_plain = isinstance(value, (list, tuple, np.ndarray, float)) and calls.is_data(value)
        with contextlib.suppress(Exception):
            if is_plain and not name.startswith("*") and np.asarray(value).dtype.kind == "f":
                found[name] = tf.constant(value, tf.float32)
    return call.replaced(found)


def _is_smooth(parts: Split, place: int) -> bool | None:
    """Whether a function is smooth in one of its tensors, as far as is seen; None where it does not run."""
    shape = parts.tensors[place].shape
    starts = [np.full(shape, value, np.float32) for value in _PLACES]
    others = [t for at, t in enumerate(parts.tensors) if at != place]
    starts += [np.asarray(t) for t in others if t.dtype == tf.float32 and t.shape == shape]
    starts.append(np.asarray(parts.tensors[place]))
    ran = False
    for start in starts:
        for direction in _directions(start):
            ways = [_moved(parts, place, start, direction, far) for far in (_FAR, _NEAR)]
            if None in ways:
                continue
            ran = True
            for kind in range(2):
                far, near = (way[kind] for way in ways if way is not None)
                if not np.isfinite(near) or (near > _LEAST and near > _SHARE * far):
                    return False
    return True if ran else None


def _directions(start: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
    yield np.ones_like(start)
    if start.size > 1:
        one = np.zeros_like(start)
        one.flat[0] = 1.0
        yield one


def _moved(
    parts: Split, place: int, start: Any, direction: Any, far: float
) -> tuple[float, float] | None:
    """How far what a function gives, and its gradient, move with one argument; None where it raises.

    What is nowhere finite is no number that anyone computes with.
    """
    sides = [_values(parts, place, start + sign * far * direction) for sign in (1, 0, -1)]
    found = [side for side in sides if side is not None]
    if len(found) < len(sides) or not any(np.isfinite(v).any() for side in found for v in side[0]):
        return None
    (up, rising), middle, (down, falling) = found
    jump = max(_apart(up, down), _apart(up, middle[0]), _apart(down, middle[0]))
    return jump, _apart(rising, falling)


def _values(parts: Split, place: int, moved: Any) -> tuple[list[Any], list[Any]] | None:
    tensors = list(parts.tensors)
    tensors[place] = tf.constant(moved)
    try:
        with tf.GradientTape() as tape:
            tape.watch(tensors[place])
            result = parts.function(*tensors)
            found = [t for t in calls.tensors_in(result) if t.dtype.is_floating or t.dtype.is_integer
                     or t.dtype.is_bool]  # fmt: skip
            floats = [tf.reduce_sum(_weighed(t)) for t in found if t.dtype == tf.float32]
            total = tf.add_n(floats) if floats else None
        gradient = tape.gradient(total, tensors[place]) if total is not None else None
        gradients = [] if gradient is None else [np.asarray(tf.convert_to_tensor(gradient))]
        return [np.asarray(t).astype(np.float64) for t in found], gradients
    except Exception:
        return None


def _weighed(tensor: Any) -> Any:
    """Members that count differently, so that none makes up for another."""
    flat = tf.reshape(tensor, [-1])
    return flat * (1.0 + 0.5 * tf.sin(tf.range(tf.cast(tf.size(flat), tf.float32))))


def _apart(one: list[Any], other: list[Any]) -> float:
    if [a.shape for a in one] != [b.shape for b in other]:
        return float("inf")
    moves = [np.abs(a - b) / (1.0 + np.abs(b)) for a, b in zip(one, other, strict=True)]
    return max((float(np.max(move)) for move in moves if move.size), default=0.0)
