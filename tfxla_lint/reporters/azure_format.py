"""Logging commands of Azure Pipelines; notes, which it has no word for, as lines of the log."""

from __future__ import annotations

from tfxla_lint.findings import Finding
from tfxla_lint.reporters.levels import LEVELS
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.telling import Verdicts, told
from tfxla_lint.reporters.text import headline, in_slashes, visible
from tfxla_lint.results import RunResult


def render(result: RunResult, style: Style) -> str:
    """The report."""
    verdicts = Verdicts(result)
    lines = (_line(finding, result, verdicts) for finding in result.listed)
    return "".join(f"{line}\n" for line in lines)


def _line(finding: Finding, result: RunResult, verdicts: Verdicts) -> str:
    kind = LEVELS[finding.level].azure
    if not kind:
        return headline(finding, result, Style())
    span = finding.span
    fields = {"type": kind, "sourcepath": visible(in_slashes(finding.path))}
    if span.cell is None:
        fields |= {"linenumber": str(span.line), "columnnumber": str(span.column)}
    else:
        fields |= {"linenumber": str(span.cell.file_line)}
    fields |= {"code": f"{finding.code}({finding.name})"}
    listed = "".join(f"{key}={_property(value)};" for key, value in fields.items())
    return f"##vso[task.logissue {listed}]{_data(told(finding, verdicts))}"


def _data(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace("]", "%5D").replace(";", "%3B")
