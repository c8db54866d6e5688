"""Lets fixes stand or fall by running them: what `--verify` adds to the checks of a fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tfxla_lint.findings import Applicability, Finding, Intent
from tfxla_lint.fixing.checks import Refused, Refuted
from tfxla_lint.sandbox.interpreter import interpreter
from tfxla_lint.sandbox.jobs import Worker
from tfxla_lint.sandbox.spawn import terminable
from tfxla_lint.source import Source
from tfxla_lint.verify.checked import Checked
from tfxla_lint.verify.pairs import Options, Pair, Progress
from tfxla_lint.verify.process import Worker as Verifying
from tfxla_lint.verify.running import STARTING
from tfxla_lint.verify.speed import not_worth_it
from tfxla_lint.verify.verdicts import Outcome, Verdict
from tfxla_lint.verify.verifier import Verifier


@dataclass(frozen=True)
class Proving:
    """How fixes are to be verified: what any process can make its proof of."""

    options: Options
    strict: bool = False
    python: str | None = None

    @contextmanager
    def opened(self, progress: Progress = lambda text: None) -> Iterator[Proof]:
        """A proof with a worker of its own; raises WorkerError where nothing can be run."""
        with terminable(), Verifying(interpreter(self.python)) as worker:
            progress(STARTING)
            worker.start()
            yield Proof(worker, self.options, self.strict, progress)


@dataclass
class Proof:
    """Verifies fixes of one run after the other with one worker.

    `strict` withdraws what could not be checked; `log` keeps what was judged.
    """

    worker: Worker
    options: Options
    strict: bool = False
    progress: Progress = lambda text: None
    log: list[Checked] = field(default_factory=list)
    _known: dict[tuple[str, str, bool], tuple[Verdict, ...]] = field(default_factory=dict)

    def prove(
        self,
        path: Path,
        before: Source,
        after: Source,
        findings: Sequence[Finding],
        unsafe: bool,
        beside: Mapping[str, str] | None = None,
    ) -> None:
        """Raise Refused where what the fixes of `findings` make of the file must not stand.

        `beside` has the texts, by path, of other files that are not what the disk has of them.
        """
        verdicts = self.judge(path, before, after, findings, beside)
        refusal = self._refusal(findings, verdicts, unsafe)
        self.note(before, after, findings, verdicts, str(refusal or ""))
        if refusal is not None:
            raise refusal

    def note(
        self,
        before: Source,
        after: Source,
        findings: Sequence[Finding],
        verdicts: Sequence[Verdict],
        refused: str = "",
    ) -> None:
        """Keep what was judged for the report."""
        entry = Checked(tuple(findings), tuple(verdicts), before.text, after.text, refused)
        if entry in self.log:
            self.log.remove(entry)
        self.log.append(entry)

    def _refusal(
        self, findings: Sequence[Finding], verdicts: Sequence[Verdict], unsafe: bool
    ) -> Refused | None:
        """Why the fixes must not stand; None where they may."""
        differing = [v for v in verdicts if v.outcome is Outcome.DIFFERS]
        if differing:
            return Refuted(difference_of(differing[0]))
        slow = not_worth_it(verdicts) if any(map(_is_for_speed, findings)) else ""
        if slow:
            return Refused(slow)
        open_ = [v for v in verdicts if v.outcome is Outcome.NOT_CHECKED]
        if open_ and self.strict:
            return Refused(f"it could not be verified: {open_[0].reason}")
        if open_ and not unsafe and any(map(_is_unsafe, findings)):
            return Refused(f"it is unsafe and could not be verified: {open_[0].reason}")
        return None

    def judge(
        self,
        path: Path,
        before: Source,
        after: Source,
        findings: Sequence[Finding],
        beside: Mapping[str, str] | None = None,
    ) -> tuple[Verdict, ...]:
        """The verdicts on what the fixes of `findings` make of the file."""
        correcting = bool(findings) and all(map(_is_correcting, findings))
        key = (before.text, after.text, correcting)
        if key not in self._known:
            xla = self.options.measure_xla and not any(map(_is_for_speed, findings))
            options = replace(self.options, correcting=correcting, measure_xla=xla)
            codes = ", ".join(dict.fromkeys(finding.code for finding in findings))

            def progress(text: str) -> None:
                self.progress(f"{codes}: {text}")

            both = (beside or {}, beside or {})
            texts = (before.text, after.text)
            pair = Pair(path.absolute(), before.path, *texts, both, before.cell_lines)
            self._known[key] = tuple(Verifier(self.worker, options, progress).verify(pair))
        return self._known[key]


def difference_of(verdict: Verdict) -> str:
    """What differs, in one line."""
    place = f"in {verdict.unit}, " if verdict.unit != "<module>" else ""
    return f"{place}{verdict.evidence[0]}" if verdict.evidence else f"{place}the results differ"


def _is_unsafe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is not Applicability.SAFE


def _is_for_speed(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.needs_measurement


def _is_correcting(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.intent is Intent.CORRECTING
