"""Counts of findings by rule: the dearest first, where it is known what they cost, then the most
frequent."""

from __future__ import annotations

from collections import Counter

from tfxla_lint.findings import Applicability
from tfxla_lint.reporters import TEXT_FORMATS, json_format
from tfxla_lint.reporters.cost import spoken
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import counted, is_fixable
from tfxla_lint.results import RunResult

FORMATS = (*TEXT_FORMATS, "json")


def render_statistics(name: str, result: RunResult, style: Style) -> str:
    """The counts, as a table or as JSON."""
    counts: Counter[tuple[str, str]] = Counter()
    fixable: Counter[tuple[str, str]] = Counter()
    kinds: dict[tuple[str, str], Counter[Applicability]] = {}
    cells: dict[tuple[str, str], set[tuple[str, int]]] = {}
    weights: Counter[tuple[str, str]] = Counter()
    saved: dict[tuple[str, str], float] = {}
    for finding in result.findings:
        key = (finding.code, finding.name)
        counts[key] += 1
        fixable[key] += is_fixable(finding, result)
        weights[key] += round(finding.weight * 1e6)
        if finding.stake is not None and finding.stake.saved is not None:
            saved[key] = saved.get(key, 0.0) + finding.stake.saved
        kind = [finding.fix.applicability] if finding.fix is not None else []
        kinds.setdefault(key, Counter()).update(kind)
        cell = finding.span.cell
        cells.setdefault(key, set()).update([(finding.path, cell.index)] if cell else [])
    rows = sorted(counts.items(), key=lambda row: (-weights[row[0]], -row[1], row[0]))
    if name == "json":
        table = [
            {
                "code": code,
                "name": rule,
                "count": count,
                "fixable": fixable[code, rule],
                **{kind.value: kinds[code, rule][kind] for kind in Applicability},
                "cells": len(cells[code, rule]),
                **({"seconds_saved": round(seconds, 3)} if seconds is not None else {}),
            }
            for (code, rule), count in rows
            for seconds in (saved.get((code, rule)),)
        ]
        document = {"version": json_format.VERSION, "statistics": table}
        return json_format.dump({**document, "summary": json_format.summary(result)})
    width = max((len(str(count)) for _, count in rows), default=0)
    return "".join(
        f"{count:>{width}}  {style.bold(code)}  {'[*]' if fixable[code, rule] else '[ ]'} {rule}"
        f"{_of_kinds(kinds[code, rule])}{_in_cells(len(cells[code, rule]))}"
        f"{_saving(saved.get((code, rule)))}\n"
        for (code, rule), count in rows
    )


def _of_kinds(kinds: Counter[Applicability]) -> str:
    """How many fixes may be applied without asking, and how many rest on something."""
    shown = (Applicability.SAFE, Applicability.UNSAFE)
    words = ", ".join(f"{kinds[kind]} {kind.value}" for kind in shown if kinds[kind])
    return f": {words}" if words else ""


def _saving(seconds: float | None) -> str:
    """What mending those of a rule saves that are known to run so and so often."""
    return f" (about {spoken(seconds)} a run)" if seconds is not None and seconds >= 1e-3 else ""


def _in_cells(count: int) -> str:
    return f" (in {counted(count, 'cell')})" if count else ""
