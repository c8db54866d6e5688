"""Makes what comes from outside a program, entropy and the clock, the same for both sides."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import sys
import sysconfig
import time
import uuid
from typing import Any, Callable, Dict, Iterator, List, Optional
from unittest import mock

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
        """Count a read, if the user's code makes it."""
        if _is_the_users():
            if tf.executing_eagerly():
                self.eager += 1
            else:
                self.traced += 1

    @property
    def total(self) -> int:
        """All of them."""
        return self.eager + self.traced


_HERE = os.path.dirname(os.path.abspath(__file__))
_LIBRARY = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib")})
_AUTOGRAPH = os.path.join("tensorflow", "python", "autograph", "")


def _is_the_users() -> bool:
    """Whether what calls the clock is neither this worker, nor Python's, nor installed."""
    frame = sys._getframe(2)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith(_HERE) and _AUTOGRAPH not in path:
            is_installed = "site-packages" in path or "dist-packages" in path
            return not is_installed and not path.startswith((*_LIBRARY, "<frozen"))
        frame = frame.f_back  # type: ignore[assignment]
    return False


#: The reads of the clocks in the present run, by the name of the clock.
_reads: Dict[str, Reads] = {}


def clock_reads() -> Dict[str, Reads]:
    """How often the clocks were read since the run began."""
    return dict(_reads)


def _counting(name: str, clock: Callable[[], Any]) -> Callable[[], Any]:
    """A clock that counts who reads it."""
    reads = _reads[name] = Reads()

    @functools.wraps(clock)
    def read() -> Any:
        reads.note()
        return clock()

    return read


@contextlib.contextmanager
def repeatable(seed: int) -> Iterator[None]:
    """Let unseeded generators start alike, and the clock stand alike, each time this is entered.

    NumPy's seed sequences, `secrets` and `random.SystemRandom` take their bytes from `random`'s
    name for `os.urandom`.
    """
    source = random.Random(seed)
    plain_seed, plain_time, plain_ns = random.Random.seed, time.time, time.time_ns
    unconverted = tf.autograph.experimental.do_not_convert

    def urandom(size: int) -> bytes:
        return source.getrandbits(8 * size).to_bytes(size, "little") if size else b""

    def seeded(self: Any, a: Any = None, version: int = 2) -> None:
        plain_seed(self, source.getrandbits(64) if a is None else a, version)

    def uuid1(node: Optional[int] = None, clock_seq: Optional[int] = None) -> uuid.UUID:
        return uuid.UUID(bytes=urandom(16), version=1)

    def now() -> float:
        return plain_time() + _turn[0] * STEP_SECONDS

    def now_ns() -> int:
        return plain_ns() + _turn[0] * STEP_SECONDS * 10**9

    _turn[0] = 0
    _reads.clear()
    clocks = {"time": now, "time_ns": now_ns}
    clocks.update(perf_counter=time.perf_counter, monotonic=time.monotonic)
    with contextlib.ExitStack() as stack:
        for owner, name, value in (
            (os, "urandom", unconverted(urandom)),
            (random, "_urandom", urandom),
            (random.Random, "seed", seeded),
            (uuid, "uuid1", unconverted(uuid1)),
            *(
                (time, name, unconverted(_counting(f"time.{name}()", clock)))
                for name, clock in clocks.items()
            ),
        ):
            stack.enter_context(mock.patch.object(owner, name, value))
        yield
