"""The diagnostic format of reviewdog, which proposes the rewrites in a review."""

from __future__ import annotations

from typing import Any

from tfxla_lint.findings import Finding, Fix, Span
from tfxla_lint.links import HOME, page_of
from tfxla_lint.reporters.json_format import dump
from tfxla_lint.reporters.levels import LEVELS
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.telling import Verdicts, is_offered, told
from tfxla_lint.reporters.text import in_slashes
from tfxla_lint.results import RunResult
from tfxla_lint.source import Source, apply_edits

#: A suggestion that spans more lines cannot be read beside the change.
_MOST_LINES = 60


def render(result: RunResult, style: Style) -> str:
    """The report."""
    sources, verdicts = result.sources, Verdicts(result)
    document = {
        "source": {"name": "tfxla-lint", "url": HOME},
        "diagnostics": [_diagnostic(f, sources.get(f.path), verdicts) for f in result.listed],
    }
    return dump(document)


def _diagnostic(finding: Finding, source: Source | None, verdicts: Verdicts) -> dict[str, Any]:
    page = page_of(finding.code)
    found: dict[str, Any] = {
        "message": told(finding, verdicts),
        "location": {
            "path": in_slashes(finding.path),
            "range": _range(finding.span, source),
        },
        "severity": LEVELS[finding.level].reviewdog,
        "code": {"value": finding.code, **({"url": page} if page else {})},
    }
    if finding.fix is not None and is_offered(finding) and source is not None:
        suggestion = _suggestion(finding.fix, source, finding.span)
        if suggestion is not None:
            found["suggestions"] = [suggestion]
    return found


def _range(span: Span, source: Source | None) -> dict[str, Any]:
    """A place with columns in bytes of UTF-8; of a notebook the lines of its JSON."""
    if span.cell is not None:
        return {"start": {"line": span.cell.file_line}, "end": {"line": span.cell.file_end_line}}
    return {
        "start": {"line": span.line, "column": _column(source, span.line, span.column)},
        "end": {"line": span.end_line, "column": _column(source, span.end_line, span.end_column)},
    }


def _column(source: Source | None, line: int, column: int) -> int:
    before = source.line_text(line)[: column - 1] if source is not None else ""
    return column - len(before) + len(before.encode("utf-8", "surrogatepass"))


def _suggestion(fix: Fix, source: Source, span: Span) -> dict[str, Any] | None:
    """All of a fix in one piece of whole lines: half of it would break the code."""
    if span.cell is not None or not fix.edits:
        return None
    first = source.position(fix.edits[0].start)[0]
    last = source.position(fix.edits[-1].end)[0]
    if last - first >= _MOST_LINES:
        return None
    # Behind the last line ending there is no line that a review could show.
    is_behind = last > 1 and source.line_starts[last - 1] == len(source.text)
    last -= is_behind
    first = min(first, last)
    start = source.line_starts[first - 1]
    rest = len(source.text) - source.line_starts[last - 1] - len(source.line_text(last))
    whole = apply_edits(source.text, fix.edits)
    text = whole[start:].removesuffix("\n") if is_behind else whole[start : len(whole) - rest]
    return {"range": {"start": {"line": first}, "end": {"line": last}}, "text": text}
