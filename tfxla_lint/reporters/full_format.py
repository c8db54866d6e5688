"""Each finding with its source line, what decides it, and what can be done about it.

With `-v` each place that proves it has its own source line, and nothing is left out.
"""

from __future__ import annotations

from tfxla_lint.findings import Applicability, Finding, Fix, Related, Span
from tfxla_lint.reporters.cost import in_words
from tfxla_lint.reporters.frame import frame, render_frame
from tfxla_lint.reporters.preview import preview
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import counted, headline, lines_of, place_of, visible
from tfxla_lint.results import RunResult
from tfxla_lint.source import Source

#: So many places are named without `-v`.
_MOST_NOTES = 2
#: Beyond this number of related places only their first lines are printed.
_MOST_FRAMES = 8
_LONGEST = 160
_SHORTEST = 20


def render(result: RunResult, style: Style) -> str:
    """The report; a blank line stands between findings."""
    sources = result.sources
    whole = _whole if result.is_verbose else _short
    blocks = [whole(f, sources.get(f.path), result, style) for f in result.listed]
    return "\n".join(blocks) + "\n" if blocks else ""


def _short(finding: Finding, source: Source | None, result: RunResult, style: Style) -> str:
    lines = [headline(finding, result, style) + "\n"]
    gutter = len(str(finding.span.shown_line))
    if source is not None and source.text:
        lines.append(_framed(finding, finding.span, source, gutter, style))
    every = _ordered(finding)
    shown = sorted(every, key=lambda item: not item.is_decisive)[:_MOST_NOTES]
    shown = [item for item in every if item in shown]
    for item in shown:
        is_last = item is shown[-1] and len(shown) < len(every)
        more = f" (and {len(every) - len(shown)} more, with -v)" if is_last else ""
        text = f"{_near(item, finding)}: {lines_of(item.message)}{more}"
        lines.append(f"{style.wrapped(style.related('note:'), 'note:', text)}\n")
    lines += _cost(finding, style)
    if finding.fix is not None:
        lines.append(_help(finding.fix, style))
    return "".join(lines)


def _whole(finding: Finding, source: Source | None, result: RunResult, style: Style) -> str:
    lines = [headline(finding, result, style) + "\n"]
    shown = _ordered(finding)
    numbers = [finding.span.shown_line, *(item.span.shown_line for item in shown)]
    gutter = max(len(str(number)) for number in numbers)
    if source is not None and source.text:
        lines.append(_framed(finding, finding.span, source, gutter, style))
    for index, related in enumerate(shown):
        path = related.path if related.path is not None else finding.path
        text = f"{visible(place_of(path, related.span))}: {lines_of(related.message)}"
        lines.append(f"{style.wrapped(style.related('note:'), 'note:', text)}\n")
        if related.path is None and source is not None and index < _MOST_FRAMES:
            lines.append(_framed(None, related.span, source, gutter, style))
    lines += _cost(finding, style)
    if finding.fix is not None:
        assumption = f"; {finding.fix.assumption}" if finding.fix.assumption else ""
        text = visible(f"{finding.fix.title} ({_how(finding.fix)}{assumption})")
        lines.append(f"{style.wrapped(style.help('help:'), 'help:', text)}\n")
        if finding.fix.applicability is Applicability.DISPLAY and source is not None:
            lines.append(preview(source, finding.fix, gutter, style))
    return "".join(lines)


def _framed(finding: Finding | None, span: Span, source: Source, gutter: int, style: Style) -> str:
    """A span's line, marked as what is found or as what proves it."""
    room = _LONGEST if style.width is None else max(style.width - gutter - 3, _SHORTEST)

    def mark(text: str) -> str:
        return style.related(text) if finding is None else style.level(finding.level, text)

    item = frame(source, span, min(_LONGEST, room))
    return render_frame(item, gutter, style.dim, mark)


def _cost(finding: Finding, style: Style) -> list[str]:
    """What the finding costs, where that is known."""
    if finding.stake is None:
        return []
    return [f"{style.wrapped(style.related('cost:'), 'cost:', in_words(finding.stake))}\n"]


def _ordered(finding: Finding) -> list[Related]:
    """The related places that do not only repeat the finding's own."""
    own = (finding.span, finding.message)
    return [item for item in finding.related if (item.span, item.message) != own]


def _near(related: Related, finding: Finding) -> str:
    """A place as seen from the finding: its line, and its file where that is another one."""
    if related.path is not None:
        return visible(place_of(related.path, related.span))
    cell, own = related.span.cell, finding.span.cell
    is_other = cell is not None and (own is None or cell.index != own.index)
    line = f"line {related.span.shown_line}"
    return f"cell {cell.index}, {line}" if cell is not None and is_other else line


def _help(fix: Fix, style: Style) -> str:
    """What a fix does, in one line: with what it assumes, as far as there is room for that."""
    title, how = visible(fix.title), _how(fix)
    if fix.applicability is Applicability.UNSAFE and fix.assumption:
        first, *rest = visible(fix.assumption).split("; ")
        more = f", and {len(rest)} more, with -v" if rest else ""
        room = style.width or _LONGEST
        fits = f"unsafe fix: {first}{more}"
        told = f"unsafe fix: {counted(1 + len(rest), 'condition')}, with -v"
        lines = (line for line in (fits, told) if len(f"help: {title} ({line})") <= room)
        how = next(lines, how)
    return f"{style.help('help:')} {title} ({how})\n"


def _how(fix: Fix) -> str:
    if fix.applicability is Applicability.SAFE:
        return "safe fix: --fix"
    if fix.applicability is Applicability.UNSAFE:
        return "unsafe fix: --fix --unsafe-fixes"
    if fix.needs_measurement:
        return "applied only where a run shows it faster: --fix --unsafe-fixes --verify"
    return "never applied by the tool"
