"""The statements that a fix changes, before and after."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator

from tfxla_lint.findings import Edit, Fix
from tfxla_lint.reporters.frame import printed
from tfxla_lint.reporters.style import Style
from tfxla_lint.source import Source

_MOST_LINES = 12


def preview(source: Source, fix: Fix, gutter: int, style: Style) -> str:
    """The changed statements as `-` and `+` lines, whole ones; nothing where they are many."""
    lines: list[str] = []
    blank = " " * gutter
    for first, last, edits in _hunks(source, fix):
        start = source.line_starts[first - 1]
        end = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
        before = after = source.text[start:end]
        for edit in reversed(edits):
            after = after[: edit.start - start] + edit.text + after[edit.end - start :]
        lines += [style.removed(f"{blank} - {printed(line)}") for line in before.splitlines()]
        lines += [style.added(f"{blank} + {printed(line)}") for line in after.splitlines()]
    if len(lines) > _MOST_LINES:
        return ""
    return "".join(f"{line}\n" for line in lines)


def _hunks(source: Source, fix: Fix) -> Iterator[tuple[int, int, list[Edit]]]:
    """The first and last line of each stretch of whole statements, with its edits."""
    statements = _statements(source.text)
    first = last = 0
    edits: list[Edit] = []
    for edit in fix.edits:
        start, end = source.position(edit.start)[0], source.position(edit.end)[0]
        start, end = statements.get(start, (start, start))[0], statements.get(end, (end, end))[1]
        if edits and start <= last:
            last = max(last, end)
            edits.append(edit)
            continue
        if edits:
            yield first, last, edits
        first, last, edits = start, end, [edit]
    if edits:
        yield first, last, edits


def _statements(text: str) -> dict[int, tuple[int, int]]:
    """The lines of the statement, or head of one, that each line is part of, by their numbers."""
    found: dict[int, tuple[int, int]] = {}
    first = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NEWLINE:
                last = token.start[0]
                found |= dict.fromkeys(range(first, last + 1), (first, last))
                first = 0
            elif token.string.strip() and token.type != tokenize.COMMENT and not first:
                first = token.start[0]
    except (tokenize.TokenError, SyntaxError):
        pass
    return found
