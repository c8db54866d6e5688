"""Times marked code while a program runs: turns of loops, calls of functions, traces."""

from __future__ import annotations

import statistics
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

import tensorflow as tf

#: So many turns of each loop are noted.
_NOTED = 1000
_CALLS = 15
_AT_LEAST = 3


class Clock:
    """What was timed in one run."""

    def __init__(self) -> None:
        self.turns: Dict[int, List[float]] = {}
        self._began: Dict[int, float] = {}
        self._made: Dict[str, List[Any]] = {}

    def begin(self, number: int) -> None:
        """Note that a loop begins: what lies between two of its runs is no turn."""
        self._began.pop(number, None)

    def turn(self, number: int) -> None:
        """Note that a turn of a loop begins, and with that the turn before ends."""
        if not tf.executing_eagerly():
            return
        now = time.perf_counter()
        before = self._began.get(number)
        self._began[number] = now
        if before is not None:
            turns = self.turns.setdefault(number, [])
            if len(turns) < _NOTED:
                turns.append(1000 * (now - before))

    def made(self, name: str) -> Callable[[Any], Any]:
        """The decorator that keeps what a `tf.function` decorator made."""

        def keep(function: Any) -> Any:
            self._made.setdefault(name, []).append(function)
            return function

        return keep

    def traces(self) -> Dict[str, int]:
        """How often the functions were traced that decorators made."""
        found = {}
        for name, functions in self._made.items():
            counts = [traces_of(function) or 0 for function in functions]
            if sum(counts):
                found[name] = sum(counts)
        return found


def traces_of(function: Any) -> Optional[int]:
    """How often a `tf.function` was traced; None for anything else."""
    count = getattr(function, "experimental_get_tracing_count", None)
    try:
        return int(count()) if count is not None else None
    except Exception:
        return None


def measured(call: Callable[[], Any], seconds: float = 0.3) -> Tuple[float, int]:
    """The median milliseconds of a call, its results fetched, and of how many calls."""
    times: List[float] = []
    stop = time.perf_counter() + seconds
    while len(times) < _CALLS and (time.perf_counter() < stop or len(times) < _AT_LEAST):
        began = time.perf_counter()
        _fetch(call())
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times), len(times)


def _fetch(value: Any) -> None:
    """Wait until a result is there."""
    for leaf in tf.nest.flatten(value):
        if isinstance(leaf, tf.Tensor) and hasattr(leaf, "numpy"):
            leaf.numpy()
