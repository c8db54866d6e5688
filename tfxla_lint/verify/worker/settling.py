"""Tells differences that stand from those of code that does not agree with itself."""

from __future__ import annotations

import math
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)

from tfxla_lint.sandbox.inside.entropy import OTHER_PACE, PACE, Reads
from tfxla_lint.verify.worker.comparing import Comparison, Difference
from tfxla_lint.verify.worker.sides import Side

Report = Dict[str, Any]
Tell = Callable[..., None]
Clocks = Mapping[str, Reads]
Found = List[Difference]

ITS_OWN = "compared with its own eager run, since the original fails or is wrong"
#: So many names are listed.
_NAMED = 6
#: So often floats are moved, while that explains a part of what differs.
_TURNS = 2
#: How much further than a nudge moved it a value may be off.
_SHAKY = 20.0


class Settled(NamedTuple):
    """The differences that stand, and the places of the others; some change from run to run."""

    found: Found
    left_out: List[str]
    unstable: List[str]

    @property
    def note(self) -> str:
        """What was left out, in words."""
        names = ", ".join(self.left_out[:6])
        about = "not compared, since they change from run to run or hang on the last digit: "
        return about + names if names else ""

    def open(self, is_computed: Callable[[str], bool]) -> Optional[Report]:
        """The report where no difference is left, but what the code computes is unstable."""
        unseen = [place for place in self.unstable if is_computed(place)]
        if self.found or not unseen:
            return None
        return not_checked("what it computes changes from run to run: " + ", ".join(unseen[:6]))


def settle(
    side: Side,
    found: Found,
    again: Callable[[], Found],
    is_uneven: bool = False,
    everything: Optional[Callable[[], Found]] = None,
) -> Settled:
    """What stands of the differences `found`.

    `again` says where the original, `side`, differs from another run of itself: as it was, by a
    clock of another pace where the sides read clocks unequally often, and with floats that are moved
    in the last digit: what hangs on that digit by nature (the step that Adam takes along a gradient
    that is zero but for rounding) shows nothing. `everything` gives the differences where `found`
    are only the first.
    """
    side.pace = OTHER_PACE if is_uneven else PACE
    rerun = again()
    side.pace = PACE
    left, unstable = standing(found, rerun)
    if not left or all(math.isinf(d.gap) for d in left):
        return Settled(left, unstable, unstable)
    found = everything() if everything is not None else found
    nudge: Found = []
    for turn in range(1, _TURNS + 1):
        side.nudged = turn
        nudge += again()
        side.nudged = 0
        left, left_out = standing(found, rerun, nudge)
        if not left or left_out == unstable:
            # Where a step goes to one side or the other by chance, another turn may show it.
            break
    return Settled(left, left_out, standing(found, rerun)[1])


def standing(
    found: Found, rerun: Found, nudge: Sequence[Difference] = ()
) -> Tuple[Found, List[str]]:
    """The differences that stand, and the places that were left out."""
    unstable = {d.place for d in rerun}
    shaky: Dict[str, float] = {}
    for d in nudge:
        shaky[d.place] = max(shaky.get(d.place, 0.0), d.gap)
    kept: Found = []
    left_out: Set[str] = set()
    for d in found:
        hangs = d.place in shaky and math.isfinite(d.gap) and d.gap <= _SHAKY * shaky[d.place]
        if d.place in unstable or hangs:
            left_out.add(d.place)
        else:
            kept.append(d)
    return kept, sorted(left_out)


def are_uneven(before: Clocks, after: Clocks) -> bool:
    """Whether two runs read the clocks unequally often."""
    return sum(r.total for r in before.values()) != sum(r.total for r in after.values())


def frozen_clocks(before: Clocks, after: Clocks) -> Found:
    """Clocks that the original reads each time and the rewritten code when it is traced."""
    found = []
    for name, reads in before.items():
        others = after.get(name, reads)
        if others.traced > reads.traced and others.total < reads.total:
            frozen = f"{_calls(others.total)}, frozen when traced,"
            found.append(Difference("clock", name, _calls(reads.total), frozen))
    return found


def _calls(count: int) -> str:
    return f"{count} call{'s' if count != 1 else ''}"


def not_checked(reason: str) -> Report:
    """The report where nothing was found out."""
    return {"verdict": "not checked", "reason": reason}


def judged(comparison: Comparison, found: Found, inputs: int) -> Report:
    """The report on so many inputs that were compared."""
    return {
        "verdict": "differs" if found else "equivalent",
        "differences": [difference.as_json() for difference in found[:20]],
        "error": comparison.error,
        "compared": comparison.leaves,
        "values": comparison.values,
        "tolerances": comparison.tolerances,
        "inputs": inputs,
    }


#: Of attributes that hold lists in one version and arrays in the other, or the like.
OTHER_KINDS = "the rewritten code holds other kinds of things there: "


def uncompared(comparison: Comparison) -> str:
    """The names that were not compared, in words."""
    names = sorted(comparison.lacked)
    more = ", ..." if len(names) > _NAMED else ""
    about = "not compared, since the rewritten code has no such name: "
    gone = about + ", ".join(names[:_NAMED]) + more if names else ""
    passing = ", ".join(sorted(comparison.passed_by))
    about = "not compared, since each version leaves another step of its way there: "
    kinds = ", ".join(sorted(comparison.of_other_kinds))
    other = f"not compared, since {OTHER_KINDS}{kinds}" if kinds else ""
    return joined(gone, about + passing if passing else "", other)


def odd_words(found: Iterable[str]) -> str:
    """What was left out since nobody passes it, in words."""
    parts = sorted(set(found))
    return f"not compared with {' and '.join(parts)}, which it takes otherwise" if parts else ""


def joined(*notes: str) -> str:
    """Several notes as one."""
    return "; ".join(note for note in notes if note)
