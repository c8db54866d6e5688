"""Makes what comes from outside a program, entropy and the clock, the same for both sides."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import sys
import sysconfig
import threading
import time
import uuid
from typing import Any, Callable, Dict, Iterator, List, Optional
from unittest import mock

import numpy as np
import tensorflow as tf

#: How far the clock goes from call to call: far enough to be seen in float32 seconds since 1970.
STEP_SECONDS = 2_600_000

_turn: List[int] = [0]


def advance() -> None:
    """Set the clock forward, as before each call of what is checked."""
    _turn[0] += 1


class Reads:
    """How often the user's code reads a clock: in eager code, and while it is traced."""

    def __init__(self) -> None:
        self.eager = 0
        self.traced = 0

    def note(self) -> None:
        """Count a read."""
        if tf.executing_eagerly():
            self.eager += 1
        else:
            self.traced += 1

    def copy(self) -> Reads:
        """The numbers as they are now."""
        found = Reads()
        found.eager, found.traced = self.eager, self.traced
        return found

    @property
    def total(self) -> int:
        """All of them."""
        return self.eager + self.traced


_THIS = os.path.abspath(__file__)
#: Where the tool's own modules lie.
_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(_THIS))), "")
#: Where Python's own modules lie.
LIBRARY = tuple(os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "platstdlib"))
_AUTOGRAPH = os.path.normpath("tensorflow/python/autograph") + os.sep


def _is_the_users() -> bool:
    """Whether what calls the clock is neither the tool's, nor Python's, nor installed.

    The tool's own timing is called by the user's code, too, so the nearest frame decides.
    """
    frame = sys._getframe(2)
    while frame is not None:
        path = frame.f_code.co_filename
        if path != _THIS and _AUTOGRAPH not in path:
            is_installed = "site-packages" in path or "dist-packages" in path
            return not is_installed and not path.startswith((_OURS, *LIBRARY, "<frozen"))
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
        #: The reads of each clock.
        self.reads = {f"time.{name}()": Reads() for name in _CLOCKS}

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
        return _TODAY + _turn[0] * STEP_SECONDS + self.seconds()


_clock: List[Clock] = [Clock(PACE)]


def clock_reads() -> Dict[str, Reads]:
    """How often the clocks were read since the run began."""
    return {name: reads.copy() for name, reads in _clock[0].reads.items() if reads.total}


def _watched(name: str) -> Callable[[], Any]:
    """A clock of Python: the user's code reads ours, everything else the true one."""
    truth = getattr(time, name)

    @functools.wraps(truth)
    def read() -> Any:
        if not _is_the_users():
            return truth()
        clock = _clock[0]
        clock.reads[f"time.{name}()"].note()
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

    _turn[0] = 0
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
