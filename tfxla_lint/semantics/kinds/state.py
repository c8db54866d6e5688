"""What the abstract interpreter has inferred so far, and which units have to run again for it.

Whatever one unit may tell another (the values of names, parameters, results and attributes, what
decorators and base classes say) is a cell. A run of a unit gives values to cells and reads them;
what it gives takes the place of what its last run gave, so that a guess from before all was known
leaves nothing behind. A unit runs again when a cell that it read has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Any

from tfxla_lint.semantics.kinds.callees import Callee, Use
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import UNKNOWN, Value, join

#: The budget: after so many runs of a unit what it gives only grows, and after twice as many
#: whatever still grows is unknown.
_SETTLING_RUNS = 6

Merge = Callable[[Any, Any], Any]


class Cell:
    """What is known of one thing: the join of what units give to it, None before any did.

    `is_settled` says that all units ran without giving it anything.
    """

    __slots__ = ("given", "is_settled", "merge", "readers", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.merge: Merge = join
        self.given: dict[int, Any] = {}
        self.readers: dict[int, Unit] = {}
        self.is_settled = False


class Run:
    """One run of a unit: what it found of the nodes of its code, and what it gave to cells."""

    __slots__ = ("callees", "given", "is_waiting", "unit", "uses", "values")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.values: dict[int, Value] = {}
        self.callees: dict[int, list[Callee]] = {}
        self.uses: dict[tuple[int, int, str], Use] = {}
        self.given: dict[Cell, Any] = {}
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
        self._ranks = {id(unit): rank for rank, unit in enumerate(order)}
        self._cells: dict[Hashable, Cell] = {}
        self._counts: dict[int, int] = {}
        self._stale: dict[int, Unit] = {}
        self._awaited: dict[Cell, None] = {}
        self._heap: list[tuple[int, int]] | None = None
        self._sign = 1
        self._position = 0
        #: The last run of each unit, by the unit's identity.
        self.runs: dict[int, Run] = {}
        #: The run that reads and gives.
        self.run = Run(order[0])

    # Cells

    def cell(self, key: Hashable) -> Cell:
        """The cell of this key."""
        found = self._cells.get(key)
        if found is None:
            found = self._cells[key] = Cell()
        return found

    def read(self, key: Hashable) -> Any:
        """What a cell holds, None where nothing is known yet; the unit runs again if it changes."""
        cell = self.cell(key)
        unit = self.run.unit
        cell.readers[id(unit)] = unit
        return cell.value

    def seen(self, key: Hashable) -> Any:
        """What a cell holds, None where nothing is known."""
        found = self._cells.get(key)
        return found.value if found is not None else None

    def entries(self, what: str) -> Iterator[tuple[int, str, Any]]:
        """The holder, the name and the value of the cells of named things, where one is known."""
        for key, cell in self._cells.items():
            if isinstance(key, tuple) and key[0] == what and cell.value is not None:
                yield key[1], key[2], cell.value

    def awaits(self, key: Hashable) -> bool:
        """Whether something may yet be given to a cell of which nothing is known."""
        cell = self.cell(key)
        if cell.is_settled:
            return False
        self._awaited[cell] = None
        return True

    def give(self, key: Hashable, value: Any, merge: Merge = join) -> None:
        """Join a value into a cell, as a part of what the current run gives."""
        cell, given = self.cell(key), self.run.given
        cell.merge = merge
        before, known = given.get(cell), cell.value
        given[cell] = own = value if before is None else merge(before, value)
        if known is None:
            grown = value
        else:
            grown = own if known is before else merge(known, value)
        if known is None or (grown is not known and grown != known):
            cell.value = grown
            self._touch(cell)

    def _touch(self, cell: Cell) -> None:
        for key, unit in cell.readers.items():
            if key not in self._stale:
                self._stale[key] = unit
                if self._heap is not None:
                    rank = self._ranks[key]
                    if rank * self._sign > self._position:
                        heappush(self._heap, (rank * self._sign, key))

    # Runs

    def begin(self, unit: Unit) -> Run:
        """A new run of a unit, which is now the one that reads and gives; the one before it."""
        before, self.run = self.run, Run(unit)
        self._stale.pop(id(unit), None)
        self._counts[id(unit)] = self._counts.get(id(unit), 0) + 1
        return before

    def end(self, before: Run) -> None:
        """End the current run: what it gave takes the place of what its unit gave last."""
        run, self.run = self.run, before
        key = id(run.unit)
        last = self.runs.get(key)
        self.runs[key] = run
        if last is None:
            for cell, value in run.given.items():
                cell.given[key] = value
            return
        count = self._counts[key]
        for cell, value in run.given.items():
            old = cell.given.get(key)
            if old is not None and count > _SETTLING_RUNS:
                value = self._widened(cell, old, value, count)
            cell.given[key] = value
            if old is not None and old is not value and old != value:
                self._renew(cell)
        if count <= _SETTLING_RUNS:
            for cell in last.given:
                if cell not in run.given:
                    del cell.given[key]
                    self._renew(cell)
        else:
            for cell, value in last.given.items():
                run.given.setdefault(cell, value)

    def _widened(self, cell: Cell, old: Any, value: Any, count: int) -> Any:
        joined = cell.merge(old, value)
        if count > 2 * _SETTLING_RUNS and joined != old:
            return UNKNOWN if cell.merge is join else old
        return joined

    def _renew(self, cell: Cell) -> None:
        value = None
        for given in cell.given.values():
            value = given if value is None else cell.merge(value, given)
        if value != cell.value:
            cell.value = value
            self._touch(cell)

    def has_run(self, unit: Unit) -> bool:
        """Whether a unit ran, or runs."""
        return id(unit) in self._counts

    # The worklist

    def settle(self, evaluate: Callable[[Unit], None]) -> None:
        """Run units until none has to run again.

        Arguments travel to callees and results to callers, so the sweeps through the units that
        have to run alternate between callers first and callees first.
        """
        while True:
            self._sign = -1
            while self._stale:
                self._sweep(evaluate)
                self._sign = -self._sign
            if not self._settle_awaited():
                return

    def _sweep(self, evaluate: Callable[[Unit], None]) -> None:
        heap: list[tuple[int, int]] = []
        self._heap = heap
        for key in self._stale:
            heappush(heap, (self._ranks[key] * self._sign, key))
        while heap:
            self._position, key = heappop(heap)
            unit = self._stale.get(key)
            if unit is not None:
                evaluate(unit)
        self._heap = None

    def _settle_awaited(self) -> bool:
        """Say of all that was waited for that nothing is known of it; whether that was anything."""
        cells = [cell for cell in self._awaited if cell.value is None and not cell.is_settled]
        self._awaited.clear()
        for cell in cells:
            cell.is_settled = True
            self._touch(cell)
        return bool(cells)

    def results(self, units: Iterable[Unit]) -> Iterable[Run]:
        """The last runs of some units."""
        return (self.runs[id(unit)] for unit in units if id(unit) in self.runs)
