"""Applies a function to many things in processes of their own.

In place of `multiprocessing`, whose processes import from the parent's working folder and outlive
a parent that is killed.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

from tfxla_lint.isolation import trusted_path
from tfxla_lint.workers import child
from tfxla_lint.workers.child import Place, receive, send

Job = TypeVar("Job")
Result = TypeVar("Result")
#: What a worker makes of its first message: the function to apply. It is pickled.
Maker = Callable[[], Callable[[Job], Result]]

_OWN_PACKAGE = __name__.partition(".")[0]
_TICK = 0.1
_END_SECONDS = 5.0


class WorkersUnavailable(Exception):
    """A worker process did not come to the point of taking jobs."""


class _Died(Exception):
    """A worker process ended before it gave an answer."""


def apply(
    maker: Maker[Job, Result],
    jobs: Sequence[Job],
    count: int,
    packages: Iterable[str] = (),
    told: Callable[[int], None] = lambda index: None,
) -> dict[int, Result]:
    """The results of all jobs by their index, without those of which a process died.

    The processes import from where installed modules lie, and `packages` from where this process
    has them. `told` hears of each job that is done. Raises WorkersUnavailable.
    """
    pool = _Pool(maker, jobs, _places([_OWN_PACKAGE, *packages]), told)
    pool.run(count)
    return pool.results


class _Pool(Generic[Job, Result]):
    """One thread for each process hands it jobs and waits for what comes back."""

    def __init__(
        self,
        maker: Maker[Job, Result],
        jobs: Sequence[Job],
        places: dict[str, Place],
        told: Callable[[int], None],
    ) -> None:
        self._maker = maker
        self._jobs = jobs
        self._places = places
        self._told = told
        self._waiting = deque(range(len(jobs)))
        self._workers: list[_Worker[Job, Result]] = []
        self._error: BaseException | None = None
        self.results: dict[int, Result] = {}

    def run(self, count: int) -> None:
        threads = [threading.Thread(target=self._run_one, daemon=True) for _ in range(count)]
        try:
            # Interrupts that were held back while the threads started come up in here.
            with _interrupts_held():
                for thread in threads:
                    thread.start()
            for thread in threads:
                while thread.is_alive():
                    # On Windows only a wait that ends by itself can be interrupted.
                    thread.join(_TICK)
        finally:
            self._waiting.clear()
            self._stop(self._workers)
        if self._error is not None:
            raise self._error

    def _run_one(self) -> None:
        worker: _Worker[Job, Result] | None = None
        try:
            while (index := self._next()) is not None:
                worker = worker or self._start()
                try:
                    self.results[index] = worker(self._jobs[index])
                    self._told(index)
                except _Died:
                    self._stop([worker])
                    worker = None
        except BaseException as error:
            self._error = self._error or error
            self._waiting.clear()
        finally:
            if worker is not None:
                self._stop([worker])

    def _next(self) -> int | None:
        try:
            return self._waiting.popleft()
        except IndexError:
            return None

    def _stop(self, workers: Sequence[_Worker[Job, Result]]) -> None:
        for worker in workers:
            worker.dismiss()
        for worker in workers:
            worker.wait()

    def _start(self) -> _Worker[Job, Result]:
        worker: _Worker[Job, Result] = _Worker()
        self._workers.append(worker)
        try:
            worker.prepare(trusted_path(), self._places, self._maker)
        except _Died:
            raise WorkersUnavailable("a worker process ended while it started") from None
        return worker


class _Worker(Generic[Job, Result]):
    """A worker process."""

    def __init__(self) -> None:
        try:
            self._process = subprocess.Popen(
                _command(),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise WorkersUnavailable(error.strerror or str(error)) from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._questions = self._process.stdin
        self._answers = self._process.stdout

    def prepare(self, path: list[str], places: dict[str, Place], maker: Maker[Job, Result]) -> None:
        """Wait until the process can take jobs; raises _Died."""
        self._send((path, places))
        self._send(maker)
        self._receive()

    def __call__(self, job: Job) -> Result:
        """What the function gives for one job; raises _Died."""
        self._send(job)
        result: Result = pickle.loads(self._receive())
        return result

    def dismiss(self) -> None:
        """Let the process put away what it has begun, and end."""
        with suppress(OSError):
            self._questions.close()

    def wait(self) -> None:
        """Wait for the end of a process that was dismissed, for some seconds."""
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, value: object) -> None:
        try:
            send(self._questions, value)
        except (OSError, ValueError) as error:
            raise _Died from error

    def _receive(self) -> bytes:
        try:
            return receive(self._answers)
        except (EOFError, OSError) as error:
            raise _Died from error


def _command() -> list[str]:
    """The command of a worker: nothing of the environment or of any folder has a say in it."""
    options = ["-I", "-S", "-X", f"utf8={sys.flags.utf8_mode}", *["-O"] * sys.flags.optimize]
    if sys.dont_write_bytecode:
        options.append("-B")
    if sys.pycache_prefix is not None:
        options += ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    if not sys.executable:
        raise WorkersUnavailable("the interpreter does not know where it lies")
    return [sys.executable, *options, str(Path(child.__file__).resolve())]


def _places(names: Iterable[str]) -> dict[str, Place]:
    """Where this process has imported packages from."""
    places: dict[str, Place] = {}
    for name in names:
        spec = getattr(sys.modules.get(name), "__spec__", None)
        if spec is not None:
            folders = spec.submodule_search_locations
            file = spec.origin if spec.has_location else None
            places[name] = (file, None if folders is None else list(folders))
    return places


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while threads start: they and their processes inherit that, so only the
    main thread answers.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
