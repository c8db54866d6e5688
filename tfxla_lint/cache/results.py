"""What became of files that were linted before, as long as nothing that it rests on has changed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfxla_lint.cache.codec import decode, encode, hint_of
from tfxla_lint.cache.store import Store
from tfxla_lint.contents import Contents
from tfxla_lint.digests import digest
from tfxla_lint.findings import Edit, Finding, InCell, Span
from tfxla_lint.notebooks.reading import source_for_report
from tfxla_lint.project.projects import Cluster, Project, Projects
from tfxla_lint.project.scan import may_name_tensorflow
from tfxla_lint.results import FileResult
from tfxla_lint.settings.globs import relative_to
from tfxla_lint.settings.shown import report_root, shown_path
from tfxla_lint.work import LintOptions, Work

if TYPE_CHECKING:
    from tfxla_lint.source import Source

#: What is not kept: the path is asked for, the source is read again.
_OWN = ("path", "source")
#: What names a rule: reports show it as it is.
_CODE, _NAME = re.compile(r"[A-Z]{1,8}[0-9]{1,8}"), re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Results:
    """The results of linting; `tool` names the tool, `contents` are those of the run."""

    def __init__(self, tool: str, projects: Projects, contents: Contents | None = None) -> None:
        self._tool = f"{tool} {sys.version}"
        self._projects = projects
        self._contents = contents or Contents()
        self._options: dict[LintOptions, str] = {}
        self._clusters: dict[Cluster, str] = {}
        self._wholes: dict[Path, tuple[str, str]] = {}

    def through(
        self,
        works: Sequence[Work],
        stores: Sequence[Store],
        lint: Callable[[list[Work]], list[FileResult]],
    ) -> list[FileResult]:
        """The results of all files, in order; `lint` is asked for those that no store has."""
        found: dict[int, FileResult] = {}
        missing: dict[int, str] = {}
        for index, work in enumerate(works):
            key, data = self._key(work, self._contents)
            result = _known(work, data, stores[index].get(key)) if key else None
            if result is None:
                missing[index] = key
            else:
                found[index] = result
        if missing:
            # What is found takes their room.
            self._contents.let_go()
            fresh = lint([works[index] for index in missing])
            found.update(zip(missing, fresh, strict=True))
            self._clusters = {}
        anew = Contents(room=0)
        for index, key in missing.items():
            # What was changed meanwhile may have been read before or after.
            if key and self._key(works[index], anew)[0] == key:
                document = _kept(found[index])
                if document is not None:
                    stores[index].put(key, document)
        return [found[index] for index in range(len(works))]

    def _key(self, work: Work, contents: Contents) -> tuple[str, bytes]:
        """What names all that a result rests on, and the file's bytes; no name if it can't be read."""
        try:
            data = contents.data(work.path) if work.data is None else work.data
            own = contents.digest(work.path) if work.data is None else digest(data)
            profile = work.options.profile
            recording = contents.digest(Path(profile)) if profile is not None else None
            is_tied = self._projects.cluster(work.path) is not None or may_name_tensorflow(data)
            others = self._others(work, contents) if is_tied else None
        except OSError:
            return "", b""
        if work.options not in self._options:
            self._options[work.options] = digest(dumps(encode(work.options)).encode())
        rest = [work.shown, self._tool, self._options[work.options], recording, others]
        return digest(f"{own}{dumps(rest)}".encode()), data

    def _others(self, work: Work, contents: Contents) -> tuple[str, ...]:
        """What names all that is known from other files; raises OSError."""
        found = self._projects.find(work.path)
        if found is None:
            return ()
        project, file = found
        if project.root not in self._wholes:
            self._wholes[project.root] = _whole(project)
        names, told = self._wholes[project.root]
        cluster = self._projects.cluster(work.path)
        if cluster is None:
            return (told,)
        if cluster not in self._clusters:
            rows = [(f, contents.digest(cluster.root / f)) for f in cluster.files]
            self._clusters[cluster] = digest(dumps(rows).encode())
        # How paths of other files are shown depends on what they are relative to.
        here = relative_to(report_root(), project.root) or shown_path(project.root)
        return told, names, here, file, self._clusters[cluster]


def _whole(project: Project) -> tuple[str, str]:
    """What names the set of a project's files, on which it rests where an import leads, and what names
    all else that is known of it but for single files. A field that projects get later counts.
    """
    single = ("root", "layout", "by_file", "digests")
    told = [encode(getattr(project, p.name)) for p in fields(project) if p.name not in single]
    names = sorted(project.layout.files)
    return digest(dumps(names).encode()), digest(dumps(told).encode())


def _kept(result: FileResult) -> dict[str, Any] | None:
    """What is kept of a result; None of one that may come out otherwise the next time."""
    if result.problem is not None or result.crashed:
        return None
    values = {part.name: getattr(result, part.name) for part in fields(result)}
    bare = FileResult(result.path)
    told = {
        name: encode(value)
        for name, value in values.items()
        if name not in _OWN and value != getattr(bare, name)
    }
    return {**told, "source": result.source is not None}


def _known(work: Work, data: bytes, document: Any) -> FileResult | None:
    """The result that a document keeps, if it can be one of this file."""
    try:
        has_source = document.pop("source")
        source = source_for_report(data, work.shown) if has_source else None
        if source is not None and work.clears_outputs:
            source = source.clearing()
        hints = {part.name: part for part in fields(FileResult)}
        told = {n: decode(hint_of(FileResult, hints[n]), value) for n, value in document.items()}
        result = FileResult(work.shown, source=source, **told)
        _check(result.findings, source, data)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return result


def _check(findings: Sequence[Finding], source: Source | None, data: bytes) -> None:
    """Raise ValueError where a place lies outside of the file, or a rule has no name that one can have: a
    store may hold anything."""
    size = len(source.text) if source is not None else -1
    # Columns of a notebook are those of its cells, where a command may be longer than what stands
    # for it in the text.
    most = max(size, len(data)) + 1
    for finding in findings:
        if not _CODE.fullmatch(finding.code) or not _NAME.fullmatch(finding.name):
            raise ValueError("the name of no rule")
        edits: tuple[Edit, ...] = finding.fix.edits if finding.fix is not None else ()
        spans = [finding.span, *(item.span for item in finding.related if item.path is None)]
        offsets = [(place.start, place.end) for place in spans]
        offsets += [(edit.start, edit.end) for edit in edits]
        if not all(0 <= start <= end <= size for start, end in offsets):
            raise ValueError("a place outside of the file")
        cells = [span.cell for span in spans if span.cell is not None]
        places: list[Span | InCell] = [*spans, *cells]
        for place in places:
            values = [getattr(place, part.name) for part in fields(place)]
            numbers = [value for value in values if type(value) is int]
            if not -1 < min(numbers) <= max(numbers) <= most:
                raise ValueError("a place outside of the file")
        if source is not None:
            source.in_file(edits)
