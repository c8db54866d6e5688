"""Applies fixes to one text, in passes to a fixed point, and checks each pass before it counts."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from tfxla_lint.findings import Applicability, Edit, Finding, Fix, InCell
from tfxla_lint.fixing.checks import Lint, Refused, Refuted, State, applied
from tfxla_lint.fixing.collisions import collide
from tfxla_lint.linter import parse_quietly
from tfxla_lint.source import Source

if TYPE_CHECKING:
    from tfxla_lint.linter import LintResult

MAX_PASSES = 100

#: A fix as it is known again in another text: code, title, new texts and the line it is on.
_Key = tuple[str, str, tuple[str, ...], str]

#: Runs what fixes make of a text against that text: raises Refused where it must not stand.
Prove = Callable[[Source, Source, Sequence[Finding]], None]


class Blocked(NamedTuple):
    """A fix that was not applied, at a line of the final text or of its cell, and why."""

    code: str
    line: int
    reason: str
    cell: InCell | None = None


class Withdrawn(NamedTuple):
    """A finding whose fix computes something else when it is run, and what differs."""

    finding: Finding
    reason: str


@dataclass(frozen=True)
class FixOutcome:
    """What fixing gave.

    `applied` counts the findings that their fixes made go away, by code. `result` is what linting
    `text` gives, and `remaining` its findings.
    """

    text: str
    result: LintResult
    applied: Counter[str] = field(default_factory=Counter)
    blocked: tuple[Blocked, ...] = ()
    refuted: tuple[Withdrawn, ...] = ()

    @property
    def remaining(self) -> tuple[Finding, ...]:
        """The findings that are left in `text`."""
        return self.result.findings


def fix_text(
    source: Source,
    lint: Lint,
    *,
    unsafe: bool,
    fixable: Callable[[str], bool] = lambda code: True,
    prove: Prove | None = None,
    measured: bool = False,
) -> FixOutcome:
    """Apply the fixes that `lint` proposes, until no more of them can be.

    Unsafe fixes are applied only if `unsafe`, those for display never, and only fixes of codes
    that are `fixable`. With `prove` what they make of the text must also pass that; with `measured`
    those that need to be measured compete there, one by one, when all else is done. A second call on
    the outcome's text changes nothing.
    """
    result = lint(source)
    try:
        state = State(source, parse_quietly(source.text), result)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return FixOutcome(source.text, result)
    chosen = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}

    def is_wanted(finding: Finding) -> bool:
        fix = finding.fix
        if fix is None or not fix.edits or not fixable(finding.code):
            return False
        return fix.applicability in chosen or (measured and fix.needs_measurement)

    barred = _Barred()
    while True:
        run = _Run(state, lint, is_wanted, barred, prove)
        if run.converges():
            return run.outcome()
        barred.learn(run)


@dataclass
class _Barred:
    """What keeps fixing from coming to an end: fixes that undo one another, codes that go on."""

    looping: set[_Key] = field(default_factory=set)
    endless: set[str] = field(default_factory=set)
    rounds: int = 0

    def learn(self, run: _Run) -> None:
        """Bar what the run ended with."""
        self.rounds += 1
        if run.loop and self.rounds < MAX_PASSES:
            self.looping |= run.loop
        else:
            self.endless |= run.late_codes

    def reason(self, finding: Finding, key: _Key) -> str | None:
        """Why a finding's fix is not tried, if it is barred."""
        if finding.code in self.endless:
            return f"did not converge after {MAX_PASSES} passes"
        if key in self.looping:
            return "did not converge: fixes lead back to the same code"
        return None


class _Run:
    """One attempt at a fixed point, without the fixes that are barred."""

    def __init__(
        self,
        state: State,
        lint: Lint,
        is_wanted: Callable[[Finding], bool],
        barred: _Barred,
        prove: Prove | None = None,
    ) -> None:
        self._state = state
        self._lint = lint
        self._is_wanted = is_wanted
        self._barred = barred
        self._prove = prove
        #: The text before each pass, and the fixes that the pass applied.
        self._texts: list[str] = []
        self._passes: list[list[Finding]] = []
        #: Fixes that led back to a text that was there before.
        self.loop: set[_Key] = set()
        #: Fixes that were refused in an earlier text; they get one more chance at the end.
        self._refused: set[_Key] = set()
        #: Fixes that were refused when nothing else changed in the current text, and why.
        self._here: dict[Finding, Refused] = {}

    @property
    def late_codes(self) -> set[str]:
        """The codes of the fixes that the later half of the passes applied."""
        late = self._passes[len(self._passes) // 2 :]
        return {finding.code for done in late for finding in done}

    def converges(self) -> bool:
        """Run passes; whether a fixed point was reached."""
        while len(self._passes) < MAX_PASSES:
            if self._pass():
                if self.loop:
                    return False
                continue
            if not self._refused:
                return True
            self._refused.clear()
        return False

    def outcome(self) -> FixOutcome:
        """What the passes gave."""
        counts = Counter(finding.code for done in self._passes for finding in done)
        return FixOutcome(
            self._state.source.text,
            self._state.result,
            counts,
            tuple(self._blocked()),
            tuple(self._refuted()),
        )

    def _blocked(self) -> Iterator[Blocked]:
        for finding in self._state.result.findings:
            refusal = self._here.get(finding)
            if not self._is_wanted(finding) or isinstance(refusal, Refuted):
                continue
            reason = str(refusal or self._barred.reason(finding, self._key(finding)) or "")
            yield Blocked(finding.code, finding.span.shown_line, reason, finding.span.cell)

    def _refuted(self) -> Iterator[Withdrawn]:
        for finding in self._state.result.findings:
            refusal = self._here.get(finding)
            if isinstance(refusal, Refuted):
                yield Withdrawn(finding, str(refusal))

    # One pass

    def _pass(self) -> bool:
        """Apply fixes that do not overlap; whether any were."""
        while batch := self._batch():
            done = _Settling(self._state, self._lint, self._prove)
            done.settle(batch)
            for finding, refusal in done.refused.items():
                if not done.accepted:
                    self._here[finding] = refusal
                else:
                    self._refused.add(self._key(finding))
            if done.accepted:
                self._advance(done)
                return True
        return False

    def _advance(self, done: _Settling) -> None:
        self._refused |= {self._key(finding) for finding in self._here}
        self._here = {}
        self._texts.append(self._state.source.text)
        self._passes.append(done.accepted)
        self._state = done.state
        text = done.state.source.text
        if text in self._texts:
            passes = zip(self._texts, self._passes, strict=True)
            since = list(passes)[self._texts.index(text) :]
            self.loop = {_key(finding, before) for before, done in since for finding in done}

    def _key(self, finding: Finding) -> _Key:
        return _key(finding, self._state.source.text)

    def _batch(self) -> list[Finding]:
        """The fixes to try next, from the top of the file; an overlapping one has to wait.

        So has one that adds a name which another one adds: with that applied, it chooses anew. One
        that is to be measured is tried by itself, after the others.
        """
        batch: list[Finding] = []
        alone: list[Finding] = []
        taken = _Taken()
        naming: list[Fix] = []
        candidates = [f for f in self._state.result.findings if self._is_wanted(f)]
        for finding in sorted(candidates, key=_start):
            key = self._key(finding)
            if finding in self._here or key in self._refused or self._barred.reason(finding, key):
                continue
            edits = finding.fix.edits if finding.fix is not None else ()
            if finding.fix is not None and finding.fix.needs_measurement:
                alone.append(finding)
                continue
            if any(map(taken.touch, edits)):
                continue
            if finding.fix is not None and finding.fix.new_names:
                if any(collide(finding.fix, other) for other in naming):
                    continue
                naming.append(finding.fix)
            taken.add(edits)
            batch.append(finding)
        return batch or alone[:1]


class _Settling:
    """Finds which fixes of a batch can be applied together."""

    def __init__(self, state: State, lint: Lint, prove: Prove | None) -> None:
        self._base = state
        self._lint = lint
        self._prove = prove
        self.state = state
        self.accepted: list[Finding] = []
        self.refused: dict[Finding, Refused] = {}

    def settle(self, batch: Sequence[Finding]) -> None:
        """Accept what passes the checks, halving the batch to find what does not."""
        try:
            findings = [*self.accepted, *batch]
            state = applied(self._base, findings, self._lint)
            if self._prove is not None:
                self._prove(self._base.source, state.source, findings)
            self.state = state
        except Refused as refusal:
            if len(batch) == 1:
                self.refused[batch[0]] = refusal
                return
            middle = len(batch) // 2
            self.settle(batch[:middle])
            self.settle(batch[middle:])
        else:
            self.accepted.extend(batch)


def _start(finding: Finding) -> tuple[int, int, str]:
    first = finding.fix.edits[0].start if finding.fix is not None else 0
    return finding.span.start, first, finding.code


class _Taken:
    """The edits of fixes that are to be applied together: no two touch, but for equal ones."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []

    def touch(self, edit: Edit) -> bool:
        """Whether an edit of another fix gets in the way of those; one that is among them does not."""
        first = bisect_left(self._edits, (edit.start, -1), key=_place)
        for other in islice(self._edits, first, None):
            if other.start > edit.end:
                break
            if other != edit:
                return True
        return False

    def add(self, edits: Sequence[Edit]) -> None:
        """Take these as well, of which none touches."""
        for edit in edits:
            index = bisect_left(self._edits, _place(edit), key=_place)
            if edit not in self._edits[index : index + 1]:
                self._edits.insert(index, edit)


def _place(edit: Edit) -> tuple[int, int]:
    return edit.end, edit.start


def _key(finding: Finding, text: str) -> _Key:
    lines = text[: finding.span.start].rfind("\n") + 1
    end = text.find("\n", finding.span.start)
    line = text[lines : end if end >= 0 else len(text)].strip()
    fix = finding.fix
    texts = tuple(edit.text for edit in fix.edits) if fix is not None else ()
    return finding.code, fix.title if fix is not None else "", texts, line
