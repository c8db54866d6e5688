"""Counts of findings by rule, the most frequent first."""

from __future__ import annotations

from collections import Counter

from tfxla_lint.reporters import TEXT_FORMATS, json_format
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import counted, is_fixable
from tfxla_lint.results import RunResult

FORMATS = (*TEXT_FORMATS, "json")


def render_statistics(name: str, result: RunResult, style: Style) -> str:
    """The counts, as a table or as JSON."""
    counts: Counter[tuple[str, str]] = Counter()
    fixable: Counter[tuple[str, str]] = Counter()
    cells: dict[tuple[str, str], set[tuple[str, int]]] = {}
    for finding in result.findings:
        key = (finding.code, finding.name)
        counts[key] += 1
        fixable[key] += is_fixable(finding, result)
        cell = finding.span.cell
        cells.setdefault(key, set()).update([(finding.path, cell.index)] if cell else [])
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    if name == "json":
        table = [
            {
                "code": code,
                "name": rule,
                "count": count,
                "fixable": fixable[code, rule],
                "cells": len(cells[code, rule]),
            }
            for (code, rule), count in rows
        ]
        document = {"version": json_format.VERSION, "statistics": table}
        return json_format.dump({**document, "summary": json_format.summary(result)})
    width = max((len(str(count)) for _, count in rows), default=0)
    return "".join(
        f"{count:>{width}}  {style.bold(code)}  {'[*]' if fixable[code, rule] else '[ ]'} {rule}"
        f"{_in_cells(len(cells[code, rule]))}\n"
        for (code, rule), count in rows
    )


def _in_cells(count: int) -> str:
    return f" (in {counted(count, 'cell')})" if count else ""
