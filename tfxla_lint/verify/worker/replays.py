"""Calls functions again after a program has ended, with what it passed made other than it was.

The program may pass the same few rows in each call, and leave no argument to its default.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.sandbox.inside.surroundings import captured
from tfxla_lint.verify.worker.gradients import gradients_of
from tfxla_lint.verify.worker.power import TooLong, limited

Call = Tuple[List[Any], Dict[str, Any]]
GRADIENTS_OF_IT = "its gradients"
_SIGNATURE = re.compile("Binding inputs to tf.function failed|incompatible with input_signature")
REFUSED: Node = ("opaque", "refused by a signature", None)
NO_ROWS, _NAN = "no rows", "NaN"
#: Beyond the range that a program's values keep to, and not so far that exponentials overflow.
_LARGER = 3
#: So long one call may take.
_SECONDS = 5.0


class Replay(NamedTuple):
    """One such call: how it was made, the parameters left to their defaults, what it gave."""

    words: str
    defaults: List[str]
    result: Optional[Node]

    @property
    def is_bare(self) -> bool:
        """Whether graphs and eager code may differ: no values are passed, or it is derived."""
        return self.words in (NO_ROWS, _NAN, GRADIENTS_OF_IT)


def replayed(last: Callable[..., Any], record: Callable[[Any], Node]) -> List[Replay]:
    """What variations of a function's last call give, in order, up to one that takes too long.

    `last` is that call; there is no result where it raises. What is NaN comes last, since it stays in
    variables.
    """
    found: List[Replay] = []
    if not isinstance(last, functools.partial):
        return found
    for words, defaults, (positional, keywords) in _variations(last):
        try:
            with limited(_SECONDS), captured():
                result = record(last.func(*positional, **keywords))
        except TooLong:
            break
        except Exception as error:
            if not _SIGNATURE.search(str(error)):
                found.append(Replay(words, defaults, None))
                continue
            # Which sizes a signature takes says nothing of what is computed.
            result = REFUSED
        found.append(Replay(words, defaults, result))
    gradients = _gradients(last, record)
    # What is NaN comes last.
    place = len([replay for replay in found if not replay.is_bare])
    return [*found[:place], *gradients, *found[place:]]


def _gradients(last: functools.partial[Any], record: Callable[[Any], Node]) -> List[Replay]:
    """The gradients of the call with respect to what it is passed and reaches, if it has any."""
    instance = getattr(last.func, "__self__", None)
    given = getattr(getattr(last.func, "__func__", last.func), "__globals__", {})
    rows: Dict[str, Any] = {}
    with contextlib.suppress(Exception, TooLong), limited(_SECONDS), captured():
        found = gradients_of(last.func, list(last.args), last.keywords, given, instance)
        rows.update({name: gradient for name, gradient in found if gradient is not None})
    return [Replay(GRADIENTS_OF_IT, [], record(rows))]


def _variations(last: functools.partial[Any]) -> Iterator[Tuple[str, List[str], Call]]:
    given: Call = (list(last.args), dict(last.keywords))
    defaults = _defaults(last)
    if defaults:
        keywords = {name: value for name, value in given[1].items() if name not in defaults}
        names = sorted(defaults)
        call = (given[0][: min(defaults.values())], keywords)
        yield f"without {', '.join(names)}", names, call
    sizes = {a.shape[0] for a in _arrays(given) if len(a.shape)}
    if len(sizes) == 1:
        yield "one row", [], _changed(given, lambda a: a[:1])
        yield "one row more", [], _changed(given, _with_one_more)
    yield "larger values", [], _changed(given, lambda a: a * _LARGER if _is_float(a) else a)
    yield "zeros", [], _changed(given, _nothing)
    if len(sizes) == 1:
        yield NO_ROWS, [], _changed(given, lambda a: a[:0])
    yield _NAN, [], _changed(given, lambda a: a * np.nan if _is_float(a) else a)


def _defaults(last: functools.partial[Any]) -> Dict[str, int]:
    """The parameters with defaults that the call passes values for, with their positions."""
    try:
        signature = inspect.signature(last.func)
        bound = signature.bind(*last.args, **last.keywords).arguments
    except (TypeError, ValueError):
        return {}
    return {
        name: place
        for place, (name, parameter) in enumerate(signature.parameters.items())
        if parameter.default is not parameter.empty and name in bound
    }


def _arrays(call: Call) -> List[Any]:
    return [leaf for leaf in tf.nest.flatten(call) if _is_array(leaf)]


def _is_array(value: Any) -> bool:
    kinds = (tf.Tensor, tf.RaggedTensor)
    is_tensor = isinstance(value, kinds) and not isinstance(value, tf.Variable)
    return (is_tensor or isinstance(value, np.ndarray)) and value.shape is not None


def _is_float(value: Any) -> bool:
    return bool(tf.as_dtype(value.dtype).is_floating)


def _nothing(array: Any) -> Any:
    """Zeros, or texts without a letter."""
    if _is_float(array):
        return array * 0
    is_text = isinstance(array, tf.Tensor) and array.dtype == tf.string
    return tf.zeros_like(array) if is_text else array


def _with_one_more(array: Any) -> Any:
    join = np.concatenate if isinstance(array, np.ndarray) else tf.concat
    return join([array, array[:1]], 0)


def _changed(call: Call, change: Callable[[Any], Any]) -> Call:
    """The call with each array changed that has a first dimension."""

    def one(value: Any) -> Any:
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            parts = [one(part) for part in value]
            return parts if isinstance(value, list) else tuple(parts)
        if type(value) is dict:
            return {key: one(part) for key, part in value.items()}
        return change(value) if _is_array(value) and len(value.shape) else value

    positional, keywords = call
    return [one(value) for value in positional], {k: one(v) for k, v in keywords.items()}
