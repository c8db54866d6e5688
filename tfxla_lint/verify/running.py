"""Verifies pairs with one worker: what every way of asking for verification does."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from tfxla_lint.notebooks.reading import read_source
from tfxla_lint.profile.program import Program, ProgramError
from tfxla_lint.sandbox.interpreter import interpreter
from tfxla_lint.sandbox.spawn import terminable
from tfxla_lint.verify.pairs import Options, Pair, Progress
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verdicts import Verdict
from tfxla_lint.verify.verifier import Verifier

STARTING = "starting TensorFlow"


def verify_pairs(
    pairs: Sequence[Pair],
    options: Options,
    python: str | None = None,
    progress: Progress = lambda text: None,
) -> list[Verdict]:
    """The verdicts on pairs that changed together; raises WorkerError where nothing can be run."""
    with terminable(), Worker(interpreter(python)) as worker:
        progress(STARTING)
        worker.start()
        return Verifier(worker, options, progress).verify_all(pairs)


def pair_of(original: Path, rewritten: Path) -> Pair:
    """Two files, run as if both stood where the original stands; raises OSError, SourceError."""
    old, new = read_source(original), read_source(rewritten)
    path = Path(os.path.abspath(original))
    return Pair(path, str(rewritten), old.text, new.text, cells=old.cell_lines)


def program_words(command: str | None) -> tuple[str, ...]:
    """The words of a command that is given in one piece, as the worker runs them; raises ProgramError."""
    try:
        return Program.parse(shlex.split(command)).words if command is not None else ()
    except ValueError as error:
        raise ProgramError(str(error)) from None


def search_path() -> tuple[str, ...]:
    """What PYTHONPATH adds; the worker is isolated from the environment."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return tuple(os.path.abspath(path) for path in given if path)
