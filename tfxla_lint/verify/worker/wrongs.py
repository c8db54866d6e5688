"""Runs wrong versions of a rewritten program, to see whether they would have been told from it.

A program that names how many turns it makes is run for a few of them as well, where both right versions
agree in that: a wrong one that shows there need not be run as a whole.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, List, Mapping, NamedTuple, Optional, Set

from tfxla_lint.sandbox.inside.nodes import Node
from tfxla_lint.verify.worker.evidence import unlike
from tfxla_lint.verify.worker.judging import Judge
from tfxla_lint.verify.worker.power import (
    FAILS,
    MISSED,
    NOTHING,
    OTHER,
    SAME,
    SEEN,
    Instead,
    Seen,
)
from tfxla_lint.verify.worker.replays import REFUSED, paired
from tfxla_lint.verify.worker.sides import WRONG, Side, Snapshot, run_script

#: A short run takes at most this share of a whole one, which takes at least so many seconds.
_SHARE, _LONG = 0.4, 2.0


class Runs(NamedTuple):
    """Runs of both right versions, and what the texts are called of which they are."""

    before: Snapshot
    after: Snapshot
    text: str


class Wrongs:
    """What becomes of wrong versions of one program."""

    def __init__(
        self, job: Mapping[str, Any], before: Snapshot, after: Snapshot, left_out: Set[str]
    ) -> None:
        self._job = job
        self._whole = Runs(before, after, "text")
        self._left_out = left_out

    def attempt(self, mutant: Mapping[str, Any], how: Instead) -> str:
        """What becomes of one of them; raises Seen as soon as a value differs."""
        if how is not Instead.NEAR and OTHER not in mutant["text"]:
            return NOTHING
        if self._short is not None and self._fate(mutant, how, self._short) == SEEN:
            return SEEN
        return self._fate(mutant, how, self._whole)

    @cached_property
    def _short(self) -> Optional[Runs]:
        """Runs of a few turns, where that is much shorter and shows no difference.

        They are eager, so that nothing is traced for so little.
        """
        texts: List[str] = self._job.get("short", [])
        seconds = self._whole.before.seconds
        if not texts or seconds < _LONG:
            return None
        runs: List[Snapshot] = []
        for number, text in enumerate(texts):
            runs.append(run_script(self._side(number, text, eager=True)))
            if runs[-1].error is not None or runs[-1].seconds > _SHARE * seconds:
                return None
        if any(d.place not in self._left_out for d in Judge(self._job).differences(*runs)):
            return None
        return Runs(runs[0], runs[1], "short")

    def _side(self, number: int, text: str, eager: bool) -> Side:
        job = self._job
        overlay = {**job["sides"][number].get("overlay", {}), job["path"]: text}
        row = {"label": WRONG, "source": text, "overlay": overlay}
        side = Side({**job, "replays": False}, row, eager)
        side.is_untimed = True
        return side

    def _fate(self, mutant: Mapping[str, Any], how: Instead, runs: Runs) -> str:
        before, after, left_out = runs.before, runs.after, self._left_out
        is_whole = runs is self._whole
        side = self._side(mutant["side"], mutant[runs.text], not is_whole)
        side.has_replays = bool(self._job.get("replays")) and is_whole
        side.instead = how
        side.held = before.left.held
        judge = Judge(self._job)

        def is_compared(name: str) -> bool:
            # What of the original is held against nothing shows nothing.
            return bool(mutant["side"]) or before.hits.get(name) == after.hits.get(name)

        def see(name: str, number: int, node: Node) -> None:
            known = before.calls.get(name, []) if is_compared(name) else []
            if number <= len(known) and f"{name}()#{number}" not in left_out:
                own = judge.result(name, number, known[number - 1], node)
                if own and not judge.is_otherwise(name, own):
                    raise Seen

        def see_format(template: int, number: int, node: Node) -> None:
            known = before.left.formatted.get(template, [])
            is_known = len(known) == len(after.left.formatted.get(template, []))
            if is_known and number <= len(known):
                found = judge.comparison.compare("", known[number - 1], node, strict=False)
                if found and not any(place.startswith("value of ") for place in left_out):
                    raise Seen

        side.on_result, side.on_format = see, see_format
        wrong = run_script(side)
        if wrong.error is not None:
            return FAILS
        wrong.calls = {n: rows for n, rows in wrong.calls.items() if is_compared(n)}
        wrong.replays = {n: rows for n, rows in wrong.replays.items() if n in after.replays}
        wrong.varied = {n: rows for n, rows in wrong.varied.items() if n in after.varied}
        found = judge.differences(before, wrong)
        if any(d.place not in left_out for d in found):
            return SEEN
        if side.others.is_reached:
            return SEEN
        if mutant["is_bound"] and _fails_more(after if mutant["side"] else before, wrong):
            return SEEN
        if not side.others.is_telling:
            return NOTHING
        right = after if mutant["side"] else before
        same = not unlike((right.state, right.output), (wrong.state, wrong.output))
        if not same or not right.left.is_same(wrong.left):
            # Nothing but rounding hangs on a bound that was well passed.
            return SEEN if side.others.is_exceeded else MISSED
        # Values came to a bound on which nothing hangs.
        return SEEN if side.others.is_bounded else SAME


def _fails_more(right: Snapshot, wrong: Snapshot) -> bool:
    """Whether a version without a bound fails in a call that the one which has it survives."""
    return any(
        a.words == b.words and a.result not in (None, REFUSED) and b.result is None
        for name, rows in right.replays.items()
        for a, b in paired(rows, wrong.replays.get(name, []))
    )
