"""A page for a pull request: what was found, the worst first, and what running the fixes showed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tfxla_lint.findings import Finding, Level
from tfxla_lint.links import page_of
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.telling import is_offered
from tfxla_lint.reporters.text import counted, place_of, summary, visible
from tfxla_lint.results import RunResult

#: A comment may have 65,536 characters.
MOST_ROWS = 50
_LONGEST = 300
_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+\-!|~$&:]")
_CODE = re.compile(r"`([^`\n]+)`")


def render(result: RunResult, style: Style) -> str:
    """The report."""
    return "".join(f"{line}\n" for line in _lines(result))


def _lines(result: RunResult) -> Iterator[str]:
    findings = sorted(result.listed, key=lambda f: (f.level.rank, f.sort_key))
    levels = Counter(finding.level for finding in findings)
    counts = ", ".join(counted(levels[level], level.value) for level in Level if levels[level])
    yield "## tfxla-lint"
    yield ""
    yield f"{_plain(summary(result))}{f' ({counts})' if counts else ''}"
    if result.aside:
        yield ""
        yield _plain(result.aside)
    if findings:
        yield ""
        yield "| | where | rule | what | fix |"
        yield "|---|---|---|---|---|"
        yield from (_row(finding) for finding in findings[:MOST_ROWS])
    if len(findings) > MOST_ROWS:
        yield ""
        yield f"And {counted(len(findings) - MOST_ROWS, 'more finding')}."
    if result.is_verified:
        yield ""
        yield from _verified(result)


def _row(finding: Finding) -> str:
    place = _code(place_of(finding.path, finding.span))
    page = page_of(finding.code)
    rule = f"[{finding.code}]({page})" if page else finding.code
    kind = finding.fix.applicability.value if finding.fix and is_offered(finding) else ""
    what = _text(finding.message)
    return f"| {finding.level.value} | {place} | {rule} {finding.name} | {what} | {kind} |"


def _verified(result: RunResult) -> Iterator[str]:
    """The table of verdicts, with what there is to add to it below."""
    from tfxla_lint.reporters.verification import remarks, table_of

    yield "### Fixes that were run against the original"
    yield ""
    head, *rows = table_of(result)
    if not rows:
        yield "Nothing to verify."
        return
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows[:MOST_ROWS]:
        yield f"| {' | '.join(map(_plain, row))} |"
    said = list(remarks(result))[:MOST_ROWS]
    if said:
        yield ""
        yield from (f"- {_text(line)}" for line in said)


def _text(text: str) -> str:
    """A message in one line, its code as code, cut where it is long."""
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    parts = _CODE.split(visible(" ".join(short.split())))
    return "".join(_code(p) if i % 2 else _plain(p) for i, p in enumerate(parts))


def _code(text: str) -> str:
    return f"<code>{_plain(text)}</code>"


def _plain(text: str) -> str:
    """Text that is no markup, and calls nobody."""
    shown = _MARKUP.sub(lambda match: f"&#{ord(match[0])};", visible(text))
    return shown.replace("@", "@&#8203;")
