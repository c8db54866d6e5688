"""Files that an executor's workers process, wherever these lie: files go there, results come back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfxla_lint.batches import Batch, Start, collecting_between, opened, process
from tfxla_lint.cache.tool import own_contents
from tfxla_lint.depth import kept_limit
from tfxla_lint.disk import Carried, Disk
from tfxla_lint.results import FileResult
from tfxla_lint.session import not_written
from tfxla_lint.work import Work
from tfxla_lint.workers.remote import apply_far

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfxla_lint.verify.proof import Proof, Proving

#: A parcel is full with so many files: to send one costs about as much as to lint a small file.
_FILES = 8


@dataclass(frozen=True)
class _Parcel:
    """Files that are processed by one worker, group by group, with all that is read for them."""

    groups: tuple[tuple[Work, ...], ...]
    disk: Carried


@dataclass(frozen=True)
class _Answer:
    """The results of each group; of each file that changes, what it was and what it is to be."""

    results: tuple[list[FileResult], ...]
    written: dict[Path, tuple[bytes, bytes]]


class WrongToolError(Exception):
    """A worker's findings might be others."""


@dataclass(frozen=True)
class _Away:
    """What a worker makes its function of: the parts of sessions, and which tool it has to be."""

    start: Start
    proof: Proof | Proving | None
    tool: str
    python: tuple[int, int]

    def __call__(self) -> _There:
        if own_contents() != self.tool or sys.version_info[:2] != self.python:
            raise WrongToolError("a worker has another version of tfxla-lint, LibCST or Python")
        return _There(self.start, self.proof)


class _There:
    """Processes parcels on a worker; one TensorFlow serves all of them, and ends with this."""

    def __init__(self, start: Start, proof: Proof | Proving | None) -> None:
        self._start = start
        self._kept = ExitStack()
        self._proof = self._kept.enter_context(opened(proof))

    def __call__(self, parcel: _Parcel) -> _Answer:
        session = self._start.session(self._proof, disk=parcel.disk)
        with kept_limit(), collecting_between() as collect:
            found = [process(session, group, collect) for group in parcel.groups]
        return _Answer(tuple(found), parcel.disk.changes)


def run_away(
    batches: Sequence[Batch],
    start: Start,
    proof: Proof | Proving | None,
    executor: Executor,
    told: Callable[[int], None] = lambda count: None,
) -> dict[int, FileResult]:
    """The results by place, without those of batches that no worker lived to give.

    Raises ExecutorError.
    """
    disk = Disk()
    rows = list(_filled(batches, _FILES if proof is None else 1))
    sizes = [sum(len(batch.works) for batch in row) for row in rows]
    parcels = (_parcel(row, start, disk) for row in rows)
    # Folders of a cache are those of this machine.
    away = _Away(replace(start, trees=None), proof, own_contents(), sys.version_info[:2])
    done = apply_far(executor, away, parcels, lambda index: told(sizes[index]))
    results: dict[int, FileResult] = {}
    for index, answer in done.items():
        problems = _write(disk, answer.written)
        for batch, found in zip(rows[index], answer.results, strict=True):
            for place, work, result in zip(batch.places, batch.works, found, strict=True):
                results[place] = replace(result, **problems.get(work.path, {}))
    return results


def _filled(batches: Sequence[Batch], most: int) -> Iterator[list[Batch]]:
    """Batches that go together, in order: one that is large enough, or several."""
    row: list[Batch] = []
    size = 0
    for batch in batches:
        row.append(batch)
        size += len(batch.works)
        if size >= most:
            yield row
            row, size = [], 0
    if row:
        yield row


def _parcel(row: Sequence[Batch], start: Start, disk: Disk) -> _Parcel:
    paths: set[Path] = set()
    for work in (work for batch in row for work in batch.works):
        cluster = start.projects.cluster(work.path)
        paths |= {cluster.root / file for file in cluster.files} if cluster is not None else set()
        paths |= {work.path} if work.data is None else set()
        paths |= {Path(work.options.profile)} if work.options.profile is not None else set()
    return _Parcel(tuple(batch.works for batch in row), Carried.of(paths, disk))


def _write(disk: Disk, written: Mapping[Path, tuple[bytes, bytes]]) -> dict[Path, dict[str, Any]]:
    """Write what workers made of files; what that changes of a file's result where it fails."""
    failed: dict[Path, dict[str, Any]] = {}
    for path, (before, after) in written.items():
        try:
            disk.write(path, after, before)
        except OSError as error:
            failed[path] = {"problem": not_written(error), "applied": {}, "added": 0}
    return failed
