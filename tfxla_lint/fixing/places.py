"""Where the stretches of a text lie after edits, and which of them an edit made."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from tfxla_lint.findings import Edit


class Stretches:
    """The edited stretches of one text, before or after the edits; sorted and disjoint."""

    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        self.ranges = list(ranges)
        self._starts = [start for start, _ in self.ranges]
        self._ends = [end for _, end in self.ranges]

    def holding(self, start: int, end: int) -> int | None:
        """The index of the stretch in which the text from `start` to `end` lies."""
        # None that begins before it ends behind it.
        index = bisect_right(self._starts, start) - 1
        return index if index >= 0 and end <= self.ranges[index][1] else None

    def meeting(self, start: int, end: int) -> Sequence[tuple[int, int]]:
        """The stretches that have something in common with the text from `start` to `end`."""
        first = bisect_right(self._ends, start)
        return self.ranges[first : max(first, bisect_left(self._starts, end))]

    def meets(self, start: int, end: int) -> bool:
        """Whether a stretch has something in common with the text from `start` to `end`."""
        return bool(self.meeting(start, end))


class EditMap:
    """Both sides of a list of edits."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self.edits = sorted(edits, key=lambda edit: (edit.start, edit.end))
        self.old = Stretches([(edit.start, edit.end) for edit in self.edits])
        self._shifts: list[int] = []
        after: list[tuple[int, int]] = []
        shift = 0
        for edit in self.edits:
            after.append((edit.start + shift, edit.start + shift + len(edit.text)))
            shift += len(edit.text) - (edit.end - edit.start)
            self._shifts.append(shift)
        self.new = Stretches(after)
        self._ends = [edit.end for edit in self.edits]

    def to_new(self, offset: int) -> int:
        """Where a character of the old text stands now; it must lie outside of the edits."""
        index = bisect_right(self._ends, offset) - 1
        return offset + (self._shifts[index] if index >= 0 else 0)
