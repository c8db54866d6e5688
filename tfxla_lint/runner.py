"""Runs a session over many files, in worker processes where that pays."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import Catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.session import Mode, Session, Work

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from tfxla_lint.verify.proof import Proof

#: A worker process costs about as much as linting this many files.
_FILES_PER_WORKER = 25


def run(
    works: Sequence[Work],
    catalogue: Catalogue,
    mode: Mode,
    jobs: int | None = None,
    projects: Projects | None = None,
    proof: Proof | None = None,
) -> list[FileResult]:
    """The results of all files, in the order of `works`. `jobs` None: as many as pay.

    Files of one cluster of `projects` go to the same process. With a `proof`, which has a process of
    its own, all stay in this one.
    """
    projects = projects or Projects()
    batches = _batches(works, projects)
    count = min(jobs if jobs is not None else _worth(len(works)), len(batches))
    start = _Start(catalogue, mode, projects)
    if count <= 1 or proof is not None:
        session = start.session(proof)
        with _collecting_between() as collect:
            done = [_process(session, batch.works, collect) for batch in batches]
    else:
        done = _run_in_processes(batches, start, count)
    results: dict[int, FileResult] = {}
    for batch, found in zip(batches, done, strict=True):
        results.update(zip(batch.places, found, strict=True))
    return [results[index] for index in range(len(works))]


@dataclass(frozen=True)
class _Batch:
    """Files to process one after the other, with their places among all."""

    places: tuple[int, ...]
    works: tuple[Work, ...]


@dataclass(frozen=True)
class _Start:
    """What a session is made of."""

    catalogue: Catalogue
    mode: Mode
    projects: Projects

    def session(self, proof: Proof | None = None) -> Session:
        return Session(self.catalogue, self.mode, self.projects, proof)


def _batches(works: Sequence[Work], projects: Projects) -> list[_Batch]:
    """The files by cluster, each of the others by itself, largest batches first."""
    together: dict[object, list[int]] = {}
    for index, work in enumerate(works):
        together.setdefault(projects.cluster(work.path) or index, []).append(index)
    groups = sorted(together.values(), key=len, reverse=True)
    return [_Batch(tuple(group), tuple(works[i] for i in group)) for group in groups]


def _worth(files: int) -> int:
    """How many worker processes pay for this many files."""
    return min(available_processors(), files // _FILES_PER_WORKER)


def available_processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _process(
    session: Session, works: Sequence[Work], collect: Callable[[], None]
) -> list[FileResult]:
    """Process files, after the garbage of earlier ones is gone: a single file leaves none."""
    collect()
    return session.process_together(works)


@contextmanager
def _collecting_between() -> Iterator[Callable[[], None]]:
    """Collects garbage only when asked to: a tree is all alive until its file is done."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield _Collector()
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()


class _Collector:
    """Collects garbage when much has piled up; what the imports made is set aside for good."""

    _THRESHOLD = 100_000

    def __init__(self) -> None:
        self._is_frozen = False

    def __call__(self) -> None:
        if gc.get_count()[0] < self._THRESHOLD:
            return
        gc.collect()
        if not self._is_frozen:
            gc.freeze()
            self._is_frozen = True


_session: Session | None = None
_collect: Callable[[], None] = _Collector()


def _start_worker(start: _Start) -> None:
    """Set a worker process up; the parent answers for interrupts, so that no write is cut off."""
    global _session
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    _session = start.session()


def _process_in_worker(works: Sequence[Work]) -> list[FileResult]:
    if _session is None:
        raise RuntimeError("the worker was not set up")
    return _process(_session, works, _collect)


def _run_in_processes(
    batches: Sequence[_Batch], start: _Start, count: int
) -> list[list[FileResult]]:
    from concurrent.futures.process import BrokenProcessPool

    results: dict[int, list[FileResult]] = {}
    with _executor(start, count) as executor:
        try:
            # Interrupts that were held back while the processes started come up in here.
            with _interrupts_held():
                futures = [executor.submit(_process_in_worker, batch.works) for batch in batches]
            for index, future in enumerate(futures):
                _take(results, index, future, BrokenProcessPool)
        except BaseException:
            executor.shutdown(wait=True, cancel_futures=True)
            raise
    for index, batch in enumerate(batches):
        if index not in results:
            results[index] = [_process_alone(work, start) for work in batch.works]
    return [results[index] for index in range(len(batches))]


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while processes start: they inherit that, so only the parent answers."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _take(
    results: dict[int, list[FileResult]],
    index: int,
    future: Future[list[FileResult]],
    broken: type[BaseException],
) -> None:
    """Keep a result; where a worker died, nobody knows of which file: leave it out."""
    try:
        results[index] = future.result()
    except broken:
        return


def _process_alone(work: Work, start: _Start) -> FileResult:
    """The result of a file that a dying worker may have died of."""
    from concurrent.futures.process import BrokenProcessPool

    with _executor(start, 1) as executor:
        try:
            return executor.submit(_process_in_worker, (work,)).result()[0]
        except BrokenProcessPool:
            return FileResult(work.shown, problem="the process that linted it died")


def _executor(start: _Start, count: int) -> ProcessPoolExecutor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(
        count,
        multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(start,),
    )
