"""Verifies pairs with one worker: what every way of asking for verification does."""

from __future__ import annotations

import os
import shlex
import weakref
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from tfxla_lint.notebooks.reading import read_source
from tfxla_lint.profile.program import Program, ProgramError
from tfxla_lint.sandbox.interpreter import interpreter
from tfxla_lint.sandbox.spawn import terminable
from tfxla_lint.verify.changes import MODULE
from tfxla_lint.verify.pairs import Options, Pair, Progress
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verdicts import Verdict
from tfxla_lint.verify.verifier import Verifier, differs
from tfxla_lint.workers.remote import apply_far

STARTING = "starting TensorFlow"


def verify_pairs(
    pairs: Sequence[Pair],
    options: Options,
    python: str | None = None,
    progress: Progress = lambda text: None,
    executor: Executor | None = None,
) -> list[Verdict]:
    """The verdicts on pairs that changed together; raises WorkerError where nothing can be run.

    An `executor` runs each pair on one of its workers, and raises ExecutorError where they cannot.
    """
    if executor is not None:
        return _verify_away(pairs, options, python, progress, executor)
    with terminable(), Worker(interpreter(python)) as worker:
        progress(STARTING)
        worker.start()
        return Verifier(worker, options, progress).verify_all(pairs)


@dataclass(frozen=True)
class _Away:
    """What an executor's worker makes its function of; all pairs know each other's texts."""

    pairs: Sequence[Pair]
    options: Options
    python: str | None

    def __call__(self) -> _There:
        return _There(self)


class _There:
    """Verifies pairs on a worker, with one TensorFlow that ends with this."""

    def __init__(self, away: _Away) -> None:
        self._pairs = away.pairs
        self._worker = Worker(interpreter(away.python))
        self._worker.start()
        weakref.finalize(self, self._worker.stop)
        self._verifier = Verifier(self._worker, away.options)

    def __call__(self, job: tuple[int, bool]) -> tuple[list[Verdict], bool]:
        """The verdicts on one pair, and whether some difference is left to explain; or what does."""
        index, is_left = job
        verdicts, among = self._verifier.alone(self._pairs[index], self._pairs)
        if is_left:
            return (among(self._pairs) if among is not None else []), False
        return verdicts, among is not None


def _verify_away(
    pairs: Sequence[Pair],
    options: Options,
    python: str | None,
    progress: Progress,
    executor: Executor,
) -> list[Verdict]:
    away = _Away(pairs, options, python)
    done = 0

    def told(index: int) -> None:
        nonlocal done
        done += 1
        progress(f"{done} of {len(pairs)} files")

    jobs = [(index, False) for index in range(len(pairs))]
    found = apply_far(executor, away, iter(jobs), told)
    verdicts = [
        v for i, pair in enumerate(pairs) for v in (found[i][0] if i in found else _lost(pair))
    ]
    left = [(index, True) for index, (_, is_left) in sorted(found.items()) if is_left]
    if left and not differs(verdicts):
        more = apply_far(executor, away, iter(left))
        verdicts += [verdict for _, (some, _) in sorted(more.items()) for verdict in some]
    return verdicts


def _lost(pair: Pair) -> list[Verdict]:
    return [Verdict.unchecked(pair.shown, MODULE, "the workers that ran it were lost")]


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
