"""Leaves out what a project has come to live with, and what was there before a change."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tfxla_lint.baseline import Baseline
from tfxla_lint.findings import Finding
from tfxla_lint.fingerprints import Fingerprint, Outlines
from tfxla_lint.registry import SYNTAX_ERROR
from tfxla_lint.reporters.text import counted
from tfxla_lint.repository.changes import Change, changes
from tfxla_lint.repository.git import fork_point, top
from tfxla_lint.repository.tree import lay_out
from tfxla_lint.results import FileResult
from tfxla_lint.settings.globs import relative_to
from tfxla_lint.writing import write_atomically

#: Lints files of an older state, whose top is the folder, as those of the newer one were.
LintBefore = Callable[[Path, list[str]], list[FileResult]]


class Known:
    """The baseline in a file, beside the files that were linted, by the paths that are shown."""

    def __init__(self, path: Path, places: Mapping[str, Path]) -> None:
        self._path = path
        folder = os.path.dirname(os.path.abspath(path))
        self._names = {
            s: os.path.relpath(p, folder).replace(os.sep, "/") for s, p in places.items()
        }
        self._linted = set(self._names.values())
        self._folder = folder

    def left_out(self, files: Sequence[FileResult]) -> tuple[list[FileResult], str]:
        """The files with what is new in them, and what there is to say of the rest.

        Raises BaselineError.
        """
        baseline = Baseline.read(self._path)
        found = list(self._lived_with(files))
        new, gone = baseline.new_among([key for _, key in found], self._is_stale)
        known = {id(found[i][0]) for i in set(range(len(found))) - set(new)}
        kept = {id(f) for file in files for f in file.findings} - known
        parts = (
            [f"{counted(len(known), 'finding')} of {self._path.name} left out."] if known else []
        )
        parts += [f"{gone} of it gone: --write-baseline forgets them."] if gone else []
        return _only(files, kept), " ".join(parts)

    def write(self, files: Sequence[FileResult]) -> int:
        """Write what was found to the file, beside what it says of other files; how much that is.

        Raises BaselineError and OSError.
        """
        found = Baseline.of(key for _, key in self._lived_with(files))
        before = Baseline.read(self._path) if os.path.exists(self._path) else Baseline()
        text = before.updated(found, self._is_stale).as_text()
        write_atomically(self._path, text.encode("ascii"))
        return found.counts.total()

    def _lived_with(self, files: Sequence[FileResult]) -> Iterator[tuple[Finding, Fingerprint]]:
        """Each finding that can be lived with, with its fingerprint."""
        told = _told(files, self._names)
        return ((finding, key) for finding, key in told if finding.code != SYNTAX_ERROR)

    def _is_stale(self, path: str) -> bool:
        return path in self._linted or not os.path.exists(os.path.join(self._folder, path))


def _told(
    files: Sequence[FileResult], names: Mapping[str, str]
) -> Iterator[tuple[Finding, Fingerprint]]:
    """Each finding with its fingerprint."""
    outlines = Outlines({file.path: file.source for file in files if file.source is not None})
    for file in files:
        for finding in file.findings:
            yield finding, outlines.fingerprint(finding, names.get(file.path))


def _only(files: Sequence[FileResult], kept: Collection[int]) -> list[FileResult]:
    return [
        replace(file, findings=tuple(f for f in file.findings if id(f) in kept)) for file in files
    ]


class Since:
    """What changed since a revision of git; raises GitError."""

    def __init__(self, revision: str, places: Mapping[str, Path]) -> None:
        self._revision = revision
        self._root = top()
        self._base = fork_point(revision)
        self._changes = changes(self._root, self._base)
        real = Path(os.path.realpath(self._root))
        names = {s: relative_to(Path(os.path.realpath(p)), real) for s, p in places.items()}
        self._names = {shown: name for shown, name in names.items() if name}
        self._others: dict[Path, bool] = {real: False}
        self._real = real

    def passed_over(self, files: Sequence[FileResult]) -> str:
        """What is said of files with findings that another repository keeps, or none."""
        found = [f.path for f in files if f.findings and self._is_of_another(f.path)]
        if not found:
            return ""
        more = f" and {counted(len(found) - 1, 'more file')}" if len(found) > 1 else ""
        return f"{found[0]}{more} not compared: this repository does not keep them."

    def _is_of_another(self, shown: str) -> bool:
        name = self._names.get(shown)
        if name is None:
            return True
        folder = (self._real / name).parent
        pending = []
        while folder not in self._others:
            pending.append(folder)
            folder = folder.parent
        is_other = self._others[folder]
        for inner in reversed(pending):
            is_other = is_other or (inner / ".git").exists()
            self._others[inner] = is_other
        return is_other

    def brought(self, files: Sequence[FileResult], lint_before: LintBefore) -> list[FileResult]:
        """The files with what lies on changed lines, and what is new elsewhere, which says so."""
        outlines = Outlines({file.path: file.source for file in files if file.source is not None})
        kept: set[int] = set()
        doubtful: list[tuple[Finding, str]] = []
        for file in files:
            name = self._names.get(file.path)
            change = self._changes.get(name or "")
            for finding in file.findings if name else ():
                if change is not None and _is_on(change, finding, outlines):
                    kept.add(id(finding))
                elif name is not None:
                    doubtful.append((finding, name))
        elsewhere = self._new(doubtful, outlines, lint_before) if doubtful else set()
        return [
            replace(file, findings=tuple(self._marked(f, elsewhere) for f in file.findings))
            for file in _only(files, kept | elsewhere)
        ]

    def _marked(self, finding: Finding, elsewhere: Collection[int]) -> Finding:
        if id(finding) not in elsewhere:
            return finding
        message = f"{finding.message} (new since {self._revision}, on an unchanged line)"
        return replace(finding, message=message, is_elsewhere=True)

    def _new(
        self, doubtful: Sequence[tuple[Finding, str]], outlines: Outlines, lint_before: LintBefore
    ) -> set[int]:
        """Which findings the older state did not have."""
        before = {name: (self._changes.get(name) or Change(name, ())).old for _, name in doubtful}
        with tempfile.TemporaryDirectory(prefix="tfxla-lint-") as scratch:
            folder = Path(os.path.realpath(scratch))
            lay_out(self._root, self._base, folder)
            # Of what git did not keep, nothing can be said.
            now = {old: new for new, old in before.items() if old and (folder / old).is_file()}
            with _working_in(folder / (relative_to(Path.cwd(), self._root) or "")):
                files = lint_before(folder, [str(folder / old) for old in now])
            names = {file.path: now.get(file.path.replace(os.sep, "/"), "") for file in files}
            old = Baseline.of(key for _, key in _told(files, names))
        asked = [(f, name) for f, name in doubtful if name in now.values()]
        prints = [outlines.fingerprint(finding, name) for finding, name in asked]
        return {id(asked[index][0]) for index in old.new_among(prints)[0]}


def _is_on(change: Change, finding: Finding, outlines: Outlines) -> bool:
    """Whether a finding lies on a changed line, or its statement does."""
    cell = finding.span.cell
    if cell is not None:
        return change.touches(cell.file_line, cell.file_end_line)
    statement = outlines.statement(finding)
    first = min(finding.span.line, statement.first)
    return change.touches(first, max(finding.span.end_line, statement.last))


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    """Makes a folder the working folder for a while."""
    here = os.getcwd()
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)
