"""The last line of a report for people: what to do next."""

from __future__ import annotations

from collections import Counter

from tfxla_lint.findings import Applicability
from tfxla_lint.registry import SYNTAX_ERROR
from tfxla_lint.results import RunResult


def next_step(result: RunResult) -> str:
    """What to do next, "" where there is nothing to do."""
    steps = [*_fixing(result), *_reading(result)]
    return f"Next: {'; '.join(steps)}." if steps else ""


def _fixing(result: RunResult) -> list[str]:
    if result.is_fixing:
        is_open = result.applied.total() and not result.is_verified
        run = "`tfxla-lint verify --git HEAD` runs what was written against what it was"
        return [run] if is_open else []
    kinds = (Applicability.SAFE, Applicability.UNSAFE)
    if not any(map(result.count_fixable, kinds)):
        return []
    return ["`--fix --verify` writes what a run on TensorFlow shows to compute the same"]


def _reading(result: RunResult) -> list[str]:
    """The page of the rule that has most to say, the worst level first."""
    told = [finding for finding in result.listed if finding.code != SYNTAX_ERROR]
    if not told:
        return []
    worst = min(finding.level.rank for finding in told)
    ((code, _),) = Counter(f.code for f in told if f.level.rank == worst).most_common(1)
    return [f"`tfxla-lint rule {code}` explains"]
