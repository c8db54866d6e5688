"""Shares of a run, for several machines that each do one of them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tfxla_lint.project.projects import Projects
from tfxla_lint.work import Work


def share(works: Sequence[Work], projects: Projects, number: int, count: int) -> list[int]:
    """The places of the files that are the share `number`, from 1, of `count`.

    Files that are analysed together fall to one share, and the shares are about as large as each
    other. They depend on nothing but the files.
    """
    groups: dict[object, list[int]] = {}
    for place, work in enumerate(works):
        groups.setdefault(projects.cluster(work.path) or work.path, []).append(place)
    rows = [(sum(_size(works[i]) for i in group), group) for group in groups.values()]
    rows.sort(key=lambda row: (-row[0], row[1]))
    sizes, shares = [0] * count, [[0][:0] for _ in range(count)]
    for size, group in rows:
        least = sizes.index(min(sizes))
        sizes[least] += size
        shares[least] += group
    return sorted(shares[number - 1])


def _size(work: Work) -> int:
    """The bytes of a file; even an empty one takes something."""
    try:
        return os.path.getsize(work.path) + 1
    except OSError:
        return 1
