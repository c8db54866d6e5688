"""Lets fixes stand or fall by running them: what `--verify` adds to the checks of a fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tfxla_lint.findings import Applicability, Finding, Intent
from tfxla_lint.fixing.checks import Refused, Refuted
from tfxla_lint.source import Source
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verdicts import Outcome, Timing, Verdict
from tfxla_lint.verify.verifier import Options, Pair, Verifier

#: The rule whose fix is about speed alone, and how much faster it has to be.
_FASTER = "TXL405"
_MARGIN = 0.9


@dataclass
class Proof:
    """Verifies fixes of one run after the other with one worker.

    `strict` withdraws what could not be checked; `log` keeps what was judged: the fixes' findings
    and the verdicts on them.
    """

    worker: Worker
    options: Options
    strict: bool = False
    log: list[tuple[tuple[Finding, ...], tuple[Verdict, ...]]] = field(default_factory=list)
    _known: dict[tuple[str, str, bool], tuple[Verdict, ...]] = field(default_factory=dict)

    def prove(
        self, path: Path, before: Source, after: Source, findings: Sequence[Finding], unsafe: bool
    ) -> None:
        """Raise Refused where what the fixes of `findings` make of the file must not stand."""
        verdicts = self.judge(path, before, after, findings)
        self.log.append((tuple(findings), verdicts))
        differing = [v for v in verdicts if v.outcome is Outcome.DIFFERS]
        if differing:
            raise Refuted(difference_of(differing[0]))
        slower = _is_not_faster(findings, verdicts)
        if slower is not None:
            raise Refused(slower)
        open_ = [v for v in verdicts if v.outcome is Outcome.NOT_CHECKED]
        if open_ and self.strict:
            raise Refused(f"it could not be verified: {open_[0].reason}")
        if open_ and not unsafe and any(map(_is_unsafe, findings)):
            raise Refused(f"it is unsafe and could not be verified: {open_[0].reason}")

    def judge(
        self, path: Path, before: Source, after: Source, findings: Sequence[Finding]
    ) -> tuple[Verdict, ...]:
        """The verdicts on what the fixes of `findings` make of the file."""
        correcting = bool(findings) and all(map(_is_correcting, findings))
        key = (before.text, after.text, correcting)
        if key not in self._known:
            options = replace(self.options, correcting=correcting)
            pair = Pair(path.absolute(), before.path, before.text, after.text)
            self._known[key] = tuple(Verifier(self.worker, options).verify(pair))
        return self._known[key]


def difference_of(verdict: Verdict) -> str:
    """What differs, in one line."""
    place = f"in {verdict.unit}, " if verdict.unit != "<module>" else ""
    return f"{place}{verdict.evidence[0]}" if verdict.evidence else f"{place}the results differ"


def _is_unsafe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is not Applicability.SAFE


def _is_correcting(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.intent is Intent.CORRECTING


def _is_not_faster(findings: Sequence[Finding], verdicts: Sequence[Verdict]) -> str | None:
    """Why a fix that compiles by XLA is not worth it here, where it was measured."""
    if not any(finding.code == _FASTER for finding in findings):
        return None
    for verdict in verdicts:
        times: dict[str, Timing] = {timing.variant: timing for timing in verdict.timings}
        if {"original", "rewritten"} <= set(times):
            old, new = times["original"].milliseconds, times["rewritten"].milliseconds
            if new > _MARGIN * old:
                return f"XLA is not faster here: {new:.3g} ms a call against {old:.3g} ms"
    return None
