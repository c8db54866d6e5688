"""Counts how often marked code runs, and records what marked functions return.

The parent marks code in the source: `__txl_hit__("train_step")` as a statement, and
`@__txl_boundary__("train_step")` as the outermost decorator.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import statistics
import time
from typing import Any, Callable, Dict, Iterator, List, Set, Tuple

import tensorflow as tf

from tfxla_lint.verify.worker.nodes import Node, Recorder
from tfxla_lint.verify.worker.sides import Side, own_modules

#: So many calls of each function are recorded; after that they are only counted.
RECORDED = 24
#: Functions whose call takes longer than this are not called again to be timed.
_LONG = 2.0
_TIMED = 4


class Watch:
    """What was seen of one run."""

    def __init__(self, own: Set[str]) -> None:
        self._own = own
        self.hits: Dict[str, int] = {}
        self.calls: Dict[str, List[Node]] = {}
        self._last: Dict[str, Tuple[float, Callable[[], Any]]] = {}

    def hit(self, name: str) -> None:
        """Note that the code `name` runs."""
        self.hits[name] = self.hits.get(name, 0) + 1

    def returned(self, name: str, value: Any) -> None:
        """Note what the function `name` returned."""
        calls = self.calls.setdefault(name, [])
        if len(calls) < RECORDED:
            calls.append(Recorder(self._own).record(value))

    def called(self, name: str, seconds: float, again: Callable[[], Any]) -> None:
        """Note how long the last call took, and how to repeat it."""
        self._last[name] = (seconds, again)

    def times(self) -> Dict[str, float]:
        """The median milliseconds of the last call of each function, repeated."""
        found = {}
        for name, (seconds, again) in list(self._last.items())[:_TIMED]:
            if seconds < _LONG:
                try:
                    found[name] = median_milliseconds(again)
                except Exception:
                    continue
        return found

    def boundary(self, name: str) -> Callable[[Any], Any]:
        """The decorator that watches a function."""
        return lambda function: Boundary(function, name, self)


class Boundary:
    """Stands for a function, records what eager calls of it return, and is else that function."""

    def __init__(self, function: Any, name: str, watch: Watch) -> None:
        self.__wrapped__ = function
        self._txl = (name, watch)
        with contextlib.suppress(Exception):
            functools.update_wrapper(self, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function; record the result where there is one already."""
        if tf.executing_eagerly():
            return self._recorded(args, kwargs)
        # Plain, so that AutoGraph goes on into the function.
        return self.__wrapped__(*args, **kwargs)

    def _recorded(self, args: Any, kwargs: Any) -> Any:
        name, watch = self._txl
        watch.hit(name)
        began = time.perf_counter()
        result = self.__wrapped__(*args, **kwargs)
        seconds = time.perf_counter() - began
        watch.called(name, seconds, functools.partial(self.__wrapped__, *args, **kwargs))
        watch.returned(name, result)
        return result

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        name, watch = self._txl
        return Boundary(self.__wrapped__.__get__(instance, owner), name, watch)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__wrapped__, name)


def median_milliseconds(call: Callable[[], Any], seconds: float = 0.3) -> float:
    """The median time of a call, its results fetched."""
    times: List[float] = []
    stop = time.perf_counter() + seconds
    while len(times) < 15 and (time.perf_counter() < stop or not times):
        began = time.perf_counter()
        _fetch(call())
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def _fetch(value: Any) -> None:
    """Wait until a result is there."""
    for leaf in tf.nest.flatten(value):
        if isinstance(leaf, tf.Tensor) and hasattr(leaf, "numpy"):
            leaf.numpy()


@contextlib.contextmanager
def watching(side: Side) -> Iterator[Watch]:
    """Give marked code its functions while a side runs."""
    watch = Watch({"__main__"} | own_modules(side))
    space = vars(builtins)
    space["__txl_hit__"] = tf.autograph.experimental.do_not_convert(watch.hit)
    space["__txl_boundary__"] = watch.boundary
    try:
        yield watch
    finally:
        del space["__txl_hit__"], space["__txl_boundary__"]
