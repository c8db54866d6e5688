"""Workflow commands that GitHub shows as annotations, the worst first.

GitHub shows ten annotations of each level and step, so those that matter most come first.
"""

from __future__ import annotations

from tfxla_lint.findings import Applicability, Finding
from tfxla_lint.reporters.levels import LEVELS
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import place_of
from tfxla_lint.results import RunResult


def render(result: RunResult, style: Style) -> str:
    """The report."""
    findings = sorted(result.listed, key=lambda f: (f.level.rank, f.sort_key))
    return "".join(f"{_command(finding)}\n" for finding in findings)


def _command(finding: Finding) -> str:
    span = finding.span
    fields = {
        "title": f"{finding.code} {finding.name}",
        "file": finding.path.replace("\\", "/"),
        "line": str(span.line if span.cell is None else span.cell.file_line),
    }
    if span.cell is not None:
        fields |= {"endLine": str(span.cell.file_end_line)}
    elif span.end_line == span.line:
        fields |= {"col": str(span.column), "endLine": str(span.line)}
        fields |= {"endColumn": str(span.end_column)}
    else:
        fields |= {"endLine": str(span.end_line)}
    listed = ",".join(f"{key}={_property(value)}" for key, value in fields.items())
    return f"::{LEVELS[finding.level].github} {listed}::{_data(_text(finding))}"


def _text(finding: Finding) -> str:
    lines = [f"{place_of(finding.path, finding.span)}: {finding.code} {finding.message}"]
    for item in (item for item in finding.related if not item.is_further):
        path = item.path if item.path is not None else finding.path
        lines.append(f"note: {place_of(path, item.span)}: {item.message}")
    if finding.fix is not None and finding.fix.applicability is not Applicability.DISPLAY:
        lines.append(f"help: {finding.fix.title}")
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
