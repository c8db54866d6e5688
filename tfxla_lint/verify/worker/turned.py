"""What times of turns and calls say, that were taken one by one."""

from __future__ import annotations

import statistics
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

Row = Dict[str, Any]

#: So many turns have to be left, after those that may have been traced, for a median.
ENOUGH = 4
#: The first turns are left out: a function may be traced twice, variables may be made.
_FIRST = 3
#: Few turns do the work of many where the mean is so many times the median, and the median so small a
#: part of another version's.
_BURST = 3
_SMALL = 0.1


def median_row(milliseconds: Sequence[float], per: str) -> Optional[Row]:
    """What to say of turns or calls that were timed one by one; None where there are too few."""
    left = milliseconds[min(_FIRST, len(milliseconds) // 2) :]
    if len(left) < ENOUGH:
        return None
    return {
        "milliseconds": statistics.median(left),
        "first_milliseconds": milliseconds[0],
        "calls": len(left),
        "per": per,
    }


def turn_rows(runs: Sequence[Sequence[float]]) -> List[Optional[Row]]:
    """What to say of the turns of one loop in several runs, that all go through it equally often.

    Where one of them does the work of many turns in one of these, the middle one says nothing: the
    mean then is taken of all, from one such turn to another.
    """
    rows = [median_row(run, "turn") for run in runs]
    slowest = max((row["milliseconds"] for row in rows if row is not None), default=0.0)
    spans = [_whole_bursts(run) for run in runs if _comes_in_bursts(run, slowest)]
    if not spans:
        return rows
    if None in spans:
        return [None for _ in runs]
    start, stop = max(span for span in spans if span is not None)
    return [
        {**row, "milliseconds": statistics.mean(run[start:stop]), "calls": stop - start}
        if row is not None
        else None
        for run, row in zip(runs, rows)
    ]


def _comes_in_bursts(milliseconds: Sequence[float], slowest: float) -> bool:
    left = milliseconds[_FIRST:]
    if len(left) < ENOUGH or statistics.median(left) >= _SMALL * slowest:
        return False
    return statistics.mean(left) > _BURST * statistics.median(left)


def _whole_bursts(milliseconds: Sequence[float]) -> Optional[Tuple[int, int]]:
    """From the first turn that takes long, after those that are left out, to the last one."""
    left = milliseconds[_FIRST:]
    long = [i for i, time in enumerate(left, _FIRST) if time > statistics.mean(left)]
    return (long[0], long[-1]) if long[-1] - long[0] >= ENOUGH else None


def timed_turn(
    loops: Sequence[Mapping[str, Any]], runs: Sequence[Mapping[int, List[float]]]
) -> Optional[int]:
    """The innermost of some loops that all runs go through equally often, and often enough.

    Of several that are equally deep it is the one that the first run spends most time in.
    """
    fitting = []
    for loop in loops:
        turns = [run.get(loop["number"], []) for run in runs]
        counts = {len(run) for run in turns}
        if len(counts) == 1 and all(median_row(run, "turn") for run in turns):
            fitting.append((loop["depth"], sum(turns[0]), loop["number"]))
    return max(fitting)[2] if fitting else None
