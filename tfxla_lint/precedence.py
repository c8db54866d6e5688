"""One problem, one report: which finding speaks for which others.

A stronger rule speaks for a weaker one inside of what its report covers, or at the same node. It
does so even where it is itself silenced: suppressing the winner does not revive the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tfxla_lint.findings import Span

#: The stronger rule's code, and the codes that it speaks for inside of what it covers.
_INSIDE: dict[str, frozenset[str]] = {
    "TXL102": frozenset({"TXL101", "TXL104", "TXL108", "TXL110"}),
    "TXL101": frozenset({"TXL104", "TXL110"}),
    "TXL107": frozenset({"TXL104", "TXL110"}),
    "TXL207": frozenset({"TXL202"}),
    "TXL403": frozenset({"TXL203", "TXL204"}),
}
#: The same for rules that speak for others only at one and the same node.
_SAME_NODE: dict[str, frozenset[str]] = {
    "TXL305": frozenset({"TXL301"}),
    "TXL306": frozenset({"TXL301"}),
    "TXL307": frozenset({"TXL301"}),
    "TXL503": frozenset({"TXL501"}),
}
#: The rule after which nothing is left to say of the file, but by the tool itself.
_WITHHOLDING = "TXL506"
_FAMILIES = ("TXL1", "TXL2", "TXL3", "TXL4", "TXL5", "TXL6")
_NOTHING: frozenset[str] = frozenset()
_STRONGER = frozenset({*_INSIDE, *_SAME_NODE, _WITHHOLDING})


@dataclass
class Candidate:
    """A report on its way to becoming a finding: what precedence has to know of it.

    `covered` are the spans inside of which it speaks for weaker rules; `absorbed` collects those
    for which it does.
    """

    code: str
    span: Span
    covered: Sequence[Span] = ()
    absorbed: list[int] = field(default_factory=list)


def stronger_than(codes: Iterable[str]) -> frozenset[str]:
    """The rules that have to run, though nobody asked, so that `codes` do not speak out of turn."""
    wanted = set(codes)
    found: set[str] = set()
    grown = True
    while grown:
        more = {
            winner
            for table in (_INSIDE, _SAME_NODE)
            for winner, losers in table.items()
            if losers & (wanted | found)
        }
        grown = not more <= found
        found |= more
    if any(code.startswith(_FAMILIES) for code in wanted):
        found.add(_WITHHOLDING)
    return frozenset(found - wanted)


def settle(candidates: Sequence[Candidate]) -> list[int]:
    """The indexes of the candidates that are left, each with those that it absorbed.

    An absorbed candidate hands those that it would absorb on to the one that speaks for it; one
    that is withheld leaves no trace.
    """
    winners = [i for i, c in enumerate(candidates) if c.code in _STRONGER]
    speaker: dict[int, int] = {}
    for index, candidate in enumerate(candidates):
        speaking = [i for i in winners if _speaks_for(candidates[i], candidate)]
        if speaking:
            speaker[index] = min(speaking, key=lambda i: (_breadth(candidates[i], candidate), i))
    left: list[int] = []
    for index in range(len(candidates)):
        last = index
        while last in speaker:
            last = speaker[last]
        if last == index:
            left.append(index)
        elif candidates[last].code != _WITHHOLDING:
            candidates[last].absorbed.append(index)
    return left


def _speaks_for(winner: Candidate, loser: Candidate) -> bool:
    if loser.code in _SAME_NODE.get(winner.code, _NOTHING):
        return _extent(winner.span) == _extent(loser.span)
    if loser.code not in _INSIDE.get(winner.code, _NOTHING) and not _withholds(winner, loser):
        return False
    return any(_contains(span, loser.span) for span in (winner.span, *winner.covered))


def _withholds(winner: Candidate, loser: Candidate) -> bool:
    is_other = loser.code != _WITHHOLDING and loser.code.startswith(_FAMILIES)
    return winner.code == _WITHHOLDING and is_other


def _breadth(winner: Candidate, loser: Candidate) -> int:
    """The size of the smallest span with which `winner` speaks for `loser`."""
    spans = (winner.span, *winner.covered)
    return min(span.end - span.start for span in spans if _contains(span, loser.span))


def _contains(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _extent(span: Span) -> tuple[int, int]:
    return span.start, span.end
