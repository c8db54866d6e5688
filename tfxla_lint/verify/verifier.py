"""Verifies a rewritten module against its original: chooses what to run, and judges."""

from __future__ import annotations

import ast
import dataclasses
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfxla_lint.verify.blame import blamed, by_itself, unsaid
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
from tfxla_lint.verify.made import Made, compiled, made_in, users_of
from tfxla_lint.verify.marks import can_be_watched, has_same_parameters, marked
from tfxla_lint.verify.mixing import Unmixable, mixed
from tfxla_lint.verify.process import Death, Limits, Worker
from tfxla_lint.verify.shrink import shrunk
from tfxla_lint.verify.slices import is_reached, slice_for
from tfxla_lint.verify.speed import with_remarks
from tfxla_lint.verify.trees import FUNCTIONS, Tree, names_read
from tfxla_lint.verify.turns import Loop, Turn, loops_of, turns_between
from tfxla_lint.verify.verdicts import VARIANTS, Evidence, Outcome, Verdict, timings_of

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """How to verify.

    `command` is a program of the user's that runs the code (`--run`), in `folder`; `correcting`
    says that the original is known to be wrong, so that its eager run counts. `measure_xla` times
    a version compiled by XLA too, and with `advises_xla` it is said where that is faster; without
    `measure` nothing is timed.
    """

    limits: Limits = field(default_factory=Limits)
    command: tuple[str, ...] = ()
    folder: str = ""
    correcting: bool = False
    measure_xla: bool = False
    advises_xla: bool = True
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

    @property
    def is_part(self) -> bool:
        """Whether other files changed with it."""
        own = {str(self.path): ""}
        return {**self.overlays[0], **own} != {**self.overlays[1], **own}


@dataclass(frozen=True)
class Version:
    """What the original is run against: its tree, and the texts of other files."""

    tree: Tree
    overlay: Mapping[str, str]


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
        case = _Case(self._worker, self._options, self._progress, pair, old, new, changes)
        return [with_remarks(verdict, self._options.advises_xla) for verdict in case.verdicts()]


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
        self._whole = Version(new, pair.overlays[1])
        self._changes = changes
        self._found: dict[str, Verdict] = {}
        #: What calls gave with all changes made, before any was laid to one of them.
        self._called: dict[str, Verdict] = {}
        self._together: Verdict | None = None
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
        verdicts = [self._verdict(unit) for unit in self._changes.units]
        return [*verdicts, *self._of_all(verdicts)]

    def _of_all(self, verdicts: list[Verdict]) -> list[Verdict]:
        """A verdict on the module, where its changes differ and none of them is to blame alone."""
        together = self._together
        if together is None or self._pair.is_part:
            return []
        if any(verdict.outcome is Outcome.DIFFERS for verdict in verdicts):
            return []
        note = "the changes differ together; it could not be laid to one of them"
        return [dataclasses.replace(together, unit=MODULE, note=note)]

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
        verdict, report = self._run_version("program", self._whole)
        is_short = False
        if report.get("death") == "timeout" and verdict.outcome is Outcome.NOT_CHECKED:
            is_short = True
            verdict, report = self._shorter(verdict, report)
        self._lay("program", verdict, report, is_short)

    def _shorter(
        self, verdict: Verdict, report: Mapping[str, Any]
    ) -> tuple[Verdict, Mapping[str, Any]]:
        """Run a program that takes too long with fewer epochs and steps, if it names them."""
        if all(shrunk(tree.text) == tree.text for tree in (self._old, self._new)):
            return verdict, report
        verdict, report = self._run_version("program", self._whole, is_short=True)
        note = "run with fewer epochs and steps, since it takes too long"
        if verdict.outcome is not Outcome.NOT_CHECKED:
            note = f"{note}; {verdict.note}" if verdict.note else note
            verdict = dataclasses.replace(verdict, note=note)
        return verdict, report

    def _run_command(self) -> None:
        """Let the user's program run it, once with each version."""
        self._lay("run", *self._run_version("run", self._whole))

    def _lay(
        self, method: str, verdict: Verdict, report: Mapping[str, Any], is_short: bool = False
    ) -> None:
        """Lay what a whole run gave to the units that it ran."""
        hits = report.get("hits", {})
        is_open = verdict.outcome is Outcome.NOT_CHECKED
        units = [unit for unit in self._changes.units if unit in hits or is_open]
        found = dict.fromkeys(units, (verdict, report))
        if verdict.outcome is Outcome.DIFFERS and (self._pair.is_part or len(units) > 1):
            self._together = verdict

            def run(group: Sequence[str]) -> tuple[Verdict, Mapping[str, Any]]:
                return self._run_version(method, self._with_only(group), is_short)

            seconds = 4 * self._options.limits.seconds
            try:
                found = blamed(units, verdict, run, seconds, self._pair.is_part)
            except Unmixable as reason:
                found = dict.fromkeys(units, (unsaid(verdict, str(reason)), report))
        for unit, (its, of) in found.items():
            self._note(_of_unit(unit, its, of))

    def _with_only(self, units: Collection[str]) -> Version:
        """The original with the changes of some units, in the surroundings of the original."""
        if set(units) >= set(self._changes.units):
            return Version(self._new, self._pair.overlays[0])
        text = mixed(self._old, self._new, self._changes, units)
        return Version(Tree(text), self._pair.overlays[0])

    def _run_version(
        self, method: str, version: Version, is_short: bool = False
    ) -> tuple[Verdict, Mapping[str, Any]]:
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
            marked(self._old, watched, hit, lines, _loops(self._old, turns)),
            self._marked_rewritten(version.tree, watched, hit, made),
        ]
        if made and self._options.measure_xla:
            tree = Tree(compiled(version.tree, made))
            texts.append(self._marked_rewritten(tree, watched, hit, made))
        if is_short:
            texts = [shrunk(text) for text in texts]
        job = {
            "scenario": "script",
            "must_hit": True,
            "units": self._changes.units,
            "turns": [
                {"number": number, "unit": turn.unit, "depth": turn.depth}
                for number, turn in enumerate(turns)
            ],
            "made": users_of(made, version.tree, self._changes.units),
            "xla_source": texts[2] if len(texts) > 2 else "",
            **self._common(texts[:2], version),
        }
        if method == "run":
            argv = list(self._options.command)
            job.update(argv=argv, folder=self._options.folder, command=True)
        return self._outcome(MODULE, method, job)

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
        )

    def _marks_of_the_rewritten(self, hit: list[str]) -> tuple[list[str], tuple[int, ...]]:
        """Where the original may fail early, what the rewritten runs counts."""
        if not self._options.correcting:
            return [], ()
        return hit, (AT_THE_END,) if self._changes.block else ()

    def _run_examples(self) -> None:
        for unit in self._changes.functions:
            if self._examples(unit):
                verdict = self._call(unit, self._whole, by_example=True)
                self._note(self._laid_to(unit, verdict, unit))

    def _examples(self, unit: str) -> list[str]:
        """The calls of a function that comments declare."""
        declared = {**declared_examples(self._pair.original)}
        declared.update(declared_examples(self._pair.rewritten))
        return [
            example
            for name, texts in declared.items()
            if name == unit or _may_mean(name, unit, self._old)
            for example in texts
        ]

    def _run_calls(self, unit: str) -> None:
        """Call the function with arguments that a search finds."""
        self._note(self._laid_to(unit, self._call_once(unit), unit))

    def _call_once(self, unit: str) -> Verdict:
        """What calls with found arguments give, all changes made."""
        if unit not in self._called:
            self._called[unit] = self._call(unit, self._whole)
        return self._called[unit]

    def _call(self, unit: str, version: Version, by_example: bool = False) -> Verdict:
        """Call a function of the original and of a version."""
        method = "examples" if by_example else "arguments"
        try:
            job = self._calls_job(unit, self._examples(unit) if by_example else [], version)
        except NoHints as reason:
            return Verdict.unchecked(self._pair.shown, unit, str(reason), method)
        return self._outcome(unit, method, job)[0]

    def _laid_to(self, unit: str, verdict: Verdict, called: str) -> Verdict:
        """What calls of `called` say of a unit's change, where other changes may make them differ."""
        is_all = self._changes.units == (unit,) and not self._pair.is_part
        if verdict.outcome is not Outcome.DIFFERS or is_all:
            return verdict
        self._together = self._together or verdict
        try:
            version = self._with_only([unit])
        except Unmixable as reason:
            return unsaid(verdict, str(reason))
        return by_itself(self._call(called, version, verdict.method == "examples"), verdict)

    def _calls_job(self, unit: str, examples: list[str], version: Version) -> dict[str, Any]:
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
            **self._common([slice_for(tree, roots) for tree in (self._old, version.tree)], version),
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
            known = self._of_methods(unit, others)
            differing = [v for v in known if v.outcome is Outcome.DIFFERS]
            if known:
                self._found[unit] = dataclasses.replace((differing or known)[0], unit=unit)

    def _of_methods(self, unit: str, others: list[str]) -> list[Verdict]:
        """What the methods that can be called say, or the first of them where none was yet."""
        verdicts = (self._by_user(unit, n) for n in others if not self._is_open([n]))
        known = [v for v in verdicts if v.outcome is not Outcome.NOT_CHECKED]
        if known:
            return known
        verdicts = (self._by_user(unit, n) for n in others if n not in self._found)
        first = next((v for v in verdicts if v.outcome is not Outcome.NOT_CHECKED), None)
        return [first] if first is not None else []

    def _by_user(self, unit: str, user: str) -> Verdict:
        """The verdict on a unit by running code that uses it."""
        known = self._found.get(user)
        if known is not None and self._together is None:
            return known
        by_example = bool(self._examples(user))
        verdict = self._call(user, self._whole, True) if by_example else self._call_once(user)
        return self._laid_to(unit, verdict, user)

    def _block_by_its_users(self) -> None:
        """Changed constants and objects are judged by the functions that read them."""
        if not (self._changes.block and self._changes.is_plain and self._is_open([MODULE])):
            return
        names = set().union(
            *(s.binds for s in self._old.statements if s.node.lineno in self._changes.lines)
        )
        users = [n for n in affected_by(self._old, names) if n in self._new.functions]
        verdicts = [self._by_user(MODULE, user) for user in users]
        differing = [v for v in verdicts if v.outcome is Outcome.DIFFERS]
        if differing or (verdicts and all(v.outcome is Outcome.EQUIVALENT for v in verdicts)):
            self._found[MODULE] = dataclasses.replace((differing or verdicts)[0], unit=MODULE)

    # Jobs

    def _common(self, texts: list[str], version: Version) -> dict[str, Any]:
        """What every job holds."""
        path = str(self._pair.path)
        sides = []
        for label, text, overlay in zip(
            ("original", "rewritten"), texts, (self._pair.overlays[0], version.overlay), strict=True
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
                set(self._old.binding_counts - version.tree.binding_counts)
                | (self._old.attributes - version.tree.attributes)
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
                what = _PHASES.get(message["what"], message["what"])
                self._progress(f"{shown}: {unit}: {message['side']}: {what}")

        try:
            report: Mapping[str, Any] = self._worker.run(job, self._options.limits, on_event)
        except Death as death:
            skipped = job.get("skipped", [])
            if death.number is not None and len(skipped) < _SKIPPED:
                return self._outcome(unit, method, {**job, "skipped": [*skipped, death.number]})
            if interim:
                report = interim
            else:
                return _of_death(shown, unit, method, death, time.monotonic() - began), {
                    "hits": dict.fromkeys(self._changes.units, 1),
                    "death": death.kind,
                }
        seconds = time.monotonic() - began
        return Verdict.from_report(shown, unit, method, report, seconds), report


#: So many inputs that the original does not survive are left out, one after the other.
_SKIPPED = 3

_PHASES = {
    "script": "running the program",
    "script again": "running the program again",
    "inputs": "looking for arguments",
    "calls": "calling",
    "calls again": "calling again",
    "measure": "timing",
}
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


def _loops(tree: Tree, turns: list[Turn]) -> list[tuple[int, Loop]]:
    """The loops of a version whose turns are timed, each with its number."""
    found = []
    for number, turn in enumerate(turns):
        loop = loops_of(tree, turn.unit).get(turn.path)
        if loop is not None:
            found.append((number, loop))
    return found


def _of_unit(unit: str, verdict: Verdict, report: Mapping[str, Any]) -> Verdict:
    """A run's verdict for one of the units that it ran, with the times of that."""
    inputs = report.get("hits", {}).get(unit, verdict.inputs)
    rows = report.get("unit_times", {}).get(unit)
    timings = tuple(timings_of(rows if rows is not None else _whole_runs(report)))
    return dataclasses.replace(verdict, unit=unit, inputs=inputs, timings=timings)


def _whole_runs(report: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """What is left to say of times where no part of the program was timed."""
    for variant, seconds in zip(VARIANTS, report.get("seconds", ()), strict=False):
        agrees = report.get("xla_agrees") if variant == "xla" else None
        if seconds:
            row = {"variant": variant, "milliseconds": 1000 * seconds}
            yield {**row, "per": "run", "agrees": agrees}


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
