"""Runs a session over many files, in worker processes where that pays, or on other machines."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tfxla_lint.batches import Batch, Start, batches_of, collecting_between, opened, process
from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import Catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.work import Mode, Work

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfxla_lint.verify.proof import Proof, Proving
    from tfxla_lint.worlds import Trees

#: A worker process costs about as much as linting this many files.
_FILES_PER_WORKER = 25


def run(
    works: Sequence[Work],
    catalogue: Catalogue,
    mode: Mode,
    jobs: int | None = None,
    projects: Projects | None = None,
    proof: Proof | Proving | None = None,
    told: Callable[[int], None] = lambda count: None,
    executor: Executor | None = None,
    trees: Trees | None = None,
) -> list[FileResult]:
    """The results of all files, in the order of `works`. `jobs` None: as many as pay.

    `told` hears how many files have been done since it heard last. `trees` are those of earlier runs.

    Files of one cluster of `projects` go to the same process. With a `proof`, which has a process of
    its own, all stay in this one. An `executor` takes the place of processes of this machine, which
    do what it loses.
    """
    projects = projects or Projects()
    batches = batches_of(works, projects)
    start = Start(catalogue, mode, projects, trees)
    results: dict[int, FileResult] = {}
    if executor is not None and works:
        from tfxla_lint.away import run_away

        results = run_away(batches, start, proof, executor, told)
        batches = [batch for batch in batches if batch.places[0] not in results]
        # What was lost may be what ends a process, and this one has to live on.
        jobs = jobs or 1
    left = sum(len(batch.works) for batch in batches)
    count = min(jobs if jobs is not None else _worth(left), len(batches))
    if not batches:
        done = []
    elif proof is not None or (count <= 1 and executor is None):
        done = _run_here(batches, start, proof, told)
    else:
        done = _run_in_processes(batches, start, count, told)
    for batch, found in zip(batches, done, strict=True):
        results.update(zip(batch.places, found, strict=True))
    return [results[index] for index in range(len(works))]


def _worth(files: int) -> int:
    """How many worker processes pay for this many files."""
    return min(available_processors(), files // _FILES_PER_WORKER)


def available_processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _run_here(
    batches: Sequence[Batch],
    start: Start,
    proof: Proof | Proving | None,
    told: Callable[[int], None],
) -> list[list[FileResult]]:
    with opened(proof) as own, collecting_between() as collect:
        session = start.session(own, told)
        return [process(session, batch.works, collect) for batch in batches]


def _run_in_processes(
    batches: Sequence[Batch], start: Start, count: int, told: Callable[[int], None]
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
