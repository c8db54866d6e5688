"""Runs a session over many files, in worker processes where that pays."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import Catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.session import Session
from tfxla_lint.work import Mode, Work

if TYPE_CHECKING:
    from tfxla_lint.verify.proof import Proof
    from tfxla_lint.worlds import Trees

#: A worker process costs about as much as linting this many files.
_FILES_PER_WORKER = 25


def run(
    works: Sequence[Work],
    catalogue: Catalogue,
    mode: Mode,
    jobs: int | None = None,
    projects: Projects | None = None,
    proof: Proof | None = None,
    told: Callable[[int], None] = lambda count: None,
    trees: Trees | None = None,
) -> list[FileResult]:
    """The results of all files, in the order of `works`. `jobs` None: as many as pay.

    `told` hears how many files have been done since it heard last. `trees` are those of earlier runs.

    Files of one cluster of `projects` go to the same process. With a `proof`, which has a process of
    its own, all stay in this one.
    """
    projects = projects or Projects()
    batches = _batches(works, projects)
    count = min(jobs if jobs is not None else _worth(len(works)), len(batches))
    start = _Start(catalogue, mode, projects, trees)
    if count <= 1 or proof is not None:
        done = _run_here(batches, start, proof, told)
    else:
        done = _run_in_processes(batches, start, count, told)
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
    trees: Trees | None

    def session(
        self, proof: Proof | None = None, told: Callable[[int], None] = lambda count: None
    ) -> Session:
        return Session(self.catalogue, self.mode, self.projects, proof, told=told, trees=self.trees)

    def __call__(self) -> Callable[[Sequence[Work]], list[FileResult]]:
        """What a worker process does with the files that it is handed."""
        gc.disable()
        session, collect = self.session(), _Collector()
        return lambda works: _process(session, works, collect)

    @property
    def packages(self) -> set[str]:
        """The packages that the rules come from; those of plug-ins may lie anywhere."""
        return {rule.module.partition(".")[0] for rule in self.catalogue.rules}


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
        # All that is left is young, and would be looked through at once: so it counts as old.
        gc.freeze()
        gc.unfreeze()
        if was_enabled:
            gc.enable()


class _Collector:
    """Collects garbage when much has piled up; what the imports made is set aside for good.

    To look through all that lives costs as much as to lint several files, so it waits until there
    is some hundred megabytes to win.
    """

    _THRESHOLD = 1_000_000

    def __init__(self) -> None:
        self._is_frozen = False

    def __call__(self) -> None:
        if gc.get_count()[0] < self._THRESHOLD:
            return
        gc.collect()
        if not self._is_frozen:
            gc.freeze()
            self._is_frozen = True


def _run_here(
    batches: Sequence[_Batch],
    start: _Start,
    proof: Proof | None,
    told: Callable[[int], None],
) -> list[list[FileResult]]:
    session = start.session(proof, told)
    with _collecting_between() as collect:
        return [_process(session, batch.works, collect) for batch in batches]


def _run_in_processes(
    batches: Sequence[_Batch], start: _Start, count: int, told: Callable[[int], None]
) -> list[list[FileResult]]:
    """The results by batch; where no process can be started, this one does the work.

    Where a process died, nobody knows of which file: those of its batch are processed one by one.
    """
    from tfxla_lint.workers.pool import WorkersUnavailable, apply

    try:
        jobs = [batch.works for batch in batches]
        done = apply(
            start, jobs, count, start.packages, lambda index: told(len(batches[index].places))
        )
        for index, batch in enumerate(batches):
            if index not in done:
                singles = [(work,) for work in batch.works]
                alone = apply(start, singles, 1, start.packages)
                done[index] = [_alone(work, alone.get(i)) for i, work in enumerate(batch.works)]
    except WorkersUnavailable:
        return _run_here(batches, start, None, told)
    return [done[index] for index in range(len(batches))]


def _alone(work: Work, results: Sequence[FileResult] | None) -> FileResult:
    """The result of a file that had a process to itself, None where that died."""
    if results is None:
        return FileResult(work.shown, problem="the process that linted it died")
    return results[0]
