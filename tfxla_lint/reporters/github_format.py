"""Workflow commands that GitHub shows as annotations, the worst first, of one level the dearest; the
rest as lines of the log.

GitHub shows ten annotations of each level for a step, and fifty for a job.
"""

from __future__ import annotations

from collections import Counter

from tfxla_lint.findings import Finding, Level
from tfxla_lint.reporters.cost import dearest_first
from tfxla_lint.reporters.levels import LEVELS
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.telling import Verdicts, told
from tfxla_lint.reporters.text import counted, headline, in_slashes, visible
from tfxla_lint.results import RunResult

MOST = 10


def render(result: RunResult, style: Style) -> str:
    """The report."""
    findings = sorted(dearest_first(result.listed), key=lambda f: f.level.rank)
    rest = _rest(findings)
    hidden = {id(finding) for finding in rest}
    verdicts = Verdicts(result)
    lines = [_command(f, told(f, verdicts)) for f in findings if id(f) not in hidden]
    if rest:
        lines.append(_command_of_rest(rest))
        lines += [headline(finding, result, Style()) for finding in rest]
    return "".join(f"{line}\n" for line in lines)


def _rest(findings: list[Finding]) -> list[Finding]:
    """What finds no place among the annotations; one notice is kept for the number of the rest."""
    most = dict.fromkeys(Level, MOST)
    if any(count > MOST for count in Counter(f.level for f in findings).values()):
        most[Level.NOTE] -= 1
    shown: Counter[Level] = Counter()
    rest = []
    for finding in findings:
        shown[finding.level] += 1
        if shown[finding.level] > most[finding.level]:
            rest.append(finding)
    return rest


def _command_of_rest(rest: list[Finding]) -> str:
    levels = Counter(finding.level for finding in rest)
    parts = ", ".join(counted(levels[level], level.value) for level in Level if levels[level])
    text = (
        f"{counted(len(rest), 'more finding')} ({parts}), in the log and the summary of this step"
    )
    return f"::notice title=tfxla-lint::{_data(text)}"


def _command(finding: Finding, text: str) -> str:
    span = finding.span
    fields = {
        "title": f"{finding.code} {finding.name}",
        "file": visible(in_slashes(finding.path)),
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
    return f"::{LEVELS[finding.level].github} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
