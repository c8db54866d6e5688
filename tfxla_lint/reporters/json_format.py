"""One JSON document; `docs/output-formats.md` describes its fields."""

from __future__ import annotations

from typing import Any

from tfxla_lint.findings import (
    Applicability,
    Edit,
    Finding,
    Fix,
    InCell,
    Range,
    Related,
    Span,
    Stake,
)
from tfxla_lint.reporters.cost import in_words
from tfxla_lint.reporters.style import Style
from tfxla_lint.results import Blocked, RunResult
from tfxla_lint.source import Source

VERSION = 1


def render(result: RunResult, style: Style) -> str:
    """The report."""
    sources = result.sources
    findings = [_finding(finding, sources.get(finding.path)) for finding in result.listed]
    document = {"version": VERSION, "findings": findings, "summary": summary(result)}
    if result.is_verified:
        from tfxla_lint.reporters.verification import render_json

        document["verification"] = render_json(result)
    return dump(document)


def dump(document: object) -> str:
    """A document as text: JSON in ASCII, so that no terminal or pipe can garble it.

    Nor is anything in it a command to a log: two number signs stand in strings only.
    """
    import json

    return json.dumps(document, indent=2, default=str).replace("##", "#\\u0023") + "\n"


def summary(result: RunResult) -> dict[str, Any]:
    """The counts of a run, and what went wrong in it."""
    return {
        "files": len(result.files),
        "cells": result.cells,
        "findings": len(result.findings),
        "listed": len(result.listed),
        "suppressed": result.suppressed,
        "fixed": dict(sorted(result.applied.items())),
        "fixable": {kind.value: result.count_fixable(kind) for kind in Applicability},
        "blocked_fixes": [
            {"path": file.path, "code": item.code, **_blocked_at(item), "reason": item.reason}
            for file in result.files
            for item in file.blocked
        ],
        "errors": [
            *(
                {"path": file.path, "code": None, "message": file.problem}
                for file in result.files
                if file.problem is not None
            ),
            *(
                {"path": file.path, "code": crash.code, "message": crash.message}
                for file in result.files
                for crash in file.crashed
            ),
        ],
    }


def _finding(finding: Finding, source: Source | None) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "level": finding.level.value,
        "count": finding.count,
        "message": finding.message,
        "path": finding.path,
        **_place(finding.span),
        "related": [_related(item, finding) for item in finding.related],
        "fix": None if finding.fix is None else _fix(finding.fix, source),
        **({"is_on_unchanged_line": True} if finding.is_elsewhere else {}),
        **({"cost": cost(finding.stake)} if finding.stake is not None else {}),
    }


def cost(stake: Stake) -> dict[str, Any]:
    """What a finding costs: seconds, how often, and how many times quicker it is when mended."""
    total = stake.total
    return {
        "spent_on": stake.spent.value,
        "is_measured": stake.is_measured,
        "seconds_each": _range(stake.seconds),
        "times": stake.times,
        "is_most": stake.is_most,
        "seconds": None if total is None else _range(total),
        "times_quicker": None if stake.factor is None else _range(stake.factor),
        "text": in_words(stake),
    }


def _range(found: Range) -> dict[str, float | None]:
    sides = {"low": found.low, "likely": found.likely, "high": found.high}
    return {side: None if n is None else float(f"{n:.3g}") for side, n in sides.items()}


def _place(span: Span) -> dict[str, Any]:
    return {
        **_cell(span.cell),
        "line": span.shown_line,
        "column": span.column,
        "end_line": span.shown_end_line,
        "end_column": span.end_column,
    }


def _cell(cell: InCell | None) -> dict[str, Any]:
    """In a notebook, the number and the id of the cell, and the line of its JSON."""
    if cell is None:
        return {}
    return {"cell": cell.index, "cell_id": cell.id, "file_line": cell.file_line}


def _blocked_at(item: Blocked) -> dict[str, Any]:
    return {**_cell(item.cell), "line": item.line}


def _related(item: Related, finding: Finding) -> dict[str, Any]:
    path = item.path if item.path is not None else finding.path
    return {"message": item.message, "path": path, **_place(item.span)}


def _fix(fix: Fix, source: Source | None) -> dict[str, Any]:
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "intent": fix.intent.value,
        "assumption": fix.assumption,
        "needs_measurement": fix.needs_measurement,
        "edits": [_edit(edit, source) for edit in fix.edits],
    }


def _edit(edit: Edit, source: Source | None) -> dict[str, Any]:
    if source is None:
        return {"start": edit.start, "end": edit.end, "text": edit.text}
    edit, base = source.own_edit(edit)
    place = _place(source.span(edit.start, edit.end))
    return {**place, "start": edit.start - base, "end": edit.end - base, "text": edit.text}
