"""Takes note of each call, turn and trace while the program runs, and writes what it has."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from tfxla_lint.profile.recorder.describing import describe
from tfxla_lint.profile.recorder.records import Described, Function, Loop
from tfxla_lint.recording import FORMAT, VERSION

clock = time.perf_counter

#: What is run this often and takes no longer is counted, and no more.
_CHEAP_CALLS, _CHEAP_SECONDS = 20_000, 20e-6
#: Results are written at least this many seconds apart, and cost at most a fiftieth of the run.
_PAUSE, _SHARE = 2.0, 50
_ATTEMPTS = 20


class Observer:
    """Holds the records of all functions and loops; its methods are what instrumented code calls.

    None of them raises, whatever the program's values do.
    """

    def __init__(self, root: str, output: str) -> None:
        self.root = root
        self.functions: list[Function] = []
        self.loops: list[Loop] = []
        self.by_code: dict[tuple[str, int, str], int] = {}
        self._ambiguous: set[tuple[str, int, str]] = set()
        self.is_eager: Callable[[], bool] = lambda: True
        self.is_symbolic: Callable[[], bool] = lambda: False
        self._output = output
        self._local = threading.local()
        self._started = clock()
        self._next_write = self._started + _PAUSE
        self._process = os.getpid()
        self._writing = threading.Lock()

    # What the instrumenter registers

    def add_function(self, record: Function, key: tuple[str, int, str]) -> int:
        """Register a function; its code is found by file, first line and name."""
        self.functions.append(record)
        self.by_code[key] = len(self.functions) - 1
        return len(self.functions) - 1

    def add_lambda(self, record: Function, key: tuple[str, int, str]) -> None:
        """Register a function without a name; of several with one key none is known."""
        is_known = key in self.by_code or key in self._ambiguous
        if is_known:
            self.by_code.pop(key, None)
            self._ambiguous.add(key)
        else:
            self.add_function(record, key)

    def add_loop(self, record: Loop) -> int:
        """Register a loop."""
        self.loops.append(record)
        return len(self.loops) - 1

    # What instrumented functions call

    def enter(self, index: int, values: tuple[Any, ...]) -> None:
        """A function's body begins."""
        record = self.functions[index]
        if record.is_cheap:
            record.eager += 1
            return
        try:
            stack = self._stack()
            stack.append((index, clock() if self._count(record, index, values) else 0.0))
        except Exception:
            return

    def count(self, index: int, values: tuple[Any, ...]) -> None:
        """The body of a generator or coroutine begins; nothing tells when it ends."""
        try:
            self._count(self.functions[index], index, values)
        except Exception:
            return

    def leave(self, index: int) -> None:
        """A function's body ends, in whatever way."""
        record = self.functions[index]
        if record.is_cheap:
            return
        now = clock()
        try:
            stack = self._stack()
            while stack:
                found, start = stack.pop()
                if found == index:
                    break
            else:
                return
            if not start:
                return
            times = record.times["eager"]
            times.add(now - start)
            if times.count == _CHEAP_CALLS and times.total < _CHEAP_CALLS * _CHEAP_SECONDS:
                record.is_cheap = True
            self.write_when_due(now)
        except Exception:
            return

    def _stack(self) -> list[tuple[int, float]]:
        try:
            return self._local.stack  # type: ignore[no-any-return]
        except AttributeError:
            self._local.stack = []
            self._local.converting = []
            return self._local.stack  # type: ignore[no-any-return]

    def _count(self, record: Function, index: int, values: tuple[Any, ...]) -> bool:
        """Count a call of a body; whether it runs eagerly."""
        if self.is_eager():
            record.eager += 1
            if record.is_due():
                record.observe(dict(self._described(record, values)))
            return True
        self._stack()
        converting = self._local.converting
        if converting and converting[-1] == index:
            converting.pop()
        else:
            self._count_trace(record)
        return False

    def _described(self, record: Function, values: tuple[Any, ...]) -> list[tuple[str, Described]]:
        return [(record.names[i], describe(value)) for i, value in enumerate(values)]

    def _count_trace(self, record: Function) -> None:
        if self.is_symbolic():
            record.symbolic += 1
        else:
            record.traced += 1

    # What loops call

    def loop(self, index: int) -> None:
        """A loop is about to start."""
        record = self.loops[index]
        record.entries += 1
        record.last = 0.0

    def turn(self, index: int) -> None:
        """A turn of a loop begins."""
        record = self.loops[index]
        if record.is_cheap:
            record.turns += 1
            return
        if not self.is_eager():
            return
        record.turns += 1
        now = clock()
        if record.last:
            times = record.times
            times.add(now - record.last)
            if times.count == _CHEAP_CALLS and times.total < _CHEAP_CALLS * _CHEAP_SECONDS:
                record.is_cheap = True
        record.last = now
        self.write_when_due(now)

    # What AutoGraph calls

    def converted(self, function: Any) -> None:
        """AutoGraph is about to call a function, by its source or, where it must not, as it is."""
        code = getattr(function, "__code__", None)
        if code is None:
            return
        index = self.by_code.get((code.co_filename, code.co_firstlineno, code.co_name))
        if index is None or self.is_eager():
            return
        self._count_trace(self.functions[index])
        self._stack()
        self._local.converting[:] = [*self._local.converting[-31:], index]

    # The file

    def write_when_due(self, now: float) -> None:
        """Write what there is, if the last time was long enough ago."""
        if now < self._next_write or os.getpid() != self._process:
            return
        self._next_write = now + 3600.0
        self.write()
        took = clock() - now
        self._next_write = clock() + max(_PAUSE, took * _SHARE)

    def write(self, complete: bool = False) -> None:
        """Write the file; a process that the program forked writes nothing."""
        if os.getpid() != self._process or not self._writing.acquire(blocking=False):
            return
        part = self._output + ".part"
        try:
            text = self._text(complete)
            with open(part, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(part, self._output)
        except (OSError, RuntimeError, ValueError) as error:
            sys.stderr.write(f"tfxla-lint: cannot write the recording: {error}\n")
        finally:
            self._writing.release()

    def _text(self, complete: bool) -> str:
        """The file's text; other threads may add to the records meanwhile."""
        for _ in range(_ATTEMPTS):
            try:
                return json.dumps(self.to_json(complete))
            except RuntimeError:
                continue
        return json.dumps(self.to_json(complete))

    def to_json(self, complete: bool) -> dict[str, Any]:
        """The content of the file."""
        tensorflow = sys.modules.get("tensorflow")
        functions = [f for f in self.functions if f.eager or f.graph or f.traced or f.symbolic]
        return {
            "format": FORMAT,
            "version": VERSION,
            "root": self.root,
            "python": ".".join(str(part) for part in sys.version_info[:3]),
            "tensorflow": getattr(tensorflow, "__version__", None),
            "seconds": clock() - self._started,
            "complete": complete,
            "functions": [function.to_json() for function in functions],
            "loops": [loop.to_json() for loop in self.loops if loop.entries],
        }
