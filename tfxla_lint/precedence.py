"""One problem, one report: which finding speaks for which others.

A stronger rule speaks for a weaker one inside of what its report covers, or at the same node. It
does so even where it is itself silenced: suppressing the winner does not revive the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tfxla_lint.findings import Span
from tfxla_lint.registry import RuleInfo

_NOTHING: frozenset[str] = frozenset()


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


class Precedence:
    """Which rule speaks for which others, as the rules themselves declare it."""

    def __init__(self, rules: Sequence[RuleInfo]) -> None:
        self._inside = {r.code: frozenset(r.speaks_for) for r in rules if r.speaks_for}
        self._same_node = {
            r.code: frozenset(r.speaks_at_node_for) for r in rules if r.speaks_at_node_for
        }
        self._withholding = frozenset(r.code for r in rules if r.withholds_others)
        self._withheld = frozenset(r.code for r in rules if r.is_of_code) - self._withholding

    def stronger_than(self, codes: Iterable[str]) -> frozenset[str]:
        """The rules that have to run, though nobody asked, so that `codes` do not speak out of
        turn.
        """
        wanted = set(codes)
        found: set[str] = set()
        grown = True
        while grown:
            more = {
                winner
                for table in (self._inside, self._same_node)
                for winner, losers in table.items()
                if losers & (wanted | found)
            }
            grown = not more <= found
            found |= more
        if wanted & self._withheld:
            found |= self._withholding
        return frozenset(found - wanted)

    def settle(self, candidates: Sequence[Candidate]) -> list[int]:
        """The indexes of the candidates that are left, each with those that it absorbed.

        An absorbed candidate hands those that it would absorb on to the one that speaks for it; one
        that is withheld leaves no trace.
        """
        stronger = {*self._inside, *self._same_node, *self._withholding}
        winners = [i for i, c in enumerate(candidates) if c.code in stronger]
        speaker: dict[int, int] = {}
        for index, around in _around(candidates, winners):
            candidate = candidates[index]
            speaking = [i for i in around if self._speaks_for(candidates[i], candidate)]
            if speaking:
                speaker[index] = min(
                    speaking, key=lambda i: (_breadth(candidates[i], candidate), i)
                )
        left: list[int] = []
        for index in range(len(candidates)):
            last = index
            while last in speaker:
                last = speaker[last]
            if last == index:
                left.append(index)
            elif candidates[last].code not in self._withholding:
                candidates[last].absorbed.append(index)
        return left

    def _speaks_for(self, winner: Candidate, loser: Candidate) -> bool:
        if loser.code in self._same_node.get(winner.code, _NOTHING):
            return _extent(winner.span) == _extent(loser.span)
        is_inside = loser.code in self._inside.get(winner.code, _NOTHING)
        if not is_inside and not self._withholds(winner, loser):
            return False
        return any(_contains(span, loser.span) for span in (winner.span, *winner.covered))

    def _withholds(self, winner: Candidate, loser: Candidate) -> bool:
        return winner.code in self._withholding and loser.code in self._withheld


def _around(
    candidates: Sequence[Candidate], winners: Sequence[int]
) -> Iterator[tuple[int, list[int]]]:
    """Each candidate with those of the winners that cover all of it, in order."""
    spans = [(s, i) for i in winners for s in (candidates[i].span, *candidates[i].covered)]
    spans.sort(key=lambda row: row[0].start, reverse=True)
    begun: list[tuple[Span, int]] = []
    for index in sorted(range(len(candidates)), key=lambda i: candidates[i].span.start):
        span = candidates[index].span
        while spans and spans[-1][0].start <= span.start:
            begun.append(spans.pop())
        begun = [row for row in begun if row[0].end >= span.start]
        yield index, sorted({i for outer, i in begun if _contains(outer, span)})


def _breadth(winner: Candidate, loser: Candidate) -> int:
    """The size of the smallest span with which `winner` speaks for `loser`."""
    spans = (winner.span, *winner.covered)
    return min(span.end - span.start for span in spans if _contains(span, loser.span))


def _contains(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _extent(span: Span) -> tuple[int, int]:
    return span.start, span.end
