"""Makes what comes from outside a program, entropy and the clock, the same for both sides."""

from __future__ import annotations

import contextlib
import os
import random
import time
import uuid
from typing import Any, Iterator, List, Optional
from unittest import mock

import tensorflow as tf

#: How far the clock goes from call to call: far enough to be seen in float32 seconds since 1970.
STEP_SECONDS = 2_600_000

_turn: List[int] = [0]


def advance() -> None:
    """Set the clock forward, as before each call of what is checked."""
    _turn[0] += 1


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
    with contextlib.ExitStack() as stack:
        for owner, name, value in (
            (os, "urandom", unconverted(urandom)),
            (random, "_urandom", urandom),
            (random.Random, "seed", seeded),
            (uuid, "uuid1", unconverted(uuid1)),
            (time, "time", unconverted(now)),
            (time, "time_ns", unconverted(now_ns)),
        ):
            stack.enter_context(mock.patch.object(owner, name, value))
        yield
