"""Prints what came out of a run: the report, the diff, and what went wrong."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from tfxla_lint.cache.replay import Run
from tfxla_lint.cli.console import Messages, emit, style_for
from tfxla_lint.cli.invocation import Invocation
from tfxla_lint.reporters import TEXT_FORMATS, render
from tfxla_lint.reporters.advice import next_step
from tfxla_lint.reporters.frame import printed
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.text import counted, file_of, headline, summary
from tfxla_lint.results import RunResult
from tfxla_lint.work import Mode
from tfxla_lint.writing import write_atomically


def tell_troubles(result: RunResult, messages: Messages) -> None:
    """One line for each file that failed, each fault of a rule, each fix that was held back."""
    faults: dict[tuple[str, str], list[str]] = {}
    for file in result.files:
        if file.problem is not None:
            messages.error(f"{file.path}: {file.problem}")
        for crash in file.crashed:
            paths = faults.setdefault((crash.code, crash.message), [])
            paths.append(file.path)
            if len(paths) == 1:
                messages.detail(crash.traceback.rstrip())
        for blocked in file.blocked:
            place = f"{file_of(file.path, blocked.cell)}:{blocked.line}"
            messages.warning(f"{place}: the fix of {blocked.code} was held back: {blocked.reason}")
    for (code, message), paths in faults.items():
        more = f" (and in {counted(len(paths) - 1, 'more file')})" if len(paths) > 1 else ""
        messages.error(f"{paths[0]}: {_culprit(code)}: {message}{more}")


def tell_verdicts(invocation: Invocation, result: RunResult, messages: Messages) -> None:
    """What running the fixes showed: a table on standard error, and the page if it is asked for."""
    from tfxla_lint.reporters.verification import render_text

    style = style_for(sys.stderr, invocation.colour)
    messages.shown(render_text(result, style).rstrip("\n"), sys.stderr)
    if invocation.html is None:
        return
    from tfxla_lint.reporters.verification_page import render_page

    try:
        write_atomically(invocation.html, render_page(result).encode("utf-8"))
    except OSError as error:
        reason = error.strerror or error
        raise click.ClickException(f"cannot write {invocation.html}: {reason}") from None


def _culprit(code: str) -> str:
    from tfxla_lint.linter import Crash

    return Crash.PARTS.get(code, f"the rule {code} failed")


def print_report(invocation: Invocation, result: RunResult, name: str, messages: Messages) -> None:
    """The findings, or their counts, in the format `name`; then the summary line."""
    to_error = invocation.reads_standard_input and invocation.mode is Mode.FIX
    stream = sys.stderr if to_error else sys.stdout
    style = style_for(stream, invocation.colour)
    if invocation.output_file is not None:
        style = Style()
    if invocation.statistics:
        from tfxla_lint.reporters.statistics import FORMATS, render_statistics

        if name not in FORMATS:
            formats = ", ".join(FORMATS)
            raise click.UsageError(f"--statistics goes with the formats {formats}, not with {name}")
        report = render_statistics(name, result, style)
    else:
        report = render(name, result, style)
    if invocation.output_file is not None:
        _write_report(invocation.output_file, report)
        stream = sys.stderr
    else:
        emit(report, stream)
    messages.summary(summary(result), stream if name in TEXT_FORMATS else sys.stderr)
    if result.aside:
        messages.summary(result.aside, stream if name in TEXT_FORMATS else sys.stderr)
    step = next_step(result) if name == "full" and not invocation.statistics else ""
    if step:
        messages.shown(style.wrapped("", "", step).lstrip(), stream)
    for form, path in invocation.report:
        _write_report(path, render(form, result, Style()))
    if name == "github":
        _add_to_summary(render("markdown", result, Style()))


def _add_to_summary(text: str) -> None:
    """Add to the page that GitHub shows of a step, if this is one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    Run.forget()
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror or error}") from None


def _write_report(path: Path, report: str) -> None:
    Run.forget()
    try:
        write_atomically(path, report.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror or error}") from None


def print_diff(invocation: Invocation, result: RunResult, messages: Messages) -> None:
    """What would change, on standard output; files that cannot be parsed on standard error.

    What applies it needs the very characters of the code; a terminal gets none that it would obey.
    """
    shown = (lambda line: line[:1] + printed(line[1:].rstrip())) if sys.stdout.isatty() else str
    style = style_for(sys.stdout, invocation.colour)
    for file in result.files:
        emit("".join(_coloured(shown(line), style) for line in _lines(file.diff)))
        if file.has_syntax_error:
            finding = file.findings[0]
            emit(
                headline(finding, result, style_for(sys.stderr, invocation.colour)) + "\n",
                sys.stderr,
            )
    fixes = result.applied.total()
    changed = sum(bool(file.diff) for file in result.files)
    if fixes:
        messages.summary(f"Would apply {counted(fixes, 'fix')} to {counted(changed, 'file')}.")
    else:
        messages.summary("No fix would be applied.")


def _lines(diff: str) -> list[str]:
    """The lines of a diff without their ends: code may hold what else counts as one."""
    return diff.split("\n")[:-1]


def _coloured(text: str, style: Style) -> str:
    if text.startswith(("---", "+++")):
        return f"{style.bold(text)}\n"
    if text.startswith("-"):
        return f"{style.removed(text)}\n"
    return f"{style.added(text) if text.startswith('+') else text}\n"
