"""Makes what comes from outside a program, entropy and the clock, the same for both sides."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import sys
import threading
import time
import uuid
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional
from unittest import mock

import numpy as np
import tensorflow as tf

from tfxla_lint.sandbox.inside.owners import is_users

#: How far the clock goes from call to call: far enough to be seen in float32 seconds since 1970.
STEP_SECONDS = 2_600_000


class Reads(NamedTuple):
    """How often the user's code reads a clock: in eager code, and while it is traced."""

    eager: int = 0
    traced: int = 0

    def noted(self) -> Reads:
        """With one more."""
        is_eager = tf.executing_eagerly()
        return Reads(self.eager + is_eager, self.traced + (not is_eager))

    @property
    def total(self) -> int:
        """All of them."""
        return self.eager + self.traced


_THIS = os.path.abspath(__file__)
_AUTOGRAPH = os.path.normpath("tensorflow/python/autograph") + os.sep


def _is_the_users() -> bool:
    """Whether what calls the clock is neither the tool's, nor Python's, nor installed.

    The tool's own timing is called by the user's code, too, so the nearest frame decides.
    """
    frame = sys._getframe(2)
    while frame is not None:
        path = frame.f_code.co_filename
        if path != _THIS and _AUTOGRAPH not in path:
            return is_users(path)
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _clocks() -> Iterator[str]:
    """The clocks of Python that take no argument, in seconds and in nanoseconds."""
    for name in sorted(vars(time)):
        if name.endswith("_ns") and not name.startswith("clock_"):
            yield from (name[: -len("_ns")], name)


_CLOCKS = tuple(_clocks())
#: Where the clocks begin; that of `time.time()` near the truth, since files have times as well.
_BEGINNING = 1000
_TODAY = int(time.time())
#: The seconds of one tick; sums of them are exact.
PACE = 1.0 / 64.0
#: Another one, to see what hangs on the clock.
OTHER_PACE = 1.5 * PACE
#: Reads are so many ticks apart, in turn: no two spans of time are alike, as in truth.
_SPANS = 7


class Clock:
    """A clock that the user's code moves on by reading it, and by nothing else.

    What a program makes of the time then is the same however long it takes, as long as it
    reads the clock equally often.
    """

    def __init__(self, pace: float) -> None:
        self._pace = pace
        self._ticks = 0
        self._count = 0
        self._lock = threading.Lock()
        #: How often it was set forward.
        self.turn = 0
        #: The reads of each clock.
        self.reads: Dict[str, Reads] = {}

    def seconds(self) -> float:
        """The seconds that have passed when it is read once more."""
        with self._lock:
            self._count += 1
            self._ticks += 1 + self._count % _SPANS
            return self._ticks * self._pace

    def sleep(self, seconds: float) -> None:
        """Move it on by a time that the user's code waits."""
        with self._lock:
            self._ticks += max(0, int(seconds / self._pace))

    def today(self) -> float:
        """What `time.time()` gives."""
        return _TODAY + self.turn * STEP_SECONDS + self.seconds()


_clock: List[Clock] = [Clock(PACE)]


def advance() -> None:
    """Set the clock forward, as before each call of what is checked."""
    _clock[0].turn += 1


def clock_reads() -> Dict[str, Reads]:
    """How often the clocks were read since the run began."""
    return dict(sorted(_clock[0].reads.items()))


def _watched(name: str) -> Callable[[], Any]:
    """A clock of Python: the user's code reads ours, everything else the true one."""
    truth = getattr(time, name)

    @functools.wraps(truth)
    def read() -> Any:
        if not _is_the_users():
            return truth()
        clock = _clock[0]
        shown = f"time.{name}()"
        clock.reads[shown] = clock.reads.get(shown, Reads()).noted()
        is_today = name.startswith("time")
        now = clock.today() if is_today else _BEGINNING + clock.seconds()
        # Whole seconds and ticks are exact either way.
        return int(now) * 10**9 + int(now % 1 * 1e9) if name.endswith("_ns") else now

    return read


def _sleeping() -> Callable[[float], None]:
    truth = time.sleep

    @functools.wraps(truth)
    def sleep(seconds: float) -> None:
        if _is_the_users():
            _clock[0].sleep(seconds)
        truth(seconds)

    return sleep


def _timestamp(name: Optional[str] = None) -> Any:
    """`tf.timestamp`, by the clock that the user's Python code reads."""

    def now() -> Any:
        return np.float64(_clock[0].today())

    if tf.executing_eagerly():
        return tf.constant(now())
    stamp = tf.numpy_function(now, [], tf.float64)
    stamp.set_shape(())
    return stamp


@contextlib.contextmanager
def repeatable(seed: int, pace: float = PACE) -> Iterator[None]:
    """Let unseeded generators start alike, and the clock go alike, each time this is entered.

    NumPy's seed sequences, `secrets` and `random.SystemRandom` take their bytes from `random`'s
    name for `os.urandom`.
    """
    source = random.Random(seed)
    plain_seed = random.Random.seed
    unconverted = tf.autograph.experimental.do_not_convert

    def urandom(size: int) -> bytes:
        return source.getrandbits(8 * size).to_bytes(size, "little") if size else b""

    def seeded(self: Any, a: Any = None, version: int = 2) -> None:
        plain_seed(self, source.getrandbits(64) if a is None else a, version)

    def uuid1(node: Optional[int] = None, clock_seq: Optional[int] = None) -> uuid.UUID:
        return uuid.UUID(bytes=urandom(16), version=1)

    _clock[0] = Clock(pace)
    with contextlib.ExitStack() as stack:
        for owner, name, value in (
            (os, "urandom", unconverted(urandom)),
            (random, "_urandom", urandom),
            (random.Random, "seed", seeded),
            (uuid, "uuid1", unconverted(uuid1)),
            (time, "sleep", unconverted(_sleeping())),
            (tf, "timestamp", unconverted(_timestamp)),
            *((time, name, unconverted(_watched(name))) for name in _CLOCKS),
        ):
            stack.enter_context(mock.patch.object(owner, name, value))
        yield
