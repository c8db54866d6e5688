"""Carries out `verify`: the pairs, the worker, the report, the status."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import click

from tfxla_lint.cli.console import Messages, emit, style_for
from tfxla_lint.cli.invocation import Invocation
from tfxla_lint.profile.program import ProgramError
from tfxla_lint.reporters.json_format import dump
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import harmless_line, harmless_start, visible
from tfxla_lint.repository.git import GitError
from tfxla_lint.sandbox.jobs import WorkerError
from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.source import SourceError
from tfxla_lint.verify.changes import MODULE
from tfxla_lint.verify.git import changed_pairs, files_gone
from tfxla_lint.verify.pairs import Options
from tfxla_lint.verify.proof import Proof, Proving
from tfxla_lint.verify.reports import as_json, as_lines, summary
from tfxla_lint.verify.running import pair_of, program_words, search_path, verify_pairs
from tfxla_lint.verify.verdicts import FAILED_STATUS, Outcome, Verdict, status_of
from tfxla_lint.workers.remote import ExecutorError


def run_verify(
    paths: tuple[str, ...],
    original: Path | None,
    rewritten: Path | None,
    git: str | None,
    correcting: bool,
    command: str | None,
    python: str | None,
    time_limit: float,
    memory_limit: int,
    xla: bool,
    power: bool,
    executor: str | None,
    form: str,
    html: Path | None,
    colour: str,
    quiet: bool,
) -> int:
    """Do what was asked and return the exit status."""
    messages = Messages(quiet)
    _check_sides(paths, original, rewritten, git)
    options = Options(
        Limits(time_limit, memory_limit << 20),
        _words(command),
        os.getcwd() if command else "",
        correcting=correcting,
        measure_xla=xla,
        power=power,
        search=search_path(),
    )
    try:
        left_out: dict[str, str] = {}
        if git is not None:
            pairs = changed_pairs(git, paths, left_out)
            left_out |= dict.fromkeys(files_gone(git, paths), "the file is gone")
        else:
            assert original is not None
            assert rewritten is not None
            pairs = [pair_of(original, rewritten)]
        with _executor(executor) as workers, progress_line(quiet) as progress:
            verdicts = verify_pairs(pairs, options, python, progress, workers)
        verdicts += [Verdict.unchecked(path, MODULE, why) for path, why in left_out.items()]
        if html is not None:
            from tfxla_lint.verify.html import write_html

            write_html(html, pairs, verdicts)
    except (GitError, WorkerError, ExecutorError, SourceError, OSError) as error:
        messages.error(str(error))
        return FAILED_STATUS
    _print(verdicts, form, style_for(sys.stdout, colour), messages)
    return status_of(verdicts)


def _executor(word: str | None) -> AbstractContextManager[Executor | None]:
    """What does the work in place of this machine, if that was asked for."""
    if word is None:
        return nullcontext()
    from tfxla_lint.workers.engines import executor_at

    return executor_at(word)


def _check_sides(
    paths: tuple[str, ...], original: Path | None, rewritten: Path | None, git: str | None
) -> None:
    if git is not None and (original is not None or rewritten is not None):
        raise click.UsageError("--git goes with neither --original nor --rewritten")
    if git is None and (original is None or rewritten is None):
        raise click.UsageError("give --original and --rewritten, or --git")
    if git is None and paths:
        raise click.UsageError("paths go with --git only")


def _words(command: str | None) -> tuple[str, ...]:
    """The words of the command of `--run`."""
    try:
        return program_words(command)
    except ProgramError as error:
        raise click.UsageError(f"--run: {error}") from None


def proving_of(invocation: Invocation, is_advised: bool) -> Proving:
    """How `check --verify` runs fixes; raises click's errors for a program that is none."""
    words = _words(invocation.run_command)
    default = Limits()
    limits = Limits(
        invocation.time_limit or default.seconds,
        invocation.memory_limit << 20 if invocation.memory_limit else default.memory,
    )
    options = Options(
        limits,
        words,
        os.getcwd() if words else "",
        measure_xla=invocation.xla,
        advises_xla=is_advised,
        power=invocation.power,
        search=search_path(),
    )
    return Proving(options, invocation.verify_strict, invocation.python)


@contextmanager
def proof_for(invocation: Invocation, is_advised: bool) -> Iterator[Proof]:
    """What `check --verify` runs fixes with; raises click's errors where it cannot."""
    proving = proving_of(invocation, is_advised)
    try:
        with progress_line(invocation.quiet) as progress, proving.opened(progress) as proof:
            yield proof
    except WorkerError as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def progress_line(is_quiet: bool) -> Iterator[Callable[[str], None]]:
    """Says on a terminal what is being done, in a line that is gone in the end."""
    is_shown = sys.stderr.isatty() and not is_quiet
    width = shutil.get_terminal_size().columns - 1

    def progress(text: str) -> None:
        if is_shown:
            emit(f"\r\x1b[K{visible(text)[:width]}", sys.stderr)

    try:
        yield progress
    finally:
        progress("")


def _print(verdicts: list[Verdict], form: str, style: Style, messages: Messages) -> None:
    if form == "json":
        emit(dump(as_json(verdicts)))
        return
    for verdict in verdicts:
        # What a program printed is among them.
        head, *rest = as_lines(verdict)
        head, rest = harmless_start(head), list(map(harmless_line, rest))
        paint = {Outcome.DIFFERS: style.removed, Outcome.EQUIVALENT: style.added}
        text = paint.get(verdict.outcome, style.bold)(verdict.outcome.value)
        emit(head.replace(verdict.outcome.value, text, 1) + "\n")
        emit("".join(f"{line}\n" for line in rest))
    messages.summary(summary(verdicts), sys.stdout)
