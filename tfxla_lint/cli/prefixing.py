"""Paths of a report behind the prefix that `--path-prefix` names."""

from __future__ import annotations

import os
from dataclasses import replace

from tfxla_lint.findings import Finding, Related
from tfxla_lint.results import FileResult, RunResult
from tfxla_lint.settings.shown import report_root


def prefixed(result: RunResult, prefix: str) -> RunResult:
    """The result with each path relative to the working folder, and behind `prefix`."""
    root, here = str(report_root()), os.getcwd()

    def moved(path: str) -> str:
        if os.path.isabs(path) or path == "-":
            return path
        relative = os.path.relpath(os.path.join(root, path), here)
        return os.path.normpath(os.path.join(prefix, relative))

    def of_related(item: Related) -> Related:
        return item if item.path is None else replace(item, path=moved(item.path))

    def of_finding(finding: Finding) -> Finding:
        related = tuple(map(of_related, finding.related))
        return replace(finding, path=moved(finding.path), related=related)

    def of_file(file: FileResult) -> FileResult:
        findings = tuple(map(of_finding, file.findings))
        listed = None if file.listed is None else tuple(map(of_finding, file.listed))
        checked = tuple(
            replace(item, findings=tuple(map(of_finding, item.findings))) for item in file.checked
        )
        path = moved(file.path)
        return replace(file, path=path, findings=findings, listed=listed, checked=checked)

    return replace(result, files=tuple(map(of_file, result.files)))
