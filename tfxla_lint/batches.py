"""Files that are processed one after the other, and what does that in a process."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfxla_lint.deferred import defer_methods, look_up_members_at_once
from tfxla_lint.disk import Disk
from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import Catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.session import Session
from tfxla_lint.work import Mode, Work

if TYPE_CHECKING:
    from tfxla_lint.verify.proof import Proof, Proving
    from tfxla_lint.worlds import Trees


#: Collects garbage where much has piled up, after letting go of what was left by what it is given.
Collect = Callable[[Callable[[], None]], None]


@dataclass(frozen=True)
class Batch:
    """Files to process one after the other, with their places among all."""

    places: tuple[int, ...]
    works: tuple[Work, ...]


@dataclass(frozen=True)
class Start:
    """What a session is made of."""

    catalogue: Catalogue
    mode: Mode
    projects: Projects
    trees: Trees | None = None

    def session(
        self,
        proof: Proof | None = None,
        told: Callable[[int], None] = lambda count: None,
        disk: Disk | None = None,
    ) -> Session:
        """A session of its own."""
        return Session(
            self.catalogue,
            self.mode,
            self.projects,
            proof,
            told=told,
            disk=disk,
            trees=self.trees,
        )

    def __call__(self) -> Callable[[Sequence[Work]], list[FileResult]]:
        """What a worker process does with the files that it is handed."""
        gc.disable()
        defer_methods()
        look_up_members_at_once()
        session, collect = self.session(), _Collector()
        return lambda works: process(session, works, collect)

    @property
    def packages(self) -> set[str]:
        """The packages that the rules come from; those of plug-ins may lie anywhere."""
        return {rule.module.partition(".")[0] for rule in self.catalogue.rules}


def batches_of(works: Sequence[Work], projects: Projects) -> list[Batch]:
    """The files by cluster, each of the others by itself, largest batches first."""
    together: dict[object, list[int]] = {}
    for index, work in enumerate(works):
        together.setdefault(projects.cluster(work.path) or index, []).append(index)
    groups = sorted(together.values(), key=len, reverse=True)
    return [Batch(tuple(group), tuple(works[i] for i in group)) for group in groups]


def process(session: Session, works: Sequence[Work], collect: Collect) -> list[FileResult]:
    """Process files, after the garbage of earlier ones is gone: a single file leaves none."""
    collect(session.let_go)
    return _in_one_piece(session, works)


def _in_one_piece(session: Session, works: Sequence[Work]) -> list[FileResult]:
    """Process files where the frames of what is called all lie in one piece of memory.

    Python keeps frames in pieces of 16 KB: a call for which the present one has no room asks the system
    for another, and gives it back when it ends, thousands of times in a run. For a frame that takes
    more (as this one says) it asks for as much as a power of two, and uses what is left of that.
    """
    return session.process_together(works)


#: A megabyte, of which nothing is touched, and nearly another for what is called.
_in_one_piece.__code__ = _in_one_piece.__code__.replace(co_stacksize=(1 << 17) + 1)


@contextmanager
def opened(proof: Proof | Proving | None) -> Iterator[Proof | None]:
    """What proves fixes in this process, which is made where only the way to make it is given."""
    if proof is None:
        yield None
        return
    from tfxla_lint.verify.proof import Proving

    if not isinstance(proof, Proving):
        yield proof
        return
    with proof.opened() as own:
        yield own


@contextmanager
def collecting_between() -> Iterator[Collect]:
    """Collects garbage only when asked to: a tree is all alive until its file is done.

    What a run leaves behind is for the next ones to collect, once it is much: most processes end first.
    """
    was_enabled = gc.isenabled()
    if was_enabled and _left.objects > _Collector.MUCH:
        gc.collect()
        _left.objects = 0
    gc.disable()
    try:
        yield _Collector()
    finally:
        _left.objects += gc.get_count()[0]
        # All that is left is young, and would be looked through at once: so it counts as old.
        gc.freeze()
        gc.unfreeze()
        if was_enabled:
            gc.enable()


@dataclass
class _Left:
    """How many objects the runs of this process left behind since garbage was last searched for."""

    objects: int = 0


_left = _Left()


class _Collector:
    """Collects garbage when much has piled up; what the imports made is set aside for good.

    To look through all that lives costs as much as to lint several files, so it waits until there
    is some hundred megabytes to win. Most of that goes without a search, by letting go of what was
    left; what remains is searched for where it is much by itself.
    """

    _THRESHOLD = 1_000_000
    MUCH = 500_000

    def __init__(self) -> None:
        self._is_frozen = False

    def __call__(self, let_go: Callable[[], None]) -> None:
        if gc.get_count()[0] < self._THRESHOLD:
            return
        let_go()
        if gc.get_count()[0] < self.MUCH:
            return
        gc.collect()
        if not self._is_frozen:
            gc.freeze()
            self._is_frozen = True
