"""Carries out `check`: settings, files, the run, the report, the status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tfxla_lint.checking import Checking
from tfxla_lint.cli.console import Messages, emit, emit_bytes, style_for
from tfxla_lint.cli.invocation import Invocation
from tfxla_lint.cli.output import print_diff, print_report, tell_troubles, tell_verdicts
from tfxla_lint.cli.prefixing import prefixed
from tfxla_lint.cli.progress import progress
from tfxla_lint.cli.sieve import Sieve
from tfxla_lint.discovery import Discovery, Target, discover, is_excluded
from tfxla_lint.planning import Planner
from tfxla_lint.registry import RegistryError, read_catalogue
from tfxla_lint.reporters.text import counted, harmless_start
from tfxla_lint.results import FileResult, RunResult
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.folders import Folders
from tfxla_lint.settings.model import Settings
from tfxla_lint.settings.resolver import SettingsResolver, absolute
from tfxla_lint.settings.shown import shown_path
from tfxla_lint.work import Mode

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tfxla_lint.verify.proof import Proof, Proving

CLEAN, FOUND, FAILED = 0, 1, 2


def run_check(invocation: Invocation) -> int:
    """Do what was asked and return the exit status."""
    if not invocation.watch:
        return _run_once(invocation, Folders())
    from tfxla_lint.cli.watching import watch

    return watch(partial(_run_once, invocation), invocation.written)


def _run_once(invocation: Invocation, folders: Folders) -> int:
    messages = Messages(invocation.quiet, invocation.verbose)
    try:
        layer, config = invocation.layer(), invocation.settings_file
        resolver = SettingsResolver(layer, config, invocation.isolated, folders)
        if invocation.show_settings:
            return _show_settings(invocation, resolver)
        if invocation.reads_standard_input:
            return _check_standard_input(invocation, resolver, messages)
        return _check_files(invocation, resolver, messages)
    except (SettingsError, RegistryError) as error:
        messages.error(str(error))
        return FAILED


def _check_files(invocation: Invocation, resolver: SettingsResolver, messages: Messages) -> int:
    # A patch is applied in the working folder.
    base = Path.cwd() if invocation.mode is Mode.DIFF else None
    found = discover(invocation.paths or (".",), resolver, base)
    for path, reason in found.problems:
        messages.error(f"{path}: {reason}")
    for target in found.files:
        resolver.folders.note(target.path)
    if invocation.show_files:
        emit("".join(f"{harmless_start(target.shown)}\n" for target in found.files))
        return FAILED if found.problems else CLEAN
    settings = resolver.for_folder(Path.cwd())
    invocation = invocation.with_settings(settings)
    if not found.files and not found.problems:
        messages.warning("no Python files found")
    checking = Checking(found.files, resolver, invocation.is_cached)
    checking.planner.selected(settings)
    if invocation.shard is not None:
        checking.take_share(*invocation.shard)
    _tell_targets(checking.targets, messages)
    sieve = Sieve(invocation, settings, checking, resolver)
    is_told = invocation.quiet or invocation.is_verifying
    with (
        _telling_changes(invocation, checking.targets, messages),
        _executor(invocation) as checking.executor,
        _proof(invocation, checking.is_advised) as proof,
        progress(is_told) as checking.told,
    ):
        files = sieve.run(proof)
    if invocation.write_baseline:
        return _write_baseline(sieve, files, messages) or _failed(found)
    result = _result(invocation, files, checking, settings)
    result = replace(result, aside=sieve.aside)
    _print(invocation, result, settings, messages)
    if invocation.is_verifying:
        tell_verdicts(invocation, result, messages)
    status = _failed(found) or _status(invocation, result)
    if not found.problems and not result.has_failed:
        checking.keep_run(status)
    return status


def _failed(found: Discovery) -> int:
    return FAILED if found.problems else CLEAN


def _write_baseline(sieve: Sieve, files: list[FileResult], messages: Messages) -> int:
    result = RunResult(tuple(files))
    tell_troubles(result, messages)
    path, count = sieve.write_baseline(files)
    messages.summary(f"Wrote {counted(count, 'finding')} to {path}.")
    return FAILED if result.has_failed else CLEAN


@contextmanager
def _telling_changes(
    invocation: Invocation, targets: Sequence[Target], messages: Messages
) -> Iterator[None]:
    """Says of a run that changes files, where it is interrupted, which ones are changed by then."""
    is_changing = invocation.mode in (Mode.FIX, Mode.ADD_NOQA)
    before = [_state(target.path) for target in targets] if is_changing else []
    try:
        yield
    except KeyboardInterrupt:
        if is_changing:
            known = zip(targets, before, strict=True)
            changed = [target.shown for target, state in known if _state(target.path) != state]
            messages.summary(f"Changed by now, each as a whole: {', '.join(changed) or 'no file'}.")
        raise


def _state(path: Path) -> tuple[int, ...]:
    """What is another once a file is written."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def _executor(invocation: Invocation) -> Iterator[Executor | None]:
    """What does the work in place of this machine, if that was asked for."""
    if invocation.executor is None:
        yield None
        return
    from tfxla_lint.workers.engines import executor_at
    from tfxla_lint.workers.remote import ExecutorError

    try:
        with executor_at(invocation.executor) as executor:
            yield executor
    except ExecutorError as error:
        raise click.ClickException(f"--executor: {error}") from None


@contextmanager
def _proof(invocation: Invocation, is_advised: bool) -> Iterator[Proof | Proving | None]:
    """What runs fixes against the original, if that was asked for."""
    if not invocation.is_verifying:
        yield None
        return
    from tfxla_lint.cli.verifying import proof_for, proving_of

    if invocation.executor is not None:
        yield proving_of(invocation, is_advised)
        return
    with proof_for(invocation, is_advised) as proof:
        yield proof


def _tell_targets(files: Sequence[Target], messages: Messages) -> None:
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
    reason = _refusal(path)
    if reason:
        messages.error(f"--stdin-filename {invocation.stdin_filename}: {reason}")
        return FAILED
    settings = resolver.for_folder(path.parent)
    shown = shown_path(path) if invocation.stdin_filename else "-"
    if invocation.show_files:
        emit(f"{harmless_start(shown)}\n")
        return CLEAN
    data = sys.stdin.buffer.read()
    is_left_out = settings.force_exclude and is_excluded(path, settings)
    targets = [] if is_left_out else [Target(path, shown, settings)]
    is_cached = invocation.is_cached and invocation.stdin_filename is not None
    checking = Checking(targets, resolver, is_cached, data)
    _tell_targets(targets, messages)
    files = checking.run(invocation.mode, invocation.jobs)
    result = _result(invocation, files, checking, settings)
    if invocation.mode is Mode.FIX:
        output = files[0].output if files else None
        emit_bytes(output if output is not None else data)
    _print(invocation, result, settings, messages)
    return _status(invocation, result)


def _refusal(path: Path) -> str:
    """Why the system says that no file can be called so; empty where one can."""
    try:
        os.lstat(path)
    except OSError as error:
        is_free = isinstance(error, (FileNotFoundError, NotADirectoryError))
        return "" if is_free else error.strerror or str(error)
    return ""


def _result(
    invocation: Invocation, files: list[FileResult], checking: Checking, settings: Settings
) -> RunResult:
    is_fixing = invocation.mode in (Mode.FIX, Mode.DIFF)
    result = RunResult(
        tuple(files),
        settings.unsafe_fixes,
        is_fixing,
        invocation.is_verifying,
        invocation.verbose,
        settings.fail_on,
    )
    return result if invocation.verbose else checking.gathered(result)


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
        if invocation.path_prefix is not None:
            result = prefixed(result, invocation.path_prefix)
        print_report(invocation, result, settings.output_format, messages)


def _status(invocation: Invocation, result: RunResult) -> int:
    if result.has_failed:
        return FAILED
    if invocation.mode is Mode.DIFF:
        is_clean = not any(file.diff or file.has_syntax_error for file in result.files)
    elif invocation.mode is Mode.ADD_NOQA:
        is_clean = not any(file.has_syntax_error for file in result.files)
    else:
        is_clean = not any(map(result.fails, result.findings))
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
