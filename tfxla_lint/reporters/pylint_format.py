"""Lines as pylint prints them for other tools: `path:line: [code(name), function] message`."""

from __future__ import annotations

from tfxla_lint.findings import Finding
from tfxla_lint.fingerprints import Outlines
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import harmless_start, visible
from tfxla_lint.results import RunResult


def render(result: RunResult, style: Style) -> str:
    """The report."""
    outlines = Outlines(result.sources)
    return "".join(f"{_line(finding, outlines)}\n" for finding in result.listed)


def _line(finding: Finding, outlines: Outlines) -> str:
    cell = finding.span.cell
    line = finding.span.line if cell is None else cell.file_line
    where = f"cell {cell.index}, line {cell.line}: " if cell is not None else ""
    scope = outlines.statement(finding).scope
    text = f"{where}{' '.join(finding.message.split())}"
    head = harmless_start(f"{finding.path}:{line}:")
    return f"{head} [{finding.code}({finding.name}), {visible(scope)}] {visible(text)}"
