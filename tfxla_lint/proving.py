"""One file under `--verify`: fixes stand or fall by being run, and findings say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tfxla_lint.findings import Applicability, Finding, Fix, Level
from tfxla_lint.fixing.checks import Lint, Refused, State, applied
from tfxla_lint.linter import parse_quietly
from tfxla_lint.registry import REFUTED_FIX
from tfxla_lint.source import Source

if TYPE_CHECKING:
    from tfxla_lint.fixer import Withdrawn
    from tfxla_lint.linter import LintResult
    from tfxla_lint.verify.checked import Checked
    from tfxla_lint.verify.proof import Proof

_NAME = "refuted-fix"


def refuted_finding(finding: Finding, reason: str) -> Finding:
    """The TXL003 finding for a fix that was refuted."""
    return replace(
        finding,
        code=REFUTED_FIX,
        name=_NAME,
        level=Level.WARNING,
        message=f"the fix of {finding.code} computes something else: {reason}",
        related=(),
        fix=None,
    )


def with_refuted(result: LintResult, refuted: Sequence[Withdrawn], enabled: bool) -> LintResult:
    """The findings, with one for each refuted fix; a refuted fix is offered no more."""
    if not refuted or not enabled:
        return result
    gone = {item.finding for item in refuted}
    kept = [replace(f, fix=None) if f in gone else f for f in result.findings]
    kept += [refuted_finding(*item) for item in refuted]
    return replace(result, findings=tuple(sorted(kept, key=lambda finding: finding.sort_key)))


def check_each(
    proof: Proof, path: Path, source: Source, result: LintResult, lint: Lint
) -> Iterator[Withdrawn]:
    """Run each finding's fix by itself against the file; yield those that are refuted."""
    from tfxla_lint.fixer import Withdrawn
    from tfxla_lint.verify.proof import difference_of
    from tfxla_lint.verify.verdicts import Outcome

    state = State(source, parse_quietly(source.text), result)
    for finding in result.findings:
        fix = finding.fix
        if fix is None or not fix.edits or not _is_run(fix):
            continue
        try:
            after = applied(state, [finding], lint)
        except Refused:
            continue
        verdicts = proof.judge(path, source, after.source, [finding])
        proof.note(source, after.source, [finding], verdicts)
        differing = [v for v in verdicts if v.outcome is Outcome.DIFFERS]
        if differing:
            yield Withdrawn(finding, difference_of(differing[0]))


def _is_run(fix: Fix) -> bool:
    return fix.applicability is not Applicability.DISPLAY or fix.needs_measurement


def taken_log(proof: Proof) -> tuple[Checked, ...]:
    """What was judged since the last call, for the report.

    Fixes that were tried together and then in smaller groups are told of once, in the last of
    these groups.
    """
    log = list(proof.log)
    proof.log.clear()
    found = []
    for index, entry in enumerate(log):
        same = [other for other in log if other.before == entry.before]
        later = [other for other in log[index + 1 :] if other.before == entry.before]
        if _is_told_later(entry, later):
            continue
        standing = {f for other in same if not other.refused for f in other.findings}
        left = tuple(f for f in entry.findings if f not in standing)
        findings = left if entry.refused and left else entry.findings
        found.append(replace(entry, findings=findings))
    return tuple(found)


def _is_told_later(entry: Checked, later: Sequence[Checked]) -> bool:
    own = set(entry.findings)
    if entry.refused:
        return len(own) > 1 and own <= {f for other in later for f in other.findings}
    return any(own < set(other.findings) for other in later if not other.refused)
