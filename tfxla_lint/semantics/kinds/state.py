"""What the abstract interpreter has inferred so far, and which units have to run again for it.

Whatever one unit may tell another (the values of names, parameters, results and attributes, what
decorators and base classes say) is a cell. A run of a unit gives values to cells and reads them;
what it gives takes the place of what its last run gave, so that a guess from before all was known
leaves nothing behind. A unit runs again when a cell that it read has changed.

What the modules' own code calls is the program. What nothing calls is assumed to be called with
anything, and what it calls in turn runs once more, on these assumptions: as another task, that
reads what the program gives but, where the program gives something, is not read by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from tfxla_lint.semantics.kinds.callees import Callee, Use
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import UNKNOWN, Value, join

#: The budget: after so many runs of a task what it gives only grows, after twice as many whatever
#: still grows is unknown, and after four times as many it does not run again.
_SETTLING_RUNS = 6

Merge = Callable[[Any, Any], Any]
#: What a cell is about: its kind, the identity of its holder, and more of its kind.
Key = tuple[Any, ...]


class Task:
    """A unit that is run: as a part of the program, or, where it `is_assumed`, on assumptions."""

    __slots__ = ("is_assumed", "rank", "unit")

    def __init__(self, unit: Unit, is_assumed: bool, rank: int) -> None:
        self.unit = unit
        self.is_assumed = is_assumed
        self.rank = rank


class Cell:
    """What is known of one thing: the join of what tasks give to it, None before any did.

    `program` is what the program gives, `assumed` what is given on assumptions, `value` both.
    `is_settled` says that all units ran without giving it anything, `is_final` that the budget ran
    out, so that it changes no more.
    """

    __slots__ = (
        "assumed",
        "given",
        "is_final",
        "is_settled",
        "merge",
        "program",
        "readers",
        "value",
    )

    def __init__(self) -> None:
        self.program: Any = None
        self.assumed: Any = None
        self.value: Any = None
        self.merge: Merge = join
        self.given: dict[Task, Any] = {}
        self.readers: dict[Task, None] = {}
        self.is_settled = False
        self.is_final = False

    def renew(self, is_assumed: bool) -> bool:
        """Join anew what is given by the program, or on assumptions; whether that changes it."""
        joined = None
        for task, given in self.given.items():
            if task.is_assumed is is_assumed:
                joined = given if joined is None else self.merge(joined, given)
        return self.put(is_assumed, joined)

    def put(self, is_assumed: bool, joined: Any) -> bool:
        """Let this be what the program gives, or what is given on assumptions."""
        old = self.assumed if is_assumed else self.program
        if self.is_final or old is joined or old == joined:
            return False
        if is_assumed:
            self.assumed = joined
        else:
            self.program = joined
        if self.program is None or self.assumed is None:
            self.value = self.assumed if self.program is None else self.program
        else:
            self.value = self.merge(self.program, self.assumed)
        return True


#: Stands for what was read of a cell in a run that saw it change.
_SEVERAL = object()


class Run:
    """One run of a task: what it found of the nodes of its code, and what it gave to cells."""

    __slots__ = (
        "callees", "given", "is_waiting", "kept", "lineages", "own", "reads", "task", "uses", "values",
    )  # fmt: skip

    def __init__(self, task: Task) -> None:
        self.task = task
        self.values: dict[int, Value] = {}
        self.callees: dict[int, list[Callee]] = {}
        self.uses: dict[tuple[int, int, str], Use] = {}
        self.given: dict[Cell, Any] = {}
        #: What it read of cells; _SEVERAL where that was not the same each time.
        self.reads: dict[Cell, Any] = {}
        #: What it bound to names that nothing else reads.
        self.kept: list[tuple[str, Value]] = []
        #: What was asked of classes: the bases of each, and the classes that `self` can have.
        self.lineages: dict[ClassInfo, list[ClassInfo]] = {}
        self.own: tuple[ClassInfo | None, Sequence[ClassInfo]] | None = None
        #: Whether it returns something of which nothing is known yet.
        self.is_waiting = False


def latest(old: Any, new: Any) -> Any:
    """How to join what only one place can say: its last word counts."""
    return new


def union(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    """How to join sets that are kept in order."""
    return tuple(dict.fromkeys((*old, *new)))


class State:
    """The cells, the last run of each unit, and the units that have to run again.

    `order` gives the units, callers first as far as that is known.
    """

    def __init__(self, order: Sequence[Unit]) -> None:
        kinds = (False, True)
        ranks = enumerate(order)
        self._tasks = {(id(unit), k): Task(unit, k, rank) for rank, unit in ranks for k in kinds}
        self._cells: dict[Key, Cell] = {}
        self._counts: dict[Task, int] = {}
        self._stale: dict[Task, None] = {}
        self._awaited: dict[Cell, None] = {}
        self._heap: list[tuple[int, bool, Task]] | None = None
        self._sign = 1
        self._position = 0
        self._runs: dict[Task, Run] = {}
        #: The run that reads and gives.
        self.run = Run(self.task(order[0], False))

    def task(self, unit: Unit, is_assumed: bool) -> Task:
        """The task of running a unit."""
        return self._tasks[id(unit), is_assumed]

    # Cells

    def cell(self, key: Key) -> Cell:
        """The cell of this key."""
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = Cell()
        return found

    def read(self, key: Key) -> Any:
        """What a cell holds, None where nothing is known yet; the unit runs again if it changes."""
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = Cell()
        run = self.run
        task = run.task
        cell.readers[task] = None
        value = cell.value if task.is_assumed or cell.program is None else cell.program
        known = run.reads.setdefault(cell, value)
        if known is not value and known != value:
            run.reads[cell] = _SEVERAL
        return value

    def seen(self, key: Key) -> Any:
        """What a cell holds, None where nothing is known."""
        found = self._cells.get(key)
        return found.value if found is not None else None

    def entries(self, what: str) -> Iterator[tuple[int, str, Any]]:
        """The holder, the name and the value of the cells of named things, where one is known."""
        for key, cell in self._cells.items():
            if key[0] == what and cell.value is not None:
                yield key[1], key[2], cell.value

    def awaits(self, key: Key) -> bool:
        """Whether something may yet be given to a cell of which nothing is known."""
        cell = self.cell(key)
        if cell.is_settled:
            return False
        self._awaited[cell] = None
        return True

    def give(self, key: Key, value: Any, merge: Merge = join) -> None:
        """Join a value into a cell, as a part of what the current run gives."""
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = Cell()
        task, given = self.run.task, self.run.given
        cell.merge = merge
        before = given.get(cell)
        known = cell.assumed if task.is_assumed else cell.program
        if before is not None and (before is value or before == value):
            return
        given[cell] = own = value if before is None else merge(before, value)
        if known is None or known is before:
            grown = own
        else:
            grown = merge(known, value)
        if cell.put(task.is_assumed, grown):
            self._touch(cell, task.is_assumed)

    def _touch(self, cell: Cell, is_assumed: bool) -> None:
        most = 4 * _SETTLING_RUNS
        for task in cell.readers:
            if (
                task in self._stale
                or self._counts.get(task, 0) >= most
                or (is_assumed and not task.is_assumed and cell.program is not None)
            ):
                continue
            self._stale[task] = None
            if self._heap is not None:
                self._push(task)

    def _push(self, task: Task) -> None:
        rank = task.rank * self._sign
        if self._heap is not None and rank > self._position:
            heappush(self._heap, (rank, task.is_assumed, task))

    # Runs

    def begin(self, task: Task) -> Run:
        """A new run of a task, which is now the one that reads and gives; the one before it."""
        before, self.run = self.run, Run(task)
        self._stale.pop(task, None)
        self._counts[task] = self._counts.get(task, 0) + 1
        return before

    def end(self, before: Run) -> None:
        """End the current run: what it gave takes the place of what its task gave last."""
        run, self.run = self.run, before
        task = run.task
        last = self._runs.get(task)
        self._runs[task] = run
        if last is None:
            for cell, value in run.given.items():
                cell.given[task] = value
            return
        count = self._counts[task]
        for cell, value in run.given.items():
            old = cell.given.get(task)
            if old is not None and count > _SETTLING_RUNS:
                value = self._widened(cell, task, value)
            cell.given[task] = value
            if old is not None and old is not value and old != value:
                self._renew(cell, task)
        for cell, value in last.given.items():
            if cell not in run.given:
                if count > _SETTLING_RUNS:
                    run.given[cell] = value
                else:
                    del cell.given[task]
                    self._renew(cell, task)

    def _widened(self, cell: Cell, task: Task, value: Any) -> Any:
        """What a task gives that ran often: no less than before, and in the end no more either."""
        old = cell.given[task]
        joined = cell.merge(old, value)
        if self._counts[task] > 2 * _SETTLING_RUNS and joined != old:
            if cell.merge is join:
                cell.put(task.is_assumed, UNKNOWN)
                self._touch(cell, task.is_assumed)
            cell.is_final = True
        return joined

    def _renew(self, cell: Cell, task: Task) -> None:
        if cell.renew(task.is_assumed):
            self._touch(cell, task.is_assumed)

    def has_run(self, task: Task) -> bool:
        """Whether a task ran, or runs."""
        return task in self._counts

    # The worklist

    def call(self, task: Task) -> None:
        """Have a task run in its turn."""
        if task not in self._stale:
            self._stale[task] = None
            self._push(task)

    def settle(self, evaluate: Callable[[Task], None]) -> None:
        """Run tasks until none has to run again.

        Arguments travel to callees and results to callers, so the sweeps through the tasks that
        have to run alternate between callers first and callees first.
        """
        while True:
            self._sign = -1
            while self._stale:
                self._sweep(evaluate)
                self._sign = -self._sign
            if not self._settle_awaited():
                return

    def _sweep(self, evaluate: Callable[[Task], None]) -> None:
        heap = [(task.rank * self._sign, task.is_assumed, task) for task in self._stale]
        heapify(heap)
        self._heap = heap
        while heap:
            self._position, _, task = heappop(heap)
            if task in self._stale:
                if self._would_repeat(task):
                    del self._stale[task]
                else:
                    evaluate(task)
        self._heap = None

    def _would_repeat(self, task: Task) -> bool:
        """Whether a run would read what the last one has read: what changed has changed back."""
        run = self._runs.get(task)
        if run is None:
            return False
        for cell, known in run.reads.items():
            value = cell.value if task.is_assumed or cell.program is None else cell.program
            if known is not value and known != value:
                return False
        return True

    def _settle_awaited(self) -> bool:
        """Say of all that was waited for that nothing is known of it; whether that was anything."""
        cells = [cell for cell in self._awaited if cell.value is None and not cell.is_settled]
        self._awaited.clear()
        for cell in cells:
            cell.is_settled = True
            for task in cell.readers:
                if task in self._runs:
                    self._runs[task].reads[cell] = _SEVERAL
            self._touch(cell, False)
        return bool(cells)

    def results(self) -> Iterable[Run]:
        """The last run of each task."""
        return self._runs.values()
