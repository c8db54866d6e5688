"""SARIF 2.1.0, with related locations and fixes."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tfxla_lint import __version__
from tfxla_lint.findings import Applicability, Finding, Fix, Span
from tfxla_lint.registry import read_catalogue
from tfxla_lint.reporters.style import Style
from tfxla_lint.results import RunResult
from tfxla_lint.source import Source


def render(result: RunResult, style: Style) -> str:
    """The report."""
    import json

    sources = result.sources
    codes = sorted({finding.code for finding in result.listed})
    run = {
        "tool": {
            "driver": {
                "name": "tfxla-lint",
                "version": __version__,
                "rules": [_rule(code) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, codes, sources.get(finding.path)) for finding in result.listed
        ],
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    info = read_catalogue().by_code[code]
    return {
        "id": code,
        "name": info.name,
        "shortDescription": {"text": info.summary},
        "help": {"text": info.page, "markdown": info.page},
        "defaultConfiguration": {"level": info.level.value},
        "properties": {"tags": [info.family]},
    }


def _result(finding: Finding, codes: list[str], source: Source | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.level.value,
        "message": {"text": finding.message},
        "locations": [_location(finding.path, finding.span)],
    }
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": number,
                **_location(item.path if item.path is not None else finding.path, item.span),
                "message": {"text": item.message},
            }
            for number, item in enumerate(finding.related, 1)
        ]
    if finding.count > 1:
        result["occurrenceCount"] = finding.count
    fix = finding.fix
    if fix is not None and fix.applicability is not Applicability.DISPLAY and source is not None:
        result["fixes"] = [_fix(finding.path, fix, source)]
    return result


def _location(path: str, span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(path), "region": _region(span)}}


def _artifact(path: str) -> dict[str, str]:
    uri = quote(path.replace("\\", "/"), errors="surrogateescape")
    return {"uri": f"file://{uri}" if uri.startswith("/") else uri}


def _region(span: Span) -> dict[str, Any]:
    """The region of a file; of a notebook lines of its JSON, and the place in the cell."""
    if span.cell is not None:
        cell = {"cell": span.cell.index, "cellId": span.cell.id, "cellLine": span.cell.line}
        lines = {"startLine": span.cell.file_line, "endLine": span.cell.file_end_line}
        return {**lines, "properties": {**cell, "column": span.column}}
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(path: str, fix: Fix, source: Source) -> dict[str, Any]:
    file, edits = source.in_file(fix.edits)
    replacements = [
        {
            "deletedRegion": _region(file.span(edit.start, edit.end)),
            "insertedContent": {"text": edit.text},
        }
        for edit in edits
    ]
    change = {"artifactLocation": _artifact(path), "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}
