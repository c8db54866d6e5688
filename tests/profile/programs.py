"""Runs small programs under the recorder."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from tfxla_lint.profile.launch import Outcome, Plan, launch
from tfxla_lint.profile.program import Program
from tfxla_lint.recording import FunctionRecord, LoopRecord, Recording


def write(folder: Path, **files: str) -> None:
    """Write modules, by their names without the suffix; `x__y` is y in the folder x."""
    for name, text in files.items():
        path = folder / (name.replace("__", "/", 1) + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


def run(folder: Path, *words: str, **options: Any) -> Outcome:
    """Run a program in a folder, quietly."""
    plan = Plan(Program(words), folder, folder=folder, **options)
    return launch(plan)


def functions(outcome: Outcome) -> dict[str, FunctionRecord]:
    """What was recorded, by qualified name."""
    return {f.qualname: f for rows in recording(outcome).functions.values() for f in rows}


def loops(outcome: Outcome) -> list[LoopRecord]:
    """The loops that were recorded."""
    return [loop for rows in recording(outcome).loops.values() for loop in rows]


def recording(outcome: Outcome) -> Recording:
    """The recording as the linter reads it."""
    assert outcome.recording is not None, outcome.problem
    return Recording(outcome.recording, "/")
