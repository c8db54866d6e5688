"""Many programs: in processes side by side, and what they add up to."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.fuzz.grammar import ROWS, program
from tools.fuzz.trial import Server, Trial, try_program

_server: Server | None = None


@dataclass(frozen=True)
class Plan:
    """What is done with each program: how it is fixed, by which rules besides, and how long it runs.

    Programs that differ are written to the folder `keep`.
    """

    modes: tuple[str, ...]
    keep: Path | None = None
    select: tuple[str, ...] = ()
    rows: int = ROWS


def _try_seed(task: tuple[int, Plan]) -> list[Trial]:
    """Try one program; the process keeps its TensorFlow for the next."""
    global _server
    _server = _server or Server()
    seed, plan = task
    files = program(seed, plan.rows)
    return try_program(_server, seed, files, plan.modes, plan.keep, plan.select)


@dataclass
class Summary:
    """What trials add up to, for one mode of fixing."""

    mode: str
    tried: int = 0
    fixed: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    differences: list[Trial] = field(default_factory=list)
    problems: list[Trial] = field(default_factory=list)

    def add(self, trial: Trial) -> None:
        """Count one more program."""
        self.tried += 1
        self.fixed += bool(trial.fixed)
        self.rules.update(trial.fixed)
        if trial.failed is not None:
            self.failed[trial.failed.partition(":")[0]] += 1
        if trial.difference is not None:
            self.differences.append(trial)
        if trial.problems:
            self.problems.append(trial)

    def lines(self) -> Iterator[str]:
        """The report."""
        share = f"{100 * self.fixed / max(self.tried, 1):.0f} %"
        yield f"{self.mode}: {self.tried} programs, {self.fixed} rewritten ({share})"
        rules = ", ".join(f"{code} {count}" for code, count in sorted(self.rules.items()))
        yield f"  fixes: {rules or 'none'}"
        failed = ", ".join(f"{count} {how}" for how, count in self.failed.most_common())
        yield f"  failed before they were fixed: {self.failed.total()} ({failed or 'none'})"
        yield f"  print something else: {len(self.differences)}; other problems: {len(self.problems)}"
        for trial in self.differences:
            yield f"  DIFFERS seed {trial.seed}: {trial.difference}".replace("\n", "\n    ")
        for trial in self.problems:
            yield f"  PROBLEM seed {trial.seed}: {'; '.join(trial.problems)}"


def trials(seeds: Iterable[int], plan: Plan, jobs: int) -> Iterator[Trial]:
    """What became of the programs of some seeds, as they are done."""
    tasks = [(seed, plan) for seed in seeds]
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for found in pool.imap_unordered(_try_seed, tasks):
            yield from found
