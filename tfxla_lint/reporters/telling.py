"""What the formats for other tools say of a finding, in plain text."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.findings import Applicability, Finding
from tfxla_lint.reporters import cost
from tfxla_lint.reporters.text import harmless_line, harmless_start, place_of, visible
from tfxla_lint.results import RunResult
from tfxla_lint.verify.speed import times_faster
from tfxla_lint.verify.verdicts import Outcome, Verdict

_Key = tuple[str, str, int]


def told(finding: Finding, verdicts: Verdicts | None = None) -> str:
    """The place, the message, what proves it, what it costs, what its fix does, and what running
    that showed."""
    place = harmless_start(place_of(finding.path, finding.span))
    lines = [f"{place}: {finding.code} {finding.message}"]
    lines += [f"note: {visible(place)}: {message}" for place, message in proofs(finding)]
    if finding.stake is not None:
        lines.append(f"cost: {cost.in_words(finding.stake)}")
    if is_offered(finding) and finding.fix is not None:
        lines.append(f"help: {help_on(finding)}")
    verdict = verdicts.on(finding) if verdicts is not None else None
    lines += [f"verified: {in_words(verdict)}"] if verdict is not None else []
    return "\n".join(harmless_line(line) for text in lines for line in text.split("\n"))


def proofs(finding: Finding) -> Iterator[tuple[str, str]]:
    """The places that prove a finding, with what each shows."""
    for item in finding.related:
        if not item.is_further:
            path = item.path if item.path is not None else finding.path
            yield place_of(path, item.span), item.message


def is_offered(finding: Finding) -> bool:
    """Whether a finding has a fix that some option applies."""
    return finding.fix is not None and finding.fix.applicability is not Applicability.DISPLAY


def help_on(finding: Finding) -> str:
    """What a finding's fix does, and what it assumes."""
    if finding.fix is None:
        return ""
    is_safe = finding.fix.applicability is Applicability.SAFE
    assumption = "" if is_safe or not finding.fix.assumption else f"; {finding.fix.assumption}"
    return f"{finding.fix.title} ({finding.fix.applicability.value} fix{assumption})"


class Verdicts:
    """The verdicts of `--verify` by the findings whose fixes were run."""

    def __init__(self, result: RunResult) -> None:
        self._by_finding: dict[_Key, Verdict] = {}
        for item in result.checked:
            for finding in item.findings if item.verdicts else ():
                worst = max(item.verdicts, key=lambda verdict: _ORDER.index(verdict.outcome))
                self._by_finding[_key(finding)] = worst

    def on(self, finding: Finding) -> Verdict | None:
        """The worst verdict on a finding's fix, if it was run."""
        return self._by_finding.get(_key(finding))


_ORDER = (Outcome.EQUIVALENT, Outcome.NOT_CHECKED, Outcome.DIFFERS)


def _key(finding: Finding) -> _Key:
    return finding.path, finding.code, finding.span.start


def in_words(verdict: Verdict) -> str:
    """A verdict in one line: the outcome, why, and how many times faster."""
    factor = times_faster(verdict)
    why = f": {verdict.reason}" if verdict.reason else ""
    return f"{verdict.outcome.value}{why}{f', {factor:.1f} times faster' if factor else ''}"
