"""Each finding with its source line, the places that prove it, and what can be done about it."""

from __future__ import annotations

from tfxla_lint.findings import Applicability, Finding, Fix, Related
from tfxla_lint.reporters.frame import frame, render_frame
from tfxla_lint.reporters.preview import preview
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import headline, lines_of, place_of, visible
from tfxla_lint.results import RunResult
from tfxla_lint.source import Source

#: Beyond this number of related places only their first lines are printed.
_MOST_FRAMES = 8


def render(result: RunResult, style: Style) -> str:
    """The report; a blank line stands between findings."""
    sources = result.sources
    blocks = [_block(f, sources.get(f.path), result, style) for f in result.listed]
    return "\n".join(blocks) + "\n" if blocks else ""


def _block(finding: Finding, source: Source | None, result: RunResult, style: Style) -> str:
    lines = [headline(finding, result, style) + "\n"]
    every = _ordered(finding)
    shown = [item for item in every if result.is_verbose or not item.is_further]
    numbers = [finding.span.shown_line, *(item.span.shown_line for item in shown)]
    gutter = max(len(str(number)) for number in numbers)
    if source is not None and source.text:
        mark = style.level
        item = frame(source, finding.span)
        lines.append(render_frame(item, gutter, style.dim, lambda text: mark(finding.level, text)))
    for index, related in enumerate(shown):
        lines.append(_note(related, finding, style))
        if related.path is None and source is not None and index < _MOST_FRAMES:
            item = frame(source, related.span)
            lines.append(render_frame(item, gutter, style.dim, style.related))
    if len(shown) < len(every):
        lines.append(f"{style.related('note:')} and {len(every) - len(shown)} more, with -v\n")
    if finding.fix is not None:
        lines.append(_help(finding.fix, style))
        if finding.fix.applicability is Applicability.DISPLAY and source is not None:
            lines.append(preview(source, finding.fix, gutter, style))
    return "".join(lines)


def _ordered(finding: Finding) -> list[Related]:
    """The related places that do not only repeat the finding's own."""
    own = (finding.span, finding.message)
    return [item for item in finding.related if (item.span, item.message) != own]


def _note(related: Related, finding: Finding, style: Style) -> str:
    path = related.path if related.path is not None else finding.path
    place = visible(place_of(path, related.span))
    return f"{style.related('note:')} {place}: {lines_of(related.message)}\n"


def _help(fix: Fix, style: Style) -> str:
    if fix.applicability is Applicability.SAFE:
        how = "safe fix: --fix"
    elif fix.applicability is Applicability.UNSAFE:
        how = "unsafe fix: --fix --unsafe-fixes"
    elif fix.needs_measurement:
        how = "applied only where a run shows it faster: --fix --unsafe-fixes --verify"
    else:
        how = "never applied by the tool"
    assumption = f"; {fix.assumption}" if fix.assumption else ""
    return f"{style.help('help:')} {visible(f'{fix.title} ({how}{assumption})')}\n"
