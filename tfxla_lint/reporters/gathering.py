"""Many findings that say one thing of a file, or of a project, are one line of a report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from tfxla_lint.findings import Finding
from tfxla_lint.registry import Catalogue
from tfxla_lint.results import FileResult, RunResult

#: A rule's code, and the file or project that its line speaks of.
_Place = tuple[str, str]


def gathered(
    result: RunResult, catalogue: Catalogue, project_of: Callable[[str], str]
) -> RunResult:
    """`result` with the findings of the rules that gather listed as one where the first stands.

    The findings themselves stay what they are: they count, they have their fixes.
    """
    places: dict[_Place, list[Finding]] = {}
    for finding in result.findings:
        place = _place(finding, catalogue, project_of)
        if place is not None:
            places.setdefault(place, []).append(finding)
    for found in places.values():
        # In whatever order the files were named.
        found.sort(key=lambda finding: (finding.path, finding.span.start))
    lines = {
        id(found[0]): _line(found, catalogue.by_code[code].gathered)
        for (code, _), found in places.items()
        if len(found) > 1
    }
    hidden = {id(f) for found in places.values() for f in found[1:]}
    return replace(result, files=tuple(_listed(file, lines, hidden) for file in result.files))


def _place(
    finding: Finding, catalogue: Catalogue, project_of: Callable[[str], str]
) -> _Place | None:
    info = catalogue.by_code.get(finding.code)
    if info is None or not info.gathered:
        return None
    return finding.code, project_of(finding.path) if info.is_of_project else finding.path


def _line(found: list[Finding], noun: str) -> Finding:
    """The one finding that stands for all of `found`, as bad as the worst of them."""
    level = min((finding.level for finding in found), key=lambda level: level.rank)
    message = f"{len(found)} {noun}; the first: {found[0].message}"
    return replace(found[0], level=level, message=message, related=(), fix=None, count=len(found))


def _listed(file: FileResult, lines: Mapping[int, Finding], hidden: Collection[int]) -> FileResult:
    listed = (lines.get(id(f), f) for f in file.findings if id(f) not in hidden)
    return replace(file, listed=tuple(listed))
