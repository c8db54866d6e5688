"""Verifies a rewritten module against its original: chooses what to run, and judges."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfxla_lint.verify.changes import AT_THE_END, MODULE, Changes, affected_by, changes_between
from tfxla_lint.verify.declared import declared_examples
from tfxla_lint.verify.hints import (
    NoHints,
    constants_in,
    instances_of,
    made_function,
    parameters_of,
    parameters_of_made,
    varied_attributes,
    varied_globals,
)
from tfxla_lint.verify.marks import can_be_watched, marked
from tfxla_lint.verify.process import Death, Limits, Worker
from tfxla_lint.verify.shrink import shrunk
from tfxla_lint.verify.slices import is_reached, slice_for
from tfxla_lint.verify.trees import Tree
from tfxla_lint.verify.verdicts import Evidence, Outcome, Timing, Verdict

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """How to verify.

    `command` is a program of the user's that runs the code (`--run`), in `folder`; `correcting`
    says that the original is known to be wrong, so that its eager run counts. `measure_xla` times
    a version compiled by XLA too; without `measure` nothing is
    timed.
    """

    limits: Limits = field(default_factory=Limits)
    command: tuple[str, ...] = ()
    folder: str = ""
    correcting: bool = False
    measure_xla: bool = False
    measure: bool = True
    search: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair:
    """Two versions of one file, and those of other files that changed with it, by path."""

    path: Path
    shown: str
    original: str
    rewritten: str
    overlays: tuple[Mapping[str, str], Mapping[str, str]] = field(default=({}, {}))


class Verifier:
    """Verifies pairs with one worker."""

    def __init__(
        self, worker: Worker, options: Options, progress: Progress = lambda text: None
    ) -> None:
        self._worker = worker
        self._options = options
        self._progress = progress

    def verify(self, pair: Pair) -> list[Verdict]:
        """A verdict for each function or block that was rewritten; none where no code differs."""
        try:
            old, new = Tree(pair.original), Tree(pair.rewritten)
        except (SyntaxError, ValueError, RecursionError) as error:
            return [Verdict.unchecked(pair.shown, MODULE, f"it does not parse: {error}")]
        changes = changes_between(old, new)
        if not changes.units:
            return []
        return _Case(
            self._worker, self._options, self._progress, pair, old, new, changes
        ).verdicts()


class _Case:
    """One pair with its changes."""

    def __init__(
        self,
        worker: Worker,
        options: Options,
        progress: Progress,
        pair: Pair,
        old: Tree,
        new: Tree,
        changes: Changes,
    ) -> None:
        self._worker = worker
        self._options = options
        self._progress = progress
        self._pair = pair
        self._old = old
        self._new = new
        self._changes = changes
        self._found: dict[str, Verdict] = {}
        self._model: SemanticModel | None = None

    def verdicts(self) -> list[Verdict]:
        """The verdicts, in the order of the units."""
        if self._options.command:
            self._run_command()
        self._run_examples()
        if self._is_open(self._changes.units):
            self._run_program()
        for unit in self._changes.functions:
            if self._is_open([unit]):
                self._run_calls(unit)
        self._makers_by_their_methods()
        self._block_by_its_users()
        return [self._verdict(unit) for unit in self._changes.units]

    def _verdict(self, unit: str) -> Verdict:
        found = self._found.get(unit)
        if found is None:
            reason = "no way was found to run it: declare an example, or name a program by --run"
            return Verdict.unchecked(self._pair.shown, unit, reason)
        return found

    def _is_open(self, units: Iterable[str]) -> bool:
        return any(
            unit not in self._found or self._found[unit].outcome is Outcome.NOT_CHECKED
            for unit in units
        )

    def _note(self, verdict: Verdict) -> None:
        """Keep a verdict; one that was reached stands against one that was not."""
        known = self._found.get(verdict.unit)
        if known is None or known.outcome is Outcome.NOT_CHECKED:
            if known is None or verdict.outcome is not Outcome.NOT_CHECKED:
                self._found[verdict.unit] = verdict
            else:
                reasons = dict.fromkeys([known.reason, verdict.reason])
                self._found[verdict.unit] = dataclasses.replace(known, reason="; ".join(reasons))
        elif verdict.outcome is Outcome.DIFFERS:
            self._found[verdict.unit] = verdict

    # The ways to run it

    def _run_program(self) -> None:
        """Let the module's own code run what was rewritten."""
        names = set(self._changes.functions)
        if not self._changes.block and not is_reached(self._old, names):
            return
        job = self._program_job()
        verdicts = self._outcome(MODULE, "program", job)
        if verdicts[1].get("death") == "timeout" and verdicts[0].outcome is Outcome.NOT_CHECKED:
            verdicts = self._shorter(job, verdicts)
        hits = verdicts[1].get("hits", {})
        for unit in self._changes.units:
            if unit in hits or verdicts[0].outcome is Outcome.NOT_CHECKED:
                self._note(_of_unit(unit, *verdicts))

    def _shorter(
        self, job: dict[str, Any], verdicts: tuple[Verdict, Mapping[str, Any]]
    ) -> tuple[Verdict, Mapping[str, Any]]:
        """Run a program that takes too long with fewer epochs and steps, if it names them."""
        texts = [shrunk(side["source"]) for side in job["sides"]]
        if texts == [side["source"] for side in job["sides"]]:
            return verdicts
        verdict, report = self._outcome(MODULE, "program", {**job, **self._common(texts)})
        note = "run with fewer epochs and steps, since it takes too long"
        if verdict.outcome is not Outcome.NOT_CHECKED:
            note = f"{note}; {verdict.note}" if verdict.note else note
            verdict = dataclasses.replace(verdict, note=note)
        return verdict, report

    def _run_command(self) -> None:
        """Let the user's program run it, once with each version."""
        job = {
            **self._program_job(),
            "argv": list(self._options.command),
            "folder": self._options.folder,
            "command": True,
        }
        verdict, report = self._outcome(MODULE, "run", job)
        hits = report.get("hits", {})
        for unit in self._changes.units:
            if unit in hits or verdict.outcome is Outcome.NOT_CHECKED:
                self._note(_of_unit(unit, verdict, report))

    def _program_job(self) -> dict[str, Any]:
        functions = self._changes.functions
        both = (self._old, self._new)
        watched = [n for n in functions if all(can_be_watched(tree, n) for tree in both)]
        hit = [name for name in functions if name not in watched]
        lines = self._changes.lines[:1] if self._changes.block else ()
        texts = [
            marked(self._old, watched, hit, lines),
            marked(self._new, watched, *self._marks_of_the_rewritten(hit)),
        ]
        return {"scenario": "script", "must_hit": True, **self._common(texts)}

    def _marks_of_the_rewritten(self, hit: list[str]) -> tuple[list[str], tuple[int, ...]]:
        """Where the original may fail early, what the rewritten runs counts."""
        if not self._options.correcting:
            return [], ()
        return hit, (AT_THE_END,) if self._changes.block else ()

    def _run_examples(self) -> None:
        declared = {**declared_examples(self._pair.original)}
        declared.update(declared_examples(self._pair.rewritten))
        for unit in self._changes.functions:
            examples = [
                example
                for name, texts in declared.items()
                if name == unit or _may_mean(name, unit, self._old)
                for example in texts
            ]
            if examples:
                job = self._calls_job(unit, examples)
                self._note(self._outcome(unit, "examples", job)[0])

    def _run_calls(self, unit: str) -> None:
        """Call the function with arguments that a search finds."""
        try:
            job = self._calls_job(unit, [])
        except NoHints as reason:
            self._note(Verdict.unchecked(self._pair.shown, unit, str(reason), "arguments"))
            return
        self._note(self._outcome(unit, "arguments", job)[0])

    def _calls_job(self, unit: str, examples: list[str]) -> dict[str, Any]:
        roots = {unit.partition(".")[0]}
        extra: dict[str, Any] = {}
        if examples:
            extra = {"declared": examples}
            roots |= _names_in(examples)
        else:
            instances = instances_of(self._old, unit) if "." in unit else []
            extra = {"instances": instances, "parameters": self._parameters(unit)}
            extra["makes_function"] = made_function(self._old.functions[unit]) is not None
            roots |= _names_in(instances)
        return {
            "scenario": "calls",
            "unit": unit,
            "name": f"snippet_{self._pair.path.stem}",
            "dims": constants_in(self._old),
            "sparse": "sparse" in self._pair.original.lower(),
            "vary_globals": varied_globals(self._old, unit),
            "vary_attributes": varied_attributes(self._old, unit),
            "measure_xla": self._options.measure_xla,
            **extra,
            **self._common([slice_for(tree, roots) for tree in (self._old, self._new)]),
        }

    def _parameters(self, unit: str) -> list[dict[str, Any]]:
        if self._model is None:
            self._model = _model_of(self._pair)
        parameters = parameters_of(self._old, unit, self._model)
        inner = made_function(self._old.functions[unit])
        if inner is not None:
            known = {parameter["name"] for parameter in parameters}
            made = parameters_of_made(inner)
            if known & {parameter["name"] for parameter in made}:
                raise NoHints("it makes a function whose parameters have the names of its own")
            parameters += made
        return parameters

    def _makers_by_their_methods(self) -> None:
        """A changed `__init__` is run by each call of a method, and the object is compared."""
        for unit in self._changes.functions:
            cls, _, method = unit.rpartition(".")
            if method != "__init__" or not self._is_open([unit]):
                continue
            others = [n for n in self._old.functions if n.startswith(f"{cls}.") and n != unit]
            others = [n for n in others if n in self._new.functions]
            for other in others:
                if all(self._is_open([n]) for n in others) and other not in self._found:
                    self._run_calls(other)
            known = [self._found[n] for n in others if not self._is_open([n])]
            differing = [v for v in known if v.outcome is Outcome.DIFFERS]
            if known:
                self._found[unit] = dataclasses.replace((differing or known)[0], unit=unit)

    def _block_by_its_users(self) -> None:
        """Changed constants and objects are judged by the functions that read them."""
        if not (self._changes.block and self._changes.is_plain and self._is_open([MODULE])):
            return
        names = set().union(
            *(s.binds for s in self._old.statements if s.node.lineno in self._changes.lines)
        )
        users = [n for n in affected_by(self._old, names) if n in self._new.functions]
        for unit in users:
            if unit not in self._found:
                self._run_calls(unit)
        verdicts = [self._found[unit] for unit in users if unit in self._found]
        differing = [v for v in verdicts if v.outcome is Outcome.DIFFERS]
        if differing or (verdicts and all(v.outcome is Outcome.EQUIVALENT for v in verdicts)):
            self._found[MODULE] = dataclasses.replace((differing or verdicts)[0], unit=MODULE)

    # Jobs

    def _common(self, texts: list[str]) -> dict[str, Any]:
        """What every job holds."""
        path = str(self._pair.path)
        sides = []
        for label, text, overlay in zip(
            ("original", "rewritten"), texts, self._pair.overlays, strict=True
        ):
            sides.append({"label": label, "source": text, "overlay": {**overlay, path: text}})
        package, root = package_of(self._pair.path)
        search = [root, os.path.dirname(path), *self._options.search]
        return {
            "path": path,
            "search": list(dict.fromkeys(search)),
            "package": package,
            "sides": sides,
            "gone": sorted(
                set(self._old.binding_counts - self._new.binding_counts)
                | (self._old.attributes - self._new.attributes)
            ),
            "correcting": self._options.correcting,
            "untimed": not self._options.measure,
            "xla": "jit_compile" in self._pair.rewritten,
        }

    def _outcome(
        self, unit: str, method: str, job: Mapping[str, Any]
    ) -> tuple[Verdict, Mapping[str, Any]]:
        """Run a job; the worker's end is a verdict too."""
        shown = self._pair.shown
        self._progress(f"{shown}: {unit}: {_DOING[method]}")
        began = time.monotonic()
        interim: dict[str, Any] = {}

        def on_event(message: Mapping[str, Any]) -> None:
            if message["event"] == "interim":
                interim.update(message)
            elif message["event"] == "phase":
                self._progress(f"{shown}: {unit}: {message['side']}: {message['what']}")

        try:
            report: Mapping[str, Any] = self._worker.run(job, self._options.limits, on_event)
        except Death as death:
            if interim:
                report = interim
            else:
                return _of_death(shown, unit, method, death, time.monotonic() - began), {
                    "hits": dict.fromkeys(self._changes.units, 1),
                    "death": death.kind,
                }
        seconds = time.monotonic() - began
        return Verdict.from_report(shown, unit, method, report, seconds), report


_DOING = {
    "program": "running the program",
    "examples": "calling the declared examples",
    "arguments": "looking for arguments",
    "run": "running the command",
}


def package_of(path: Path) -> tuple[str, str]:
    """The package that a file belongs to ("" if none), and the folder that the package lies in."""
    folder = path.parent
    names: list[str] = []
    while (folder / "__init__.py").exists() and folder.name.isidentifier():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names), str(folder)


def _of_unit(unit: str, verdict: Verdict, report: Mapping[str, Any]) -> Verdict:
    """A run's verdict for one of the units that it ran, with the times of that."""
    inputs = report.get("hits", {}).get(unit, verdict.inputs)
    times = report.get("unit_times", {}).get(unit)
    if times is not None:
        timings = tuple(
            Timing(variant, ms)
            for variant, ms in zip(("original", "rewritten"), times, strict=True)
        )
    else:
        seconds = report.get("seconds", (0.0, 0.0))
        timings = tuple(
            Timing(f"{variant}, whole run", 1000 * s)
            for variant, s in zip(("original", "rewritten"), seconds, strict=True)
            if s
        )
    return dataclasses.replace(verdict, unit=unit, inputs=inputs, timings=timings)


def _of_death(path: str, unit: str, method: str, death: Death, seconds: float) -> Verdict:
    """The verdict where the worker ended: the rewritten code's doing is a difference."""
    if death.side == "rewritten":
        kind = "timeout" if death.kind == "timeout" else "exception"
        evidence = Evidence(kind, "", "it ends", death.reason)
        return Verdict(
            path, unit, Outcome.DIFFERS, method=method, evidence=(evidence,), seconds=seconds
        )
    who = "the original" if death.side == "original" else "the worker"
    reason = f"{who} did not end well: {death.reason}"
    return dataclasses.replace(Verdict.unchecked(path, unit, reason, method), seconds=seconds)


def _may_mean(name: str, unit: str, tree: Tree) -> bool:
    """Whether an example's `agent.step` calls the method `Agent.step`."""
    owner, _, method = name.rpartition(".")
    return bool(owner) and "." in unit and unit.endswith(f".{method}") and owner not in tree.classes


def _names_in(texts: Iterable[str]) -> set[str]:
    import ast

    from tfxla_lint.verify.trees import names_read

    return set().union(*(names_read(ast.parse(text, mode="eval")) for text in texts))


def _model_of(pair: Pair) -> SemanticModel | None:
    """The semantic model of the original; None where it fails."""
    import libcst

    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.source import Source

    try:
        source = Source(str(pair.path), pair.original)
        return SemanticModel.build(libcst.parse_module(pair.original), source)
    except Exception:
        return None
