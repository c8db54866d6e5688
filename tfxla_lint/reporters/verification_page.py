"""The HTML page on what running the fixes showed: a card per fix."""

from __future__ import annotations

from tfxla_lint.reporters.verification import fixed_lines
from tfxla_lint.results import RunResult
from tfxla_lint.verify.checked import Checked
from tfxla_lint.verify.html import Card, page


def render_page(result: RunResult) -> str:
    """The page; it loads nothing from elsewhere."""
    return page([_card(item) for item in result.checked])


def _card(item: Checked) -> Card:
    """What was run together: mostly the fix of one finding."""
    rules = dict.fromkeys(f"{finding.code} {finding.name}" for finding in item.findings)
    path = item.verdicts[0].path if item.verdicts else item.findings[0].path
    texts = [
        f"{finding.message}. {finding.fix.title}." if finding.fix is not None else finding.message
        for finding in item.findings
    ]
    if item.refused:
        texts.append(f"Held back: {item.refused}.")
    return Card(
        ", ".join(rules),
        fixed_lines(path, item),
        tuple(dict.fromkeys(texts)),
        item.verdicts,
        item.before,
        item.after,
    )
