"""Where two versions of a text differ, by their lines or other parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

#: The most pairs of equal lines that are held against each other: a text of thousands of equal lines
#: has millions, and comparing takes as long as there are pairs.
_PAIRS = 200_000


class Difference(NamedTuple):
    """The lines from `start` up to `end` of the old text, and what stands there in the new one."""

    start: int
    end: int
    new_start: int
    new_end: int


def differences(old: Sequence[str], new: Sequence[str]) -> list[Difference]:
    """The places where lines differ, in order; between two of them lies at least one that does not.

    Where too many lines are equal to be compared, all from the first place to the last one is one.
    """
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    most -= head
    tail = next((n for n in range(most) if old[~n] != new[~n]), most)
    whole = Difference(head, len(old) - tail, head, len(new) - tail)
    left, right = old[head : whole.end], new[head : whole.new_end]
    if not left and not right:
        return []
    counts = Counter(left)
    if sum(counts[line] for line in right) > _PAIRS:
        return [whole]
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [Difference(*(head + n for n in code[1:])) for code in codes if code[0] != "equal"]
