"""SARIF 2.1.0, with fingerprints, related locations, fixes, and the verdicts of `--verify`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from tfxla_lint import __version__
from tfxla_lint.findings import Finding, Fix, Level, Span
from tfxla_lint.fingerprints import digests
from tfxla_lint.links import HOME, page_of
from tfxla_lint.registry import read_catalogue
from tfxla_lint.reporters.json_format import cost, dump
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.telling import Verdicts, is_offered
from tfxla_lint.reporters.text import in_slashes
from tfxla_lint.results import RunResult
from tfxla_lint.source import Source
from tfxla_lint.verify.speed import times_faster
from tfxla_lint.verify.verdicts import Verdict

#: What relative paths are relative to; GitHub knows it by this name.
_ROOT = "%SRCROOT%"
#: The name and the version of the fingerprints; another way to make them takes another version.
_FINGERPRINT = "tfxlaLintStatement/v1"


def render(result: RunResult, style: Style) -> str:
    """The report."""
    sources, verdicts = result.sources, Verdicts(result)
    codes = sorted({finding.code for finding in result.listed})
    names = digests(result.listed, sources)
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "tfxla-lint",
                "version": __version__,
                "informationUri": HOME,
                "rules": [_rule(code) for code in codes],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not result.has_failed,
                "toolExecutionNotifications": list(_notifications(result)),
            }
        ],
        "originalUriBaseIds": {
            _ROOT: {"description": {"text": "The top of the repository, or the working folder."}}
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(finding, codes, sources.get(finding.path), name, verdicts.on(finding))
            for finding, name in zip(result.listed, names, strict=True)
        ],
    }
    if result.is_verified:
        from tfxla_lint.reporters.verification import render_json

        run["properties"] = {"verification": render_json(result)}
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return dump(document)


def _notifications(result: RunResult) -> Iterator[dict[str, Any]]:
    """Why files or rules could not do their part."""
    for file in result.files:
        messages = [file.problem] if file.problem is not None else []
        messages += [f"{crash.code}: {crash.message}" for crash in file.crashed]
        for message in messages:
            place = {"physicalLocation": {"artifactLocation": _artifact(file.path)}}
            yield {"level": "error", "message": {"text": message}, "locations": [place]}


def _rule(code: str) -> dict[str, Any]:
    info = read_catalogue().by_code[code]
    page = page_of(code)
    severity = "recommendation" if info.level is Level.NOTE else info.level.value
    return {
        "id": code,
        "name": info.name,
        "shortDescription": {"text": info.summary},
        "fullDescription": {"text": f"{info.summary.rstrip('.')}."},
        "help": {"text": info.page, "markdown": info.page},
        **({"helpUri": page} if page else {}),
        "defaultConfiguration": {"enabled": info.default, "level": info.level.value},
        "properties": {
            "tags": ["tensorflow", info.family],
            "precision": "high",
            "problem.severity": severity,
            "fixes": [kind.value for kind in info.fixes],
        },
    }


def _result(
    finding: Finding,
    codes: list[str],
    source: Source | None,
    fingerprint: str,
    verdict: Verdict | None,
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.level.value,
        "message": {"text": finding.message},
        "locations": [_location(finding.path, finding.span)],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
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
    if finding.is_elsewhere:
        result["properties"] = {"isOnUnchangedLine": True}
    if finding.fix is not None and is_offered(finding) and source is not None:
        result["fixes"] = [_fix(finding.path, finding.fix, source)]
    if finding.stake is not None:
        result.setdefault("properties", {})["cost"] = cost(finding.stake)
    if verdict is not None:
        result.setdefault("properties", {})["verdict"] = _verdict(verdict)
    return result


def _verdict(verdict: Verdict) -> dict[str, Any]:
    """What running the fix against the original showed."""
    return {
        "outcome": verdict.outcome.value,
        "reason": verdict.reason,
        "method": verdict.method,
        "error": verdict.error,
        "inputs": verdict.inputs,
        "compared": verdict.compared,
        "timesFaster": times_faster(verdict),
    }


def _location(path: str, span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(path), "region": _region(span)}}


def _artifact(path: str) -> dict[str, str]:
    uri = quote(in_slashes(path), errors="surrogateescape")
    if PurePath(path).is_absolute():
        return {"uri": f"file://{'' if uri.startswith('/') else '/'}{uri}"}
    return {"uri": uri, "uriBaseId": _ROOT}


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
    assumption = f"; {fix.assumption}" if fix.assumption else ""
    title = f"{fix.title} ({fix.applicability.value}{assumption})"
    return {"description": {"text": title}, "artifactChanges": [change]}
