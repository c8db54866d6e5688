"""Runs the two versions of a module as whole programs, with the places marked that count."""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from tfxla_lint.verify.changes import AT_THE_END, MODULE, Changes
from tfxla_lint.verify.documented import least_rows
from tfxla_lint.verify.formats import templates_of
from tfxla_lint.verify.inside import changed_inside
from tfxla_lint.verify.jobs import Jobs, Report
from tfxla_lint.verify.made import Made, compiled, made_in, users_of
from tfxla_lint.verify.marks import can_be_watched, has_same_parameters, marked
from tfxla_lint.verify.pairs import Version
from tfxla_lint.verify.shrink import awaited, is_much_shorter, shrunk
from tfxla_lint.verify.stages import stages_between
from tfxla_lint.verify.trees import FUNCTIONS, Tree
from tfxla_lint.verify.turns import Loop, Turn, loops_of, turns_between
from tfxla_lint.verify.verdicts import PASSED_BY, VARIANTS, Outcome, Verdict, timings_of
from tfxla_lint.verify.weighing import Weighing


class Programs:
    """Runs the original of a pair against versions of it."""

    def __init__(
        self, jobs: Jobs, old: Tree, new: Tree, changes: Changes, weighing: Weighing
    ) -> None:
        self._weighing = weighing
        self._jobs = jobs
        self._options = jobs.options
        self._old = old
        self._new = new
        self._changes = changes
        #: What the program is started with, apart from a user's command.
        self._words: tuple[str, ...] = ()

    def started_with(self, words: tuple[str, ...]) -> Programs:
        """The same, started with words on the command line."""
        other = copy.copy(self)
        other._words = words
        return other

    def run(self, method: str, version: Version, is_short: bool = False) -> tuple[Verdict, Report]:
        """Run the original against a version, as a whole."""
        functions = self._changes.functions
        both = (self._old, self._new)
        watched = [
            name
            for name in functions
            if has_same_parameters(*both, name) and all(can_be_watched(t, name) for t in both)
        ]
        hit = [name for name in functions if name not in watched]
        lines = self._changes.lines[:1] if self._changes.block else ()
        turns = self._turns
        made = made_in(self._old, version.tree) if self._options.measure else []
        texts = [
            marked(
                self._old,
                watched,
                hit,
                lines,
                _loops(self._old, turns),
                units=self._weighing.changed.watched[0],
                places=awaited(self._old) if is_short else (),
            ),
            self._marked_rewritten(version.tree, watched, hit, made),
        ]
        if made and self._options.measure_xla:
            tree = Tree(compiled(version.tree, made))
            texts.append(self._marked_rewritten(tree, watched, hit, made))
        prepared = shrunk if is_short else str
        texts = [prepared(text) for text in texts]
        is_whole = self._weighing.is_of(version)
        power: dict[str, Any] = {}
        if is_whole:
            power = self._weighing.job(
                lambda text: prepared(self._marked_rewritten(Tree(text), watched, [], []))
            )
        if power and is_much_shorter(self._old.text):
            power["short"] = [shrunk(text) for text in texts[:2]]
            for row in power["mutants"]:
                row["short"] = shrunk(row["text"])
        job = {
            "scenario": "script",
            "must_hit": True,
            "replays": self._options.power and not self._options.correcting,
            **power,
            "alone": self._weighing.changed.alone if is_whole else (),
            "adapted": self._weighing.changed.adapted if is_whole else (),
            "far": self._weighing.is_bounded,
            **self._weighing.ties,
            "outside": {n: self._weighing.outside(n).as_json() for n in functions},
            "least": {n: least_rows(self._old, n) for n in functions},
            "units": self._changes.units,
            "templates": templates_of(self._old.module),
            "turned": sorted(self._old.turned | self._stages),
            "stages": sorted(self._stages),
            "turns": [
                {"number": number, "unit": turn.unit, "depth": turn.depth}
                for number, turn in enumerate(turns)
            ],
            "made": users_of(made, version.tree, self._changes.units),
            "xla_source": texts[2] if len(texts) > 2 else "",
            **self._jobs.common(texts[:2], version),
        }
        if self._words:
            job.update(argv=[str(self._jobs.pair.path), *self._words])
        if method == "run":
            argv = list(self._options.command)
            job.update(argv=argv, folder=self._options.folder, command=True)
        verdict, report = self._jobs.run(MODULE, method, job)
        if is_whole:
            self._weighing.add(report)
        if "ran" in report:
            come_to = set(report["ran"][0])
            passed_by = [n for n, at in self._inside.items() if not come_to & set(at)]
            report = {**report, "passed_by": passed_by}
        return verdict, report

    @cached_property
    def _inside(self) -> dict[str, tuple[int, ...]]:
        """The places to come to in functions of which only some statements changed."""
        if self._options.correcting:
            # The original may fail before it comes there.
            return {}
        found = {n: changed_inside(self._old, self._new, n) for n in self._changes.functions}
        return {name: lines for name, lines in found.items() if lines}

    @cached_property
    def _stages(self) -> set[str]:
        if MODULE not in self._changes.units:
            return set()
        return stages_between(self._old, self._new, self._weighing.changed.both(MODULE))

    @cached_property
    def _turns(self) -> list[Turn]:
        """The loops whose turns are timed."""
        if not self._options.measure:
            return []
        return turns_between(self._old, self._new, self._changes.units)

    def _marked_rewritten(
        self, tree: Tree, watched: list[str], hit: list[str], made: list[Made]
    ) -> str:
        """The text of a version of the rewritten code with its marks."""
        names = {m.name for m in made if m.function is not None}
        functions = [f for f in ast.walk(tree.module) if isinstance(f, FUNCTIONS)]
        return marked(
            tree,
            watched,
            *self._marks_of_the_rewritten(hit),
            _loops(tree, self._turns),
            [f for f in functions if f.name in names],
            self._weighing.changed.watched[1] if tree.text == self._new.text else (),
        )

    def _marks_of_the_rewritten(self, hit: list[str]) -> tuple[list[str], tuple[int, ...]]:
        """Where the original may fail early, what the rewritten runs counts."""
        if not self._options.correcting:
            return [], ()
        return hit, (AT_THE_END,) if self._changes.block else ()

    def run_shorter(
        self, version: Version, verdict: Verdict, report: Report
    ) -> tuple[Verdict, Report]:
        """Run a program that took too long with fewer epochs and steps, if it names them.

        `verdict` and `report` are what the whole run gave; they stand where it names none.
        """
        if all(shrunk(tree.text) == tree.text for tree in (self._old, self._new)):
            return verdict, report
        verdict, report = self.run("program", version, is_short=True)
        note = "run with fewer epochs and steps, since it takes too long"
        waiting = awaited(self._old)
        unseen = sorted({waiting[n] for n in set(waiting) - set(report.get("ran", [()])[0])})
        if unseen and verdict.outcome is Outcome.EQUIVALENT:
            reason = f"{note}: what line {unseen[0]} waits for did not come"
            return Verdict.unchecked(verdict.path, verdict.unit, reason, verdict.method), report
        if verdict.outcome is not Outcome.NOT_CHECKED:
            note = f"{note}; {verdict.note}" if verdict.note else note
            verdict = dataclasses.replace(verdict, note=note)
        return verdict, report


def _loops(tree: Tree, turns: list[Turn]) -> list[tuple[int, Loop]]:
    """The loops of a version whose turns are timed, each with its number."""
    found = []
    for number, turn in enumerate(turns):
        loop = loops_of(tree, turn.unit).get(turn.path)
        if loop is not None:
            found.append((number, loop))
    return found


def of_unit(unit: str, verdict: Verdict, report: Mapping[str, Any]) -> Verdict:
    """A run's verdict for one of the units that it ran, with the times of that."""
    inputs = report.get("hits", {}).get(unit, verdict.inputs)
    rows = report.get("unit_times", {}).get(unit)
    timings = tuple(timings_of(rows if rows is not None else _whole_runs(report)))
    if unit in report.get("passed_by", ()) and verdict.outcome is Outcome.EQUIVALENT:
        return Verdict.unchecked(verdict.path, unit, PASSED_BY, verdict.method)
    return dataclasses.replace(verdict, unit=unit, inputs=inputs, timings=timings)


def _whole_runs(report: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """What is left to say of times where no part of the program was timed."""
    for variant, seconds in zip(VARIANTS, report.get("seconds", ()), strict=False):
        agrees = report.get("xla_agrees") if variant == "xla" else None
        if seconds:
            row = {"variant": variant, "milliseconds": 1000 * seconds}
            yield {**row, "per": "run", "agrees": agrees}
