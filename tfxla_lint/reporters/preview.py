"""The lines that a fix changes, before and after."""

from __future__ import annotations

from tfxla_lint.findings import Fix
from tfxla_lint.reporters.frame import printed
from tfxla_lint.reporters.style import Style
from tfxla_lint.source import Source

_MOST_LINES = 12


def preview(source: Source, fix: Fix, gutter: int, style: Style) -> str:
    """The changed lines of each edit as `-` and `+` lines; nothing where they are many."""
    lines: list[str] = []
    for edit in fix.edits:
        first, _ = source.position(edit.start)
        last, _ = source.position(edit.end)
        start = source.line_starts[first - 1]
        end = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
        before = source.text[start:end]
        after = source.text[start : edit.start] + edit.text + source.text[edit.end : end]
        blank = " " * gutter
        lines += [style.removed(f"{blank} - {printed(line)}") for line in before.splitlines()]
        lines += [style.added(f"{blank} + {printed(line)}") for line in after.splitlines()]
    if len(lines) > _MOST_LINES:
        return ""
    return "".join(f"{line}\n" for line in lines)
