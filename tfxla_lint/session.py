"""Processes one file after the other: lint it, fix it, show the difference, or add comments."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tfxla_lint import interrupts
from tfxla_lint.disk import Disk, Overlaid
from tfxla_lint.linter import Crash, Linter, LintResult
from tfxla_lint.notebooks.reading import source_of
from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import REFUTED_FIX, Catalogue
from tfxla_lint.results import Blocked, FileResult
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions, Mode, Work
from tfxla_lint.worlds import Trees, Worlds

if TYPE_CHECKING:
    from tfxla_lint.fixer import Prove
    from tfxla_lint.verify.checked import Checked
    from tfxla_lint.verify.proof import Proof

#: How often the files of a cluster are fixed again because a fix in one may call for one in another.
_MAXIMUM_ROUNDS = 5


class Session:
    """Processes files in one mode; each worker process has one session.

    `worlds` are those to go on with, else `disk` has the files; `pause` is called before each rule,
    and may raise; `told` hears of each file that is done.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        mode: Mode,
        projects: Projects | None = None,
        proof: Proof | None = None,
        worlds: Worlds | None = None,
        pause: Callable[[], None] = lambda: None,
        told: Callable[[int], None] = lambda count: None,
        disk: Disk | None = None,
        trees: Trees | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._mode = mode
        self._proof = proof
        self._worlds = worlds or Worlds(projects, disk, trees)
        self._disk = self._worlds.disk
        self._pause = pause
        self._told = told
        self._linters: dict[LintOptions, Linter] = {}

    def let_go(self) -> None:
        """Let go of what is known of files that were processed, but for those of the last ones."""
        self._worlds.let_go()

    def process_together(self, works: Sequence[Work]) -> list[FileResult]:
        """Process files that are analysed together, one after the other.

        Where fixes are written, or shown, what one of them makes visible in another file is fixed, too.
        """
        if self._mode is Mode.DIFF and len(works) > 1:
            return self._shown_together(works)
        return self._process_together(works)

    def _shown_together(self, works: Sequence[Work]) -> list[FileResult]:
        """What processing files would make of them, with one diff for each."""
        disk = self._disk
        self._disk = self._worlds.disk = overlaid = Overlaid(disk)
        try:
            results = self._process_together(works)
        finally:
            self._disk = self._worlds.disk = disk
            for path in overlaid.written:
                self._worlds.forget(path)
        return [
            replace(result, diff=self._difference(work, overlaid))
            if work.path in overlaid.written and not result.problem
            else result
            for work, result in zip(works, results, strict=True)
        ]

    def _difference(self, work: Work, overlaid: Overlaid) -> str:
        before, after = (
            source_of(disk.read(work.path), work.shown) for disk in (self._disk, overlaid)
        )
        return diff(before.clearing() if work.clears_outputs else before, after)

    def _process_together(self, works: Sequence[Work]) -> list[FileResult]:
        results = []
        for work in works:
            results.append(self.process(work))
            self._told(1)
        if self._mode in (Mode.FIX, Mode.DIFF) and len(works) > 1:
            for _ in range(_MAXIMUM_ROUNDS):
                if not any(result.applied for result in results):
                    break
                before = results
                results = [self.process(work) for work in works]
                is_settled = not any(result.applied for result in results)
                results = [_merged(a, b) for a, b in zip(before, results, strict=True)]
                if is_settled:
                    break
        return results

    def process(self, work: Work) -> FileResult:
        """Lint one file and do what the mode asks for; never raises for what the file holds."""
        try:
            data = work.data if work.data is not None else self._disk.read(work.path)
        except OSError as error:
            return FileResult(work.shown, problem=f"cannot read it: {error.strerror or error}")
        try:
            result = self._process(work, data)
        except Exception as error:
            result = FileResult(work.shown, crashed=(Crash.of("linter", error),))
        interrupts.raise_if_interrupted()
        return result

    def _process(self, work: Work, data: bytes) -> FileResult:
        linter = self._linters.get(work.options)
        if linter is None:
            linter = Linter(self._catalogue, work.options, self._worlds, self._pause)
            self._linters[work.options] = linter
        result, source = linter.lint_bytes(data, work.shown, work.path)
        source = source.clearing() if work.clears_outputs else source
        if result.has_syntax_error or (self._mode is Mode.LINT and self._proof is None):
            return _file_result(work, result, source)
        if self._mode is Mode.ADD_NOQA:
            return self._add_noqa(work, result, source, data)
        if not any(finding.fix is not None for finding in result.findings):
            return _file_result(work, result, source)
        if self._mode is Mode.LINT and self._proof is not None:
            return self._check_fixes(self._proof, work, linter, result, source)
        return self._fix(work, linter, result, source, data)

    def _check_fixes(
        self, proof: Proof, work: Work, linter: Linter, result: LintResult, source: Source
    ) -> FileResult:
        """Say of each fix what running it shows; nothing is written."""
        from tfxla_lint.proving import check_each, taken_log, with_refuted

        def lint(candidate: Source) -> LintResult:
            return linter.lint(candidate, work.path)

        if work.only is not None:
            wanted = (f for f in result.findings if (f.code, f.span.start) in work.only)
            result = replace(result, findings=tuple(wanted))
        refuted = list(check_each(proof, work.path, source, result, lint))
        self._worlds.forget(work.path)
        result = with_refuted(result, refuted, REFUTED_FIX in work.options.enabled)
        return replace(_file_result(work, result, source), checked=taken_log(proof))

    def _prove(self, work: Work) -> Prove | None:
        proof = self._proof
        if proof is None:
            return None
        return lambda before, after, findings: proof.prove(
            work.path, before, after, findings, work.unsafe_fixes, self._disk.unwritten
        )

    def _fix(
        self, work: Work, linter: Linter, result: LintResult, source: Source, data: bytes
    ) -> FileResult:
        from tfxla_lint.fixer import fix_text

        crashed: dict[str, Crash] = {crash.code: crash for crash in result.crashed}

        def lint(candidate: Source) -> LintResult:
            if candidate.text == source.text:
                return result
            again = linter.lint(candidate, work.path)
            for crash in again.crashed:
                crashed.setdefault(crash.code, crash)
            return again

        try:
            prove = self._prove(work)
            unsafe = work.unsafe_fixes or prove is not None
            measured = work.unsafe_fixes and prove is not None
            outcome = fix_text(source, lint, unsafe=unsafe, prove=prove, measured=measured)
            problem = None
            if outcome.text != source.text and not source.gives_back(data):
                problem = _not_rewritable(source)
            fixed = data if problem is not None else source.encode(outcome.text)
        except Exception as error:
            crash = Crash.of("fixer", error)
            return _file_result(work, result, source, crashed=(*result.crashed, crash))
        self._worlds.forget(work.path)
        if problem is not None:
            untouched = _file_result(work, result, source, problem=problem)
            return replace(untouched, checked=self._checked())
        is_overlaid = isinstance(self._disk, Overlaid)
        if (self._mode is Mode.FIX or is_overlaid) and work.data is None and fixed != data:
            problem = self._write(work, fixed, data)
            if problem is not None:
                return _file_result(work, result, source, problem=problem)
        changed = source.with_text(outcome.text)
        remaining = outcome.result
        if self._proof is not None:
            from tfxla_lint.proving import with_refuted

            is_reported = REFUTED_FIX in work.options.enabled
            remaining = with_refuted(remaining, outcome.refuted, is_reported)
        return FileResult(
            work.shown,
            remaining.findings,
            changed if remaining.findings else None,
            remaining.suppressed,
            dict(outcome.applied),
            tuple(Blocked(*row) for row in outcome.blocked),
            tuple(crashed.values()),
            diff=diff(source, changed) if self._mode is Mode.DIFF else "",
            output=fixed if work.data is not None else None,
            checked=self._checked(),
            cells=len(source.cell_lines),
        )

    def _add_noqa(self, work: Work, result: LintResult, source: Source, data: bytes) -> FileResult:
        from tfxla_lint.noqa import add_noqa

        text, added = add_noqa(source, result.findings)
        problem = None
        if added and not source.gives_back(data):
            problem = _not_rewritable(source)
        elif added:
            problem = self._write(work, source.encode(text), data)
        return _file_result(work, result, source, problem=problem, added=0 if problem else added)

    def _write(self, work: Work, data: bytes, expected: bytes) -> str | None:
        if work.leads_out and self._mode is not Mode.DIFF:
            return (
                "it is not changed: a link leads to it, and it lies elsewhere; name the file itself"
            )
        try:
            self._disk.write(work.path, data, expected)
        except OSError as error:
            return not_written(error)
        return None

    def _checked(self) -> tuple[Checked, ...]:
        if self._proof is None:
            return ()
        from tfxla_lint.proving import taken_log

        return taken_log(self._proof)


def _merged(before: FileResult, after: FileResult) -> FileResult:
    """The result of a file that was processed twice."""
    applied = Counter(before.applied)
    applied.update(after.applied)
    crashed = {crash.code: crash for crash in (*before.crashed, *after.crashed)}
    checked = (*before.checked, *(item for item in after.checked if item not in before.checked))
    return replace(after, applied=dict(applied), crashed=tuple(crashed.values()), checked=checked)


def _file_result(
    work: Work,
    result: LintResult,
    source: Source,
    crashed: tuple[Crash, ...] | None = None,
    problem: str | None = None,
    added: int = 0,
) -> FileResult:
    return FileResult(
        work.shown,
        result.findings,
        source if result.findings else None,
        result.suppressed,
        crashed=result.crashed if crashed is None else crashed,
        problem=problem,
        added=added,
        cells=len(source.cell_lines),
    )


def not_written(error: OSError) -> str:
    """Why a file does not hold what was to be written."""
    return f"cannot write it: {error.strerror or error}"


def _not_rewritable(source: Source) -> str:
    return (
        f"it is not changed: writing it in {source.encoding} would change lines that no fix touches"
    )


def diff(before: Source, after: Source) -> str:
    """A unified diff that `patch -p0` and `git apply -p0` accept; of a notebook, cell by cell."""
    return "".join(unified_diff(*pair) for pair in before.parts(after))


def unified_diff(before: Source, after: Source) -> str:
    """A unified diff of two texts."""
    import difflib

    names = _named(before.path), _named(after.path)
    lines = difflib.unified_diff(_lines(before), _lines(after), *names)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _named(path: str) -> str:
    """A path as a diff names it: quoted as git does it where it holds more than plain characters."""
    if path.isprintable():
        return path
    parts = (
        char if char.isprintable() and char not in '"\\' else "".join(map(r"\{:03o}".format, data))
        for char, data in ((char, os.fsencode(char)) for char in path)
    )
    return f'"{"".join(parts)}"'


def _lines(source: Source) -> list[str]:
    starts = [*source.line_starts, len(source.text)]
    lines = [source.text[a:b] for a, b in itertools.pairwise(starts)]
    return [line for line in lines if line]
