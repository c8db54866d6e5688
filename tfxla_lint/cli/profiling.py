"""Carries out `profile`: the run, the file, the summary, the status."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tfxla_lint.cli.console import Messages
from tfxla_lint.profile.launch import LaunchError, Outcome, Plan, launch
from tfxla_lint.profile.program import Program, ProgramError
from tfxla_lint.profile.report import summary
from tfxla_lint.recording import Recording, RecordingError
from tfxla_lint.reporters.text import harmless_line, visible
from tfxla_lint.sandbox.interpreter import interpreter
from tfxla_lint.semantics.measured_words import counted
from tfxla_lint.settings.resolver import absolute
from tfxla_lint.settings.shown import from_here

FAILED, TIMED_OUT, INTERRUPTED = 2, 124, 130
#: Above this a status is that of a signal.
SIGNALLED = 128


def run_profile(
    program: tuple[str, ...],
    python: str | None,
    root: Path | None,
    time_limit: float | None,
    output: Path,
    quiet: bool,
) -> int:
    """Do what was asked and return the exit status."""
    messages = Messages(quiet)
    target = absolute(output)
    try:
        if not os.path.isdir(target.parent):
            raise LaunchError(f"{output}: there is no folder {from_here(target.parent)}")
        parsed = Program.parse(program)
        folder = absolute(root) if root is not None else parsed.root
        plan = Plan(parsed, folder, interpreter(python), time_limit)
        outcome = launch(plan)
    except (ProgramError, LaunchError) as error:
        messages.error(str(error))
        return FAILED
    if outcome.timed_out:
        messages.warning(f"the program was ended after {time_limit:g} seconds")
    if outcome.recording is None:
        messages.error(outcome.problem)
        return outcome.status if outcome.status > SIGNALLED else FAILED
    try:
        _write(target, plan, outcome)
        _tell(target, outcome, messages)
    except (OSError, RecordingError) as error:
        messages.error(f"{output}: {error}")
        return FAILED
    if outcome.timed_out:
        return TIMED_OUT
    return INTERRUPTED if outcome.interrupted else outcome.status


def _write(target: Path, plan: Plan, outcome: Outcome) -> None:
    """Write the file, with a root that is found again where the whole project is moved."""
    root = os.path.realpath(plan.root)
    folder = os.path.realpath(target.parent)
    try:
        shown = os.path.relpath(root, folder).replace(os.sep, "/")
    except ValueError:
        shown = root
    content = {
        **(outcome.recording or {}),
        "root": shown,
        "program": list(plan.program.words),
        "status": outcome.status,
    }
    target.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def _tell(target: Path, outcome: Outcome, messages: Messages) -> None:
    recording = Recording.read(str(target))
    functions = sum(len(found) for found in recording.functions.values())
    if outcome.status and not outcome.timed_out:
        messages.warning(f"the program ended with status {outcome.status}")
    if not functions:
        messages.warning(f"no function of {recording.root} was called")
    for line in summary(recording):
        messages.summary(harmless_line(line))
    name = visible(from_here(target))
    messages.summary(f"Recorded {counted(functions, 'function')} in {name}.")
