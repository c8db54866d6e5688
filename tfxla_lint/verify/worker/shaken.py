"""Rounds variables otherwise between two calls, to see what calls make of that."""

from __future__ import annotations

import contextlib
import functools
from typing import Any, Callable, Dict, Iterable, Iterator
from unittest import mock

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.draws import NUDGE, is_nudging, nudged

#: What has been as large as this many times what it is now is moved no further than as if it still were.
_FELL = 1e5


class Shaken:
    """Moves float variables a little after each call.

    Code that computes the same in another order rounds an update by the size that the variable had
    before or has after it, whichever is larger, and the next call goes on from there.
    """

    def __init__(self, variables: Callable[[], Iterable[Any]]) -> None:
        self._variables = variables
        self._sizes: Dict[int, float] = {}

    def shake(self, turn: int = 0) -> None:
        """Move them, otherwise in each turn; whole numbers count something, and stay as they are."""
        for number, variable in enumerate(self._variables(), turn):
            with contextlib.suppress(Exception):
                value = np.asarray(variable)
                if value.dtype.kind != "f" or not value.size or not np.isfinite(value).all():
                    continue
                now = float(np.abs(value).max())
                size = max(now, min(self._sizes.get(id(variable), 0.0), _FELL * now))
                self._sizes[id(variable)] = now
                off = NUDGE * size * np.cos(1e3 * value + number)
                variable.assign(
                    (value + np.where(value == np.round(value), 0.0, off)).astype(value.dtype)
                )


@contextlib.contextmanager
def data_shaken() -> Iterator[None]:
    """Let arrays of floats of which code makes tensors be rounded otherwise, where floats are moved.

    Most data are no draws of TensorFlow.
    """
    with contextlib.ExitStack() as stack:
        for name in ("constant", "convert_to_tensor", "cast") if is_nudging() else ():
            made = getattr(tf, name)
            stack.enter_context(mock.patch.object(tf, name, _of_moved(made)))
        if is_nudging():
            slices = staticmethod(_of_moved(tf.data.Dataset.from_tensor_slices))
            stack.enter_context(mock.patch.object(tf.data.Dataset, "from_tensor_slices", slices))
        yield


def _of_moved(make: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(make)
    def made(value: Any, *more: Any, **named: Any) -> Any:
        if isinstance(value, (np.ndarray, tuple, list, dict)) and tf.executing_eagerly():
            with contextlib.suppress(Exception):
                value = _moved_in(value)
        return make(value, *more, **named)

    return tf.autograph.experimental.do_not_convert(made)  # type: ignore[no-any-return]


def _moved_in(value: Any) -> Any:
    """The value with the arrays of floats in it moved; what is whole stays."""
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(map(_moved_in, value))
    if type(value) is dict:
        return {key: _moved_in(part) for key, part in value.items()}
    return moved_array(value) if isinstance(value, np.ndarray) else value


def moved_array(array: Any) -> Any:
    """An array with floats moved a little; whole numbers count something, and stay as they are."""
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        return array
    return np.where(array == np.round(array), array, nudged(array)).astype(array.dtype)


def variables_in(values: Iterable[Any], own: Iterable[str]) -> Iterable[Any]:
    """The variables that values hold: containers, layers, and objects of the modules `own`."""
    modules, pending, seen = set(own), list(values), set()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, tf.Variable):
            yield value
        elif isinstance(value, (list, tuple)):
            pending += value
        elif isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, (tf.Module, tf.keras.layers.Layer, tf.keras.optimizers.Optimizer)):
            variables = value.variables
            pending += variables() if callable(variables) else variables
        elif type(value).__module__ in modules and hasattr(value, "__dict__"):
            pending += vars(value).values()
