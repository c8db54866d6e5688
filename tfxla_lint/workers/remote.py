"""Applies a function to many things by an executor, whose workers may lie on other machines."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from tfxla_lint.digests import digest
from tfxla_lint.workers.far import Outcome, work
from tfxla_lint.workers.pool import Maker

Job = TypeVar("Job")
Result = TypeVar("Result")

#: How often a job is given to workers that are lost with it.
_TRIES = 2
#: How many bytes of jobs are out at a time: this process reads files no faster than they are linted.
_BYTES_OUT = 50_000_000
_TICK = 0.1
#: So long, in seconds, an executor may be without a worker.
_PATIENCE = 20.0


class ExecutorError(Exception):
    """An executor that cannot be reached, or whose workers cannot do what they are asked for."""


class _DesertedError(Exception):
    """An executor has lost all its workers, or its own place."""


def apply_far(
    executor: Executor,
    maker: Maker[Job, Result],
    jobs: Iterator[Job],
    told: Callable[[int], None] = lambda index: None,
) -> dict[int, Result]:
    """The results of all jobs by their index, without those that no worker lived to give.

    `told` hears of each job that is done. An executor that says by `is_deserted()` that nobody works
    for it is waited for no longer than a while. Raises ExecutorError.
    """
    return _Applying[Job, Result](executor, maker, told).run(jobs)


@dataclass
class _Task:
    """A job that is out: its index, its bytes, how often it was tried, whether the maker goes along."""

    index: int
    job: bytes
    tries: int = 0
    is_taught: bool = False


class _Applying(Generic[Job, Result]):
    """One run: jobs go out while there is room, and again where a worker was lost."""

    def __init__(
        self, executor: Executor, maker: Maker[Job, Result], told: Callable[[int], None]
    ) -> None:
        self._executor = executor
        self._maker = pickle.dumps(maker, pickle.HIGHEST_PROTOCOL)
        self._name = digest(self._maker)
        self._told = told
        self._out: dict[Future[bytes], _Task] = {}
        self._ended: SimpleQueue[Future[bytes]] = SimpleQueue()
        self._is_deserted = getattr(executor, "is_deserted", lambda: False)
        self._is_broken = False
        self._results: dict[int, Result] = {}

    def run(self, jobs: Iterator[Job]) -> dict[int, Result]:
        size = 0
        try:
            for index, job in enumerate(jobs):
                task = _Task(index, pickle.dumps(job, pickle.HIGHEST_PROTOCOL))
                size += len(task.job)
                self._send(task)
                while self._out and size > _BYTES_OUT:
                    size -= self._take()
            while self._out:
                self._take()
        except _DesertedError:
            self._is_broken = True
        finally:
            for future in list(self._out):
                with suppress(Exception):
                    future.cancel()
        return self._results

    def _send(self, task: _Task) -> None:
        if self._is_broken:
            return
        maker = self._maker if task.is_taught else None
        try:
            future = self._executor.submit(work, self._name, maker, task.job)
        except (BrokenExecutor, RuntimeError):
            self._is_broken = True
            return
        self._out[future] = task
        future.add_done_callback(self._ended.put)

    def _take(self) -> int:
        """Wait for one task to end, and see to it; the bytes that are out no more."""
        future = self._next()
        task = self._out.pop(future)
        try:
            outcome, answer = pickle.loads(future.result())
        except (ImportError, AttributeError) as error:
            raise ExecutorError(f"its workers lack this tool: {error}") from error
        except Exception:
            task.tries += 1
            if task.tries < _TRIES:
                self._send(task)
                return 0
            return len(task.job)
        if outcome is Outcome.UNKNOWN:
            task.is_taught = True
            self._send(task)
            return 0
        if outcome is not Outcome.DONE:
            raise ExecutorError(str(answer))
        self._results[task.index] = answer
        self._told(task.index)
        return len(task.job)

    def _next(self) -> Future[bytes]:
        # On Windows only a wait that ends by itself can be interrupted.
        manned = time.monotonic()
        while True:
            with suppress(Empty):
                return self._ended.get(timeout=_TICK)
            if not self._is_deserted():
                manned = time.monotonic()
            elif time.monotonic() - manned >= _PATIENCE:
                raise _DesertedError
