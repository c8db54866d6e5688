"""A GitLab Code Quality report."""

from __future__ import annotations

from typing import Any

from tfxla_lint.findings import Finding, Span
from tfxla_lint.fingerprints import digests
from tfxla_lint.reporters.json_format import dump
from tfxla_lint.reporters.levels import LEVELS
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import in_slashes
from tfxla_lint.results import RunResult


def render(result: RunResult, style: Style) -> str:
    """The report."""
    names = digests(result.listed, result.sources)
    issues = [_issue(*pair) for pair in zip(result.listed, names, strict=True)]
    return dump(issues)


def _cell(span: Span) -> str:
    return f"cell {span.cell.index}, line {span.cell.line}: " if span.cell is not None else ""


def _issue(finding: Finding, fingerprint: str) -> dict[str, Any]:
    span = finding.span
    cell = span.cell
    lines = (span.line, span.end_line) if cell is None else (cell.file_line, cell.file_end_line)
    return {
        "description": f"{_cell(span)}{finding.code} {finding.message}",
        "check_name": finding.name,
        "fingerprint": fingerprint,
        "severity": LEVELS[finding.level].gitlab,
        "location": {
            "path": in_slashes(finding.path),
            "lines": {"begin": lines[0], "end": lines[1]},
        },
    }
