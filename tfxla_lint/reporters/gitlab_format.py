"""A GitLab Code Quality report."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from tfxla_lint.findings import Finding, Span
from tfxla_lint.reporters.levels import LEVELS
from tfxla_lint.reporters.style import Style
from tfxla_lint.results import RunResult


def render(result: RunResult, style: Style) -> str:
    """The report."""
    import json

    sources = result.sources
    seen: Counter[str] = Counter()
    issues: list[dict[str, Any]] = []
    for finding in result.listed:
        source = sources.get(finding.path)
        line = source.line_text(finding.span.line).strip() if source is not None else ""
        key = "\0".join((finding.path, finding.code, line))
        seen[key] += 1
        issues.append(_issue(finding, f"{key}\0{seen[key]}"))
    return json.dumps(issues, indent=2) + "\n"


def _cell(span: Span) -> str:
    return f"cell {span.cell.index}, line {span.cell.line}: " if span.cell is not None else ""


def _issue(finding: Finding, key: str) -> dict[str, Any]:
    """One issue; its fingerprint survives changes elsewhere in the file."""
    span = finding.span
    return {
        "description": f"{_cell(span)}{finding.code} {finding.message}",
        "check_name": finding.name,
        "fingerprint": hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": LEVELS[finding.level].gitlab,
        "location": {"path": finding.path.replace("\\", "/"), **_lines(span)},
    }


def _lines(span: Span) -> dict[str, Any]:
    """Where a span stands; of a notebook's the lines of the JSON, whose columns say nothing."""
    cell = span.cell
    if cell is not None:
        return {"lines": {"begin": cell.file_line, "end": cell.file_end_line}}
    begin = {"line": span.line, "column": span.column}
    return {
        "positions": {"begin": begin, "end": {"line": span.end_line, "column": span.end_column}}
    }
