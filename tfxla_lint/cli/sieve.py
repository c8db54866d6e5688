"""Runs `check` and leaves out what is not new, where that was asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tfxla_lint.cache.replay import Run
from tfxla_lint.checking import Checking
from tfxla_lint.cli.invocation import Invocation
from tfxla_lint.discovery import discover
from tfxla_lint.neighbourhood import root_of
from tfxla_lint.registry import REFUTED_FIX
from tfxla_lint.results import FileResult
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.globs import relative_to
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.resolver import SettingsResolver, absolute
from tfxla_lint.settings.shown import from_here, report_root
from tfxla_lint.work import Mode

if TYPE_CHECKING:
    from tfxla_lint.cli.adoption import Known
    from tfxla_lint.verify.proof import Proof, Proving


class Sieve:
    """One run of `check`; `aside` says what it left out."""

    def __init__(
        self,
        invocation: Invocation,
        settings: Settings,
        checking: Checking,
        resolver: SettingsResolver,
    ) -> None:
        self._invocation = invocation
        self._settings = settings
        self._checking = checking
        self._resolver = resolver
        self._places = {target.shown: target.path for target in checking.targets}
        self._here = Path.cwd()
        self.aside = ""

    def run(self, proof: Proof | Proving | None) -> list[FileResult]:
        """What became of the files, without what is not new.

        Raises SettingsError where the baseline or the revision is none.
        """
        asked, jobs = self._invocation, self._invocation.jobs
        is_sifted = asked.diff_base is not None or self._settings.baseline is not None
        if proof is None or asked.mode is not Mode.LINT or not is_sifted:
            return self._sifted(self._checking.run(asked.mode, jobs, proof))
        files = self._sifted(self._checking.run(Mode.LINT, jobs))
        every = self._checking.works
        self._checking.works = [
            replace(work, only=frozenset((f.code, f.span.start) for f in file.findings))
            for work, file in zip(every, files, strict=True)
            if file.findings
        ]
        run = {file.path: file for file in self._checking.run(Mode.LINT, jobs, proof)}
        return [_with_verdicts(f, run[f.path]) if f.path in run else f for f in files]

    def _sifted(self, files: list[FileResult]) -> list[FileResult]:
        if self._invocation.write_baseline or self._invocation.mode is Mode.ADD_NOQA:
            return files
        path, revision = self._settings.baseline, self._invocation.diff_base
        if path is not None or revision is not None:
            Run.forget()
        if path is not None:
            self._resolver.folders.note(path)
            from tfxla_lint.baseline import BaselineError

            try:
                files, self.aside = self._known().left_out(files)
            except BaselineError as error:
                raise SettingsError(str(error), from_here(path)) from None
        if revision is not None:
            from tfxla_lint.cli.adoption import Since
            from tfxla_lint.repository.git import GitError, moving

            try:
                for file in moving(revision):
                    self._resolver.folders.note(file)
                since = Since(revision, self._places)
                self.aside = " ".join(filter(None, (self.aside, since.passed_over(files))))
                files = since.brought(files, self._lint_before)
            except GitError as error:
                raise SettingsError(str(error)) from None
        return files

    def _known(self) -> Known:
        from tfxla_lint.cli.adoption import Known

        path = self._settings.baseline
        if path is None:
            raise click.UsageError(
                "--write-baseline needs --baseline FILE, or the setting `baseline`"
            )
        return Known(path, self._places)

    def write_baseline(self, files: Sequence[FileResult]) -> tuple[str, int]:
        """Write what was found to the baseline; its path, and how much that is."""
        from tfxla_lint.baseline import BaselineError

        Run.forget()
        known = self._known()
        shown = from_here(self._settings.baseline or self._here)
        try:
            return shown, known.write(files)
        except BaselineError as error:
            raise SettingsError(str(error), shown) from None
        except OSError as error:
            raise SettingsError(f"cannot write it: {error.strerror or error}", shown) from None

    def _lint_before(self, folder: Path, paths: list[str]) -> list[FileResult]:
        """What an older state of the repository has, linted as the newer one was.

        It shares the cache: what did not change is known already.
        """
        asked = self._invocation
        profile = self._settings.profile
        store = self._store() if asked.is_cached or asked.is_verifying else None
        then = replace(
            asked,
            profile=str(profile) if profile is not None else None,
            cache_dir=str(store) if store is not None else None,
        )
        config = asked.settings_file
        if config is not None:
            config = _as_before(absolute(self._here / config), report_root(self._here), folder)
        resolver = SettingsResolver(then.layer(), config, asked.isolated)
        found = discover(paths, resolver)
        checking = Checking(found.files, resolver, store is not None and not asked.no_cache)
        checking.executor = self._checking.executor
        return checking.run(Mode.LINT, asked.jobs)

    def _store(self) -> Path:
        from tfxla_lint.cache.place import cache_folder

        target = self._checking.targets[0]
        return cache_folder(root_of(target, self._resolver), target.settings.cache_dir)


def _as_before(config: Path, root: Path, folder: Path) -> Path:
    """The settings file that was named, in the older state if it lies in the repository.

    Where that did not have it, it is laid there as it is now.
    """
    name = relative_to(config, root)
    if not name:
        return config
    before = folder / name
    if not before.exists():
        os.makedirs(before.parent, exist_ok=True)
        before.write_bytes(config.read_bytes())
    return before


def _with_verdicts(file: FileResult, run: FileResult) -> FileResult:
    """What is new in a file, with what running its fixes showed."""
    fixes = {(f.code, f.span.start): f.fix for f in run.findings}
    kept = [replace(f, fix=fixes.get((f.code, f.span.start), f.fix)) for f in file.findings]
    kept += [finding for finding in run.findings if finding.code == REFUTED_FIX]
    ordered = tuple(sorted(kept, key=lambda finding: finding.sort_key))
    return replace(file, findings=ordered, checked=run.checked)
