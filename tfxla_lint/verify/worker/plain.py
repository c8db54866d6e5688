"""Gives back what names, attributes and containers of the user's code held before something was tried.

Versions may be tried unequally often: a counter must stand where it stood for the next try.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import random
import types
from typing import Any, Callable, Deque, Dict, Iterator, Mapping, Sequence, Set

import numpy as np

Undo = Callable[[], None]
#: So many objects are given back, and arrays of so many bytes in all.
_OBJECTS, _BYTES = 2000, 1 << 26
_SEQUENCES = (list, collections.deque)
_MISSING = object()


@contextlib.contextmanager
def given_back(roots: Sequence[Any], own: Set[str]) -> Iterator[None]:
    """Give back afterwards what is reachable from `roots`, through objects of classes of `own` modules.

    Variables are none of it, nor what Keras keeps for itself.
    """
    undone = list(_taken(roots, own))
    try:
        yield
    finally:
        for undo in undone:
            with contextlib.suppress(Exception):
                undo()


def _taken(roots: Sequence[Any], own: Set[str]) -> Iterator[Undo]:
    """What gives each object back; an object is asked for its parts before anything changes them."""
    pending: Deque[Any] = collections.deque(roots)
    seen: Set[int] = set()
    left = _BYTES
    while pending and len(seen) < _OBJECTS:
        value = pending.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        kind = type(value)
        if kind in _SEQUENCES:
            pending += value
            yield functools.partial(_refill, value, value.extend, list(value))
        elif kind is set:
            yield functools.partial(_refill, value, value.update, set(value))
        elif kind is tuple:
            pending += value
        elif kind is dict:
            pending += value.values()
            yield functools.partial(_refill_dict, value, dict(value))
        elif isinstance(value, (np.random.Generator, np.random.RandomState, random.Random)):
            yield _of_generator(value)
        elif isinstance(value, np.ndarray):
            if value.flags.writeable and value.nbytes <= left and value.dtype.kind != "O":
                left -= value.nbytes
                yield functools.partial(value.__setitem__, ..., value.copy())
        elif isinstance(value, types.CellType):
            with contextlib.suppress(ValueError):
                held = value.cell_contents
                pending.append(held)
                yield functools.partial(setattr, value, "cell_contents", held)
        elif isinstance(value, types.FunctionType):
            pending += value.__closure__ or ()
        elif isinstance(value, types.SimpleNamespace) or kind.__module__ in own:
            fields = getattr(value, "__dict__", None)
            if type(fields) is dict:
                pending += fields.values()
                yield functools.partial(_refill_dict, fields, dict(fields))


def _refill(value: Any, fill: Callable[[Any], None], old: Any) -> None:
    value.clear()
    fill(old)


def _refill_dict(value: Dict[Any, Any], old: Mapping[Any, Any]) -> None:
    """Put back what changed only: the rest stays in order."""
    for key in [key for key in value if key not in old]:
        del value[key]
    for key, part in old.items():
        if value.get(key, _MISSING) is not part:
            value[key] = part


def _of_generator(value: Any) -> Undo:
    if isinstance(value, np.random.Generator):
        bits, place = value.bit_generator, value.bit_generator.state
        return lambda: setattr(bits, "state", place)
    if isinstance(value, np.random.RandomState):
        state = value.get_state()
        return lambda: value.set_state(state)
    known = value.getstate()
    return lambda: value.setstate(known)
