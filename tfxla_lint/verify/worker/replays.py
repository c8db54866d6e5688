"""Calls functions again after a program has ended, with what it passed made other than it was.

The program may pass the same few rows in each call, and leave no argument to its default.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.sandbox.inside.surroundings import captured
from tfxla_lint.verify.worker.power import TooLong, limited

Call = Tuple[List[Any], Dict[str, Any]]
_NO_ROWS, _NAN = "no rows", "NaN"
#: So long one call may take.
_SECONDS = 5.0


class Replay(NamedTuple):
    """One such call: how it was made, the parameters left to their defaults, what it gave."""

    words: str
    defaults: List[str]
    result: Optional[Node]

    @property
    def is_bare(self) -> bool:
        """Whether there are no values in what was passed; graphs and eager code may differ then."""
        return self.words in (_NO_ROWS, _NAN)


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
        except Exception:
            found.append(Replay(words, defaults, None))
            continue
        found.append(Replay(words, defaults, result))
    return found


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
    yield "zeros", [], _changed(given, lambda a: a * 0 if _is_float(a) else a)
    if len(sizes) == 1:
        yield _NO_ROWS, [], _changed(given, lambda a: a[:0])
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
    is_tensor = isinstance(value, tf.Tensor) and not isinstance(value, tf.Variable)
    return (is_tensor or isinstance(value, np.ndarray)) and value.shape is not None


def _is_float(value: Any) -> bool:
    return bool(tf.as_dtype(value.dtype).is_floating)


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
