"""Check L3: the findings whose fixes were applied are gone, and no new error came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from tfxla_lint.findings import Edit, Finding, Level
from tfxla_lint.fixing.places import EditMap


class Progress:
    """Compares the findings before and after the edits of several fixes."""

    def __init__(self, before: Sequence[Finding], after: Sequence[Finding], edits: EditMap) -> None:
        self._before = before
        self._after = after
        self._edits = edits
        self._stretch_of: dict[Edit, set[Hashable]] = {}
        for index, edit in enumerate(edits.edits):
            self._stretch_of.setdefault(edit, set()).add(("edit", index))

    def remaining(self, applied: Sequence[Finding]) -> Finding | None:
        """An applied finding that is still there.

        It is gone where fewer findings of its code are left at its place and in what its fix
        wrote than there were, by as many as were applied there. Where a fix makes what is reported
        smaller, the finding may stay, but not with that fix.
        """
        whole = (f for f in applied if f.fix is None or not f.fix.is_partial)
        known = Counter((f.code, self._old_place(f)) for f in self._before)
        done = Counter((f.code, self._old_place(f)) for f in whole)
        left = Counter((f.code, self._new_place(f)) for f in self._after)
        titles = {(f.fix.title, self._new_place(f)) for f in self._after if f.fix}
        for finding in applied:
            places = {self._old_place(finding), *self._stretches(finding)}
            if finding.fix is not None and finding.fix.is_partial:
                if any((finding.fix.title, place) in titles for place in places):
                    return finding
                continue
            keys = [(finding.code, place) for place in places]
            if sum(left[key] for key in keys) > sum(known[key] - done[key] for key in keys):
                return finding
        return None

    def new_error(self, applied: Sequence[Finding]) -> Finding | None:
        """A finding of the worst level that was not there before, at its place or in its fix."""
        groups = self._groups(applied)
        known = Counter(
            (f.code, groups.get(place, place))
            for f in self._before
            if f.level is Level.ERROR
            for place in [self._old_place(f)]
        )
        for finding in self._after:
            if finding.level is Level.ERROR:
                place = self._new_place(finding)
                key = (finding.code, groups.get(place, place))
                if not known[key]:
                    return finding
                known[key] -= 1
        return None

    def _stretches(self, finding: Finding) -> set[Hashable]:
        edits = finding.fix.edits if finding.fix is not None else ()
        return {place for edit in edits for place in self._stretch_of.get(edit, ())}

    def _groups(self, applied: Sequence[Finding]) -> dict[Hashable, Hashable]:
        """For each edited stretch one name that all stretches of its fix share."""
        groups: dict[Hashable, Hashable] = {}
        for number, finding in enumerate(applied):
            for place in self._stretches(finding):
                groups.setdefault(place, ("fix", number))
        return groups

    def _old_place(self, finding: Finding) -> Hashable:
        start = finding.span.start
        index = self._edits.old.holding(start, start + 1)
        return ("edit", index) if index is not None else ("text", self._edits.to_new(start))

    def _new_place(self, finding: Finding) -> Hashable:
        start = finding.span.start
        index = self._edits.new.holding(start, start + 1)
        return ("edit", index) if index is not None else ("text", start)
