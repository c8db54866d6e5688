"""Fixes of one pass that would each add something of the same name."""

from __future__ import annotations

from tfxla_lint.findings import Edit, Fix, NewName


def collide(fix: Fix, other: Fix) -> bool:
    """Whether two fixes add a name of which one would hide the other; the same addition may be both's."""
    shared = set(fix.edits) & set(other.edits)
    return any(
        one.name == two.name and not _is_added_by(shared, one) and _hides(fix, one, other, two)
        for one in fix.new_names
        for two in other.new_names
    )


def _is_added_by(edits: set[Edit], new: NewName) -> bool:
    return any(new.name.strip(".") in edit.text for edit in edits)


def _hides(fix: Fix, one: NewName, other: Fix, two: NewName) -> bool:
    """Whether two names are seen in one place, or the wider one is used where the other hides it."""
    if (one.start, one.end) == (two.start, two.end):
        return True
    return (_contains(two, one) and _is_used_in(one, other)) or (
        _contains(one, two) and _is_used_in(two, fix)
    )


def _contains(outer: NewName, inner: NewName) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _is_used_in(place: NewName, fix: Fix) -> bool:
    """Whether a fix changes something where a name is seen."""
    return any(place.start <= edit.start and edit.end <= place.end for edit in fix.edits)
