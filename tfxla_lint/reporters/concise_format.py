"""One line for each finding."""

from __future__ import annotations

from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import headline
from tfxla_lint.results import RunResult


def render(result: RunResult, style: Style) -> str:
    """The report."""
    return "".join(f"{headline(finding, result, style)}\n" for finding in result.listed)
