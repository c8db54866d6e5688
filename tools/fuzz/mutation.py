"""Bytes put together at random, kept where they reach code that nothing reached before."""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

#: A run of a target that takes longer than this is a hang.
SLOW_SECONDS = 10.0
#: Inputs do not grow beyond this.
_LONGEST = 20_000
_BYTES = (b"\0", b"\n", b"\r", b"\r\n", b"\f", b"\x1a", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80",
          b"\xe2\x80\xa8", b"\xf0\x9f\x90\x8d", b'"', b"'", b'"""', b"\\", b"#", b"{", b"}", b"[", b"]",
          b"(", b")", b",", b":", b"-1", b"1e999", b"9" * 5_000, b"NaN", b"null", b"true", b"[" * 3_000,
          b"{\"a\":" * 2_000, b" " * 300, b"\t")  # fmt: skip

Target = Callable[[bytes], object]
_Tracer = Callable[[FrameType, str, Any], Any]


class Reached:
    """The lines of some package that runs have reached."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._left: dict[CodeType, set[int] | None] = {}
        self.count = 0

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note the lines that run meanwhile."""
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)

    def _call(self, frame: FrameType, event: str, argument: object) -> _Tracer | None:
        code = frame.f_code
        if code not in self._left:
            is_ours = self._package in code.co_filename
            lines = {line for _, _, line in code.co_lines() if line is not None}
            self._left[code] = lines if is_ours else None
        # Of a function whose lines are all known nothing more is asked.
        return self._line if self._left[code] else None

    def _line(self, frame: FrameType, event: str, argument: object) -> _Tracer | None:
        left = self._left[frame.f_code]
        if left and frame.f_lineno in left:
            left.discard(frame.f_lineno)
            self.count += 1
        return self._line if left else None


@dataclass
class Outcome:
    """What fuzzing a target gave; `faults` are inputs with what they raised, one for each place."""

    name: str
    runs: int = 0
    data: int = 0
    lines: int = 0
    kept: int = 0
    seconds: float = 0.0
    faults: dict[str, tuple[bytes, str]] = field(default_factory=dict)

    def told(self) -> str:
        """A line that says it."""
        return (
            f"{self.name}: {self.runs} inputs, {self.data} bytes in {self.seconds:.0f} s;"
            f" {self.lines} lines reached, {self.kept} inputs kept, {len(self.faults)} faults"
        )


def fuzz(
    name: str,
    target: Target,
    seeds: Sequence[bytes],
    words: Sequence[bytes],
    dice: random.Random,
    seconds: float,
    package: str = "tfxla_lint",
    enough: int = 20,
) -> Outcome:
    """Run a target on mutations of `seeds` for some seconds, or until it has `enough` faults.

    `words` are what its language is made of. A target raises for what must never be. Lines count
    that lie in `package`.
    """
    outcome = Outcome(name)
    reached = Reached(package)
    kept = list(seeds)
    started = time.monotonic()
    fresh = iter(seeds)
    while time.monotonic() < started + seconds and len(outcome.faults) < enough:
        data = next(fresh, None)
        if data is None:
            data = mutated(kept, words, dice)
        before = reached.count
        fault = _fault(target, data, reached)
        if fault is not None:
            outcome.faults.setdefault(fault[0], (data, fault[1]))
        elif reached.count > before:
            kept.append(data)
        outcome.runs += 1
        outcome.data += len(data)
    outcome.lines, outcome.kept = reached.count, len(kept) - len(seeds)
    outcome.seconds = time.monotonic() - started
    return outcome


def _fault(target: Target, data: bytes, reached: Reached) -> tuple[str, str] | None:
    """The place and the traceback of what a target raises."""
    began = time.process_time()
    try:
        with reached.noting():
            target(data)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [f for f in frames if "tfxla_lint" in f.filename] or frames
        return (
            f"{type(error).__name__} {ours[-1].filename}:{ours[-1].lineno}",
            traceback.format_exc(),
        )
    if time.process_time() - began > SLOW_SECONDS:
        return "slow", f"it took {time.process_time() - began:.0f} seconds"
    return None


def mutated(pool: Sequence[bytes], words: Sequence[bytes], dice: random.Random) -> bytes:
    """A few changes to one of a pool."""
    data = bytearray(dice.choice(pool))
    for _ in range(dice.choice((1, 1, 2, 3, 6))):
        place = dice.randint(0, len(data))
        end = min(len(data), place + dice.choice((1, 1, 4, 16, 80)))
        kind = dice.randrange(7)
        if kind == 0 and data:
            data[min(place, len(data) - 1)] = dice.randrange(256)
        elif kind == 1:
            del data[place:end]
        elif kind == 2:
            data[place:place] = dice.choice(words)
        elif kind == 3:
            data[place:place] = dice.choice(_BYTES)
        elif kind == 4:
            data[place:place] = data[place:end] * dice.choice((1, 2, 30))
        elif kind == 5:
            other = dice.choice(pool)
            start = dice.randint(0, len(other))
            data[place:end] = other[start : start + dice.choice((4, 20, 200))]
        else:
            data[place:end] = dice.choice(words)
    return bytes(data[:_LONGEST])
