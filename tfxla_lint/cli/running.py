"""Carries out `check`: settings, files, the run, the report, the status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tfxla_lint.cli.console import Messages, emit, emit_bytes, style_for
from tfxla_lint.cli.invocation import Invocation
from tfxla_lint.cli.output import print_diff, print_report, tell_troubles, tell_verdicts
from tfxla_lint.discovery import Target, discover, is_excluded
from tfxla_lint.neighbourhood import concerned, projects_of
from tfxla_lint.planning import Planner
from tfxla_lint.project.projects import Projects
from tfxla_lint.registry import RegistryError, read_catalogue
from tfxla_lint.reporters.gathering import gathered
from tfxla_lint.reporters.text import counted
from tfxla_lint.results import FileResult, RunResult
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.resolver import SettingsResolver, absolute, shown_path
from tfxla_lint.work import Mode, Work

if TYPE_CHECKING:
    from tfxla_lint.cli.caching import Cache
    from tfxla_lint.verify.proof import Proof

CLEAN, FOUND, FAILED = 0, 1, 2


def run_check(invocation: Invocation) -> int:
    """Do what was asked and return the exit status."""
    messages = Messages(invocation.quiet, invocation.verbose)
    try:
        resolver = SettingsResolver(invocation.layer(), invocation.config, invocation.isolated)
        if invocation.show_settings:
            return _show_settings(invocation, resolver)
        if invocation.reads_standard_input:
            return _check_standard_input(invocation, resolver, messages)
        return _check_files(invocation, resolver, messages)
    except (SettingsError, RegistryError) as error:
        messages.error(str(error))
        return FAILED


def _check_files(invocation: Invocation, resolver: SettingsResolver, messages: Messages) -> int:
    found = discover(invocation.paths or (".",), resolver)
    for path, reason in found.problems:
        messages.error(f"{path}: {reason}")
    if invocation.show_files:
        emit("".join(f"{target.shown}\n" for target in found.files))
        return FAILED if found.problems else CLEAN
    settings = resolver.for_folder(Path.cwd())
    invocation = invocation.with_settings(settings)
    if not found.files and not found.problems:
        messages.warning("no Python files found")
    cache = _cache(invocation, found.files, resolver)
    planner = Planner(cache.catalogue if cache is not None else read_catalogue())
    planner.selected(settings)
    projects = _projects(found.files, resolver, cache)
    works = [_work(planner, target) for target in found.files]
    _tell_targets(found.files, messages)
    for_speed = planner.catalogue.for_speed
    is_advised = not any(work.options.enabled.intersection(for_speed) for work in works)
    with _proof(invocation, is_advised) as proof:
        files = _run(invocation, works, planner, projects, cache, proof)
    result = _result(invocation, files, found.files, settings)
    _print(invocation, result, settings, messages)
    if invocation.is_verifying:
        tell_verdicts(invocation, result, messages)
    status = FAILED if found.problems else _status(invocation, result)
    if cache is not None and invocation.output_file is None and not found.problems:
        if not result.has_failed:
            cache.keep_run(status)
    return status


def _cache(
    invocation: Invocation, targets: list[Target], resolver: SettingsResolver
) -> Cache | None:
    """What is known of the files from before, if that may be told."""
    if not targets or not invocation.is_cached:
        return None
    from tfxla_lint.cli.caching import Cache

    return Cache(targets, resolver, read_catalogue)


def _projects(
    targets: list[Target],
    resolver: SettingsResolver,
    cache: Cache | None,
    data: bytes | None = None,
) -> Projects:
    memory = cache.memory if cache is not None else None
    return projects_of(concerned(targets, resolver, data), resolver, memory)


def _run(
    invocation: Invocation,
    works: list[Work],
    planner: Planner,
    projects: Projects,
    cache: Cache | None,
    proof: Proof | None = None,
) -> list[FileResult]:
    def lint(some: Sequence[Work]) -> list[FileResult]:
        from tfxla_lint.runner import run

        return run(some, planner.catalogue, invocation.mode, invocation.jobs, projects, proof)

    return lint(works) if cache is None else cache.through(works, projects, lint)


@contextmanager
def _proof(invocation: Invocation, is_advised: bool) -> Iterator[Proof | None]:
    """What runs fixes against the original, if that was asked for."""
    if not invocation.is_verifying:
        yield None
        return
    from tfxla_lint.cli.verifying import proof_for

    with proof_for(invocation, is_advised) as proof:
        yield proof


def _work(planner: Planner, target: Target, data: bytes | None = None) -> Work:
    options = planner.options(target.path, target.settings, data)
    settings = target.settings
    unsafe, clears = settings.unsafe_fixes, settings.clear_outputs
    return Work(target.path, target.shown, options, unsafe, data, clears)


def _tell_targets(files: list[Target], messages: Messages) -> None:
    if not messages.is_verbose:
        return
    counts: dict[Settings, int] = {}
    for target in files:
        counts[target.settings] = counts.get(target.settings, 0) + 1
    for settings, count in counts.items():
        origin = settings.file.origin if settings.file is not None else "no settings file"
        messages.detail(f"{origin}: {counted(count, 'file')}, target {settings.target}")


def _check_standard_input(
    invocation: Invocation, resolver: SettingsResolver, messages: Messages
) -> int:
    path = absolute(Path(invocation.stdin_filename or "-"))
    settings = resolver.for_folder(path.parent)
    shown = shown_path(path) if invocation.stdin_filename else "-"
    if invocation.show_files:
        emit(f"{shown}\n")
        return CLEAN
    data = sys.stdin.buffer.read()
    targets = [Target(path, shown, settings)]
    cache = _cache(invocation, targets if invocation.stdin_filename else [], resolver)
    planner = Planner(cache.catalogue if cache is not None else read_catalogue())
    files: list[FileResult] = []
    if not (settings.force_exclude and is_excluded(path, settings)):
        works = [_work(planner, target, data) for target in targets]
        _tell_targets(targets, messages)
        projects = _projects(targets, resolver, cache, data)
        files = _run(invocation, works, planner, projects, cache)
    result = _result(invocation, files, targets, settings)
    if invocation.mode is Mode.FIX:
        output = files[0].output if files else None
        emit_bytes(output if output is not None else data)
    _print(invocation, result, settings, messages)
    return _status(invocation, result)


def _result(
    invocation: Invocation, files: list[FileResult], targets: list[Target], settings: Settings
) -> RunResult:
    is_fixing = invocation.mode in (Mode.FIX, Mode.DIFF)
    result = RunResult(
        tuple(files),
        settings.unsafe_fixes,
        is_fixing,
        invocation.is_verifying,
        invocation.verbose,
    )
    if invocation.verbose:
        return result
    roots = {target.shown: str(target.settings.root) for target in targets}
    return gathered(result, read_catalogue(), roots.__getitem__)


def _print(
    invocation: Invocation, result: RunResult, settings: Settings, messages: Messages
) -> None:
    tell_troubles(result, messages)
    if invocation.mode is Mode.DIFF:
        print_diff(invocation, result, messages)
    elif invocation.mode is Mode.ADD_NOQA:
        added = sum(file.added for file in result.files)
        changed = sum(bool(file.added) for file in result.files)
        found, files = counted(added, "finding"), counted(changed, "file")
        messages.summary(f"Silenced {found} in {files}.")
    else:
        print_report(invocation, result, settings.output_format, messages)


def _status(invocation: Invocation, result: RunResult) -> int:
    if result.has_failed:
        return FAILED
    if invocation.mode is Mode.DIFF:
        is_clean = not any(file.diff or file.has_syntax_error for file in result.files)
    elif invocation.mode is Mode.ADD_NOQA:
        is_clean = not any(file.has_syntax_error for file in result.files)
    else:
        is_clean = not result.findings
    if invocation.exit_non_zero_on_fix and result.applied.total():
        is_clean = False
    return CLEAN if is_clean or invocation.exit_zero else FOUND


def _show_settings(invocation: Invocation, resolver: SettingsResolver) -> int:
    from tfxla_lint.cli.show import render_settings

    where = invocation.stdin_filename or (invocation.paths[0] if invocation.paths else ".")
    path = absolute(Path(where))
    settings = resolver.for_folder(path if os.path.isdir(path) else path.parent)
    style = style_for(sys.stdout, invocation.colour)
    emit(render_settings(settings, Planner(read_catalogue()), shown_path(path), style))
    return CLEAN
