"""Verifies a rewritten module against its original: chooses what to run, and judges."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Sequence

from tfxla_lint.sandbox.jobs import Worker
from tfxla_lint.verify.blame import blamed, by_itself, shared, unsaid
from tfxla_lint.verify.calls import Calls
from tfxla_lint.verify.changes import (
    MODULE,
    Changes,
    affected_by,
    callers_of,
    changes_between,
)
from tfxla_lint.verify.jobs import Jobs, Report
from tfxla_lint.verify.mixing import Unmixable, mixed
from tfxla_lint.verify.pairs import Options, Pair, Progress, Version
from tfxla_lint.verify.programs import Programs, of_unit
from tfxla_lint.verify.project import Program, programs_for
from tfxla_lint.verify.slices import is_reached
from tfxla_lint.verify.speed import with_remarks
from tfxla_lint.verify.switches import Switches
from tfxla_lint.verify.trees import UNPARSED, Tree
from tfxla_lint.verify.verdicts import Outcome, Verdict, added_up
from tfxla_lint.verify.weighing import Weighing

#: Explains a difference, given all pairs that changed together.
Among = Callable[[Sequence[Pair]], list[Verdict]]


def differs(verdicts: Iterable[Verdict]) -> bool:
    """Whether one of the verdicts is that something differs."""
    return any(verdict.outcome is Outcome.DIFFERS for verdict in verdicts)


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
        return self.verify_all([pair])

    def verify_all(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """The verdicts on files that changed together.

        Where a run differs and no change in its own file is to blame, those of the other files may
        be: one of them alone, or several together. Only a difference that none of the verdicts
        would show otherwise is looked into.
        """
        found = [self.alone(pair, pairs) for pair in pairs]
        verdicts = [verdict for own, _ in found for verdict in own]
        if not differs(verdicts):
            verdicts += [v for _, among in found if among is not None for v in among(pairs)]
        return verdicts

    def alone(self, pair: Pair, pairs: Sequence[Pair] = ()) -> tuple[list[Verdict], Among | None]:
        """The verdicts on one pair, and where a difference is not explained by them what explains it
        given all that changed together.

        Programs among the `pairs` that changed with it and import it run it, too.
        """
        try:
            case = self._case(pair, pairs)
        except UNPARSED as error:
            reason = f"it does not parse: {error or 'it is nested too deeply'}"
            return self._remarked([Verdict.unchecked(pair.shown, MODULE, reason)]), None
        if case is None:
            return [], None
        verdicts = self._remarked(case.verdicts())
        if case.unexplained is None:
            return verdicts, None
        return verdicts, lambda pairs: self._remarked(case.of_all(pairs))

    def _remarked(self, verdicts: Iterable[Verdict]) -> list[Verdict]:
        return [with_remarks(verdict, self._options.advises_xla) for verdict in verdicts]

    def _case(self, pair: Pair, pairs: Sequence[Pair]) -> _Case | None:
        """The pair with its changes; None where no code differs."""
        old, new = Tree(pair.original), Tree(pair.rewritten)
        changes = changes_between(old, new)
        if not changes.units:
            return None
        jobs = Jobs(self._worker, self._options, self._progress, pair, old, changes)
        return _Case(jobs, old, new, changes, pair.others(pairs))


class _Case:
    """One pair with its changes."""

    def __init__(
        self, jobs: Jobs, old: Tree, new: Tree, changes: Changes, others: Sequence[Pair]
    ) -> None:
        self._pair = jobs.pair
        self._jobs = jobs
        self._others = others
        self._options = jobs.options
        self._weighing = Weighing(old, new, changes, jobs.options)
        self._programs = Programs(jobs, old, new, changes, self._weighing)
        self._calls = Calls(jobs, old, self._weighing)
        self._old = old
        self._new = new
        self._whole = Version(new, jobs.pair.overlays[1])
        self._changes = changes
        self._found: dict[str, Verdict] = {}
        #: How often programs called functions, but for calls in traces.
        self._runs: dict[str, int] = {}
        #: What calls gave with all changes made, before any was laid to one of them.
        self._called: dict[str, Verdict] = {}
        #: A run with all changes made that differs, and what runs it with another version.
        self._together: Verdict | None = None
        self._again: Callable[[Version], Verdict] | None = None

    def verdicts(self) -> list[Verdict]:
        """The verdicts, in the order of the units."""
        if self._options.command:
            self._run_command()
        self._run_examples()
        if self._is_open(self._changes.units):
            self._run_program()
        if self._is_open(self._changes.units):
            for program in programs_for(self._pair, self._others):
                self._run_by(program)
        for unit in self._changes.functions:
            is_open = self._is_open([unit]) and not self._is_repeated(unit)
            if is_open or self._is_only_traced(unit):
                self._run_calls(unit)
        self._makers_by_their_methods()
        self._block_by_its_users()
        return [self._verdict(unit) for unit in self._changes.units]

    @property
    def unexplained(self) -> Verdict | None:
        """What differs with all changes made, where none of this file's is to blame alone."""
        differs = any(self._verdict(u).outcome is Outcome.DIFFERS for u in self._changes.units)
        return None if differs else self._together

    def of_all(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Verdicts on what is left unexplained, given all the files that changed together.

        The run is repeated with each of the other files' changes alone; where none of them differs in
        the same places, it is the changes together that do. What is quoted are the two real versions.
        """
        together = self.unexplained
        assert together is not None
        assert self._again is not None
        found = []
        for other in self._pair.others(pairs):
            path = str(other.path)
            overlay = {**self._pair.overlays[0], path: self._pair.overlays[1][path]}
            verdict = self._again(Version(self._old, overlay))
            both = shared(verdict, together) if verdict.outcome is Outcome.DIFFERS else ()
            if both:
                note = f"seen where {self._pair.shown} runs it"
                own = dataclasses.replace(together, path=other.shown, unit=MODULE, note=note)
                found.append(dataclasses.replace(own, evidence=both))
        if found:
            return found
        whose = " of several files" if self._pair.is_part else ""
        note = f"the changes{whose} differ together; it could not be laid to one of them"
        return [dataclasses.replace(together, unit=MODULE, note=note)]

    def _verdict(self, unit: str) -> Verdict:
        found = self._found.get(unit)
        if found is None:
            reason = "no way was found to run it: declare an example, or name a program by --run"
            return Verdict.unchecked(self._pair.shown, unit, reason)
        return self._weighing.weighed(found)

    def _is_open(self, units: Iterable[str]) -> bool:
        """Whether some are not checked yet, or not enough to be called equivalent."""
        return any(self._verdict(unit).outcome is Outcome.NOT_CHECKED for unit in units)

    def _is_only_traced(self, unit: str) -> bool:
        """Whether a program let a library trace a function, which no code of the file calls.

        Nothing was seen of what it gives then but what came of it in the end, and it was not called again.
        """
        is_known = self._found.get(unit) is not None and self._weighing.passed.get(unit)
        is_traced = is_known and not self._runs.get(unit, 1)
        return bool(is_traced) and not callers_of(self._old, unit)

    def _is_repeated(self, unit: str) -> bool:
        """Whether calls of a function would do no more than a run of the program has done."""
        known = self._found.get(unit)
        args = self._old.functions[unit].args
        is_bare = not any((args.posonlyargs, args.args, args.vararg, args.kwonlyargs, args.kwarg))
        return is_bare and known is not None and known.outcome is Outcome.EQUIVALENT

    def _note(self, verdict: Verdict) -> None:
        """Keep a verdict; one that was reached stands against one that was not."""
        known = self._found.get(verdict.unit)
        if known is None or known.outcome is Outcome.NOT_CHECKED:
            if known is not None and known.refuses and verdict.outcome is Outcome.EQUIVALENT:
                return
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
        verdict, report = self._programs.run("program", self._whole)
        is_short = False
        if report.get("death") == "timeout" and verdict.outcome is Outcome.NOT_CHECKED:
            is_short = True
            verdict, report = self._programs.run_shorter(self._whole, verdict, report)
        self._lay("program", self._programs, verdict, report, is_short)
        if not is_short and "death" not in report and verdict.outcome is not Outcome.DIFFERS:
            self._run_switched()

    def _run_switched(self) -> None:
        """Run the program with other options, where without any it shows too little.

        What several of them together do not show, or the original does not take, one alone may.
        """
        switches = self._weighing.switches
        for names, words in switches.bounding(self._weighing.unreached):
            self._is_run(names, words)
        ways = list(switches.ways())
        were_run = [self._is_run(*way) for way in ways]
        known = [words for (_, words), is_run in zip(ways, were_run, strict=True) if is_run]
        for names, words in switches.alone():
            if words not in known:
                self._is_run(names, words)

    def _is_run(self, names: Collection[str], words: tuple[str, ...]) -> bool:
        """Whether the program runs with these options, or need not be run with them."""
        if not self._weighing.is_passed_by:
            return True
        programs = self._programs.started_with(words)
        verdict, report = programs.run("program", self._whole)
        if verdict.outcome is Outcome.NOT_CHECKED:
            return False
        self._weighing.note_switched(names)
        note = f"started with {' '.join(words)}"
        if verdict.outcome is Outcome.DIFFERS:
            verdict = dataclasses.replace(verdict, note=note)
        self._lay("program", programs, verdict, report)
        for unit, found in self._found.items():
            if found.outcome is Outcome.EQUIVALENT and found.method == "program":
                more = f"{found.note}; also {note}" if found.note else f"also {note}"
                self._found[unit] = dataclasses.replace(found, note=more)
        return True

    def _run_by(self, program: Program) -> None:
        """Let another program of the project run it, and with other options if that shows too little."""
        switches = Switches(program.tree, program.tree)
        ways = [((), ()), *((names, words) for names, words in switches.ways())]
        for names, words in ways:
            if not self._is_open(self._changes.units) or (
                names and not self._weighing.is_passed_by
            ):
                return
            jobs = self._jobs.by((str(program.path), *words))
            programs = Programs(jobs, self._old, self._new, self._changes, self._weighing)
            verdict, report = programs.run("run", self._whole)
            if verdict.outcome is Outcome.NOT_CHECKED:
                return
            shown = " ".join([program.shown, *words])
            if verdict.outcome is Outcome.EQUIVALENT:
                note = f"as {shown} runs it"
                verdict = dataclasses.replace(
                    verdict, note=f"{verdict.note}; {note}" if verdict.note else note
                )
            self._lay("run", programs, verdict, report)

    def _run_command(self) -> None:
        """Let the user's program run it, once with each version."""
        self._lay("run", self._programs, *self._programs.run("run", self._whole))

    def _lay(
        self,
        method: str,
        programs: Programs,
        verdict: Verdict,
        report: Report,
        is_short: bool = False,
    ) -> None:
        """Lay what a whole run gave to the units that it ran."""
        hits = report.get("hits", {})
        is_open = verdict.outcome is Outcome.NOT_CHECKED
        units = [unit for unit in self._changes.units if unit in hits or is_open]
        for unit, times in hits.items():
            self._runs[unit] = self._runs.get(unit, 0) + times
        found = dict.fromkeys(units, (verdict, report))
        if verdict.outcome is Outcome.DIFFERS and (self._pair.is_part or len(units) > 1):
            self._keep(verdict, lambda v: programs.run(method, v, is_short)[0])

            def run(group: Sequence[str]) -> tuple[Verdict, Report]:
                return programs.run(method, self._with_only(group), is_short)

            seconds = 4 * self._options.limits.seconds
            try:
                found = blamed(units, verdict, run, seconds, self._pair.is_part)
            except Unmixable as reason:
                found = dict.fromkeys(units, (unsaid(verdict, str(reason)), report))
        for unit, (its, of) in found.items():
            self._note(of_unit(unit, its, of))

    def _with_only(self, units: Collection[str]) -> Version:
        """The original with the changes of some units, in the surroundings of the original."""
        if set(units) >= set(self._changes.units):
            return Version(self._new, self._pair.overlays[0])
        text = mixed(self._old, self._new, self._changes, units)
        return Version(Tree(text), self._pair.overlays[0])

    def _run_examples(self) -> None:
        for unit in self._changes.functions:
            if self._calls.examples(unit):
                self._run_declared(unit)

    def _run_declared(self, unit: str) -> None:
        """Call the function as the user's examples do."""
        verdict = self._calls.call(unit, self._whole, by_example=True)
        self._note(self._laid_to(unit, verdict, unit))

    def _run_calls(self, unit: str) -> None:
        """Call the function as the project does, and with arguments that a search finds."""
        self._note(self._laid_to(unit, self._call_once(unit), unit))

    def _call_once(self, unit: str) -> Verdict:
        """What the project's own calls and others that are found give, all changes made."""
        if unit not in self._called:
            self._called[unit] = self._call_anew(unit)
        return self._called[unit]

    def _call_anew(self, unit: str) -> Verdict:
        shown = None
        if self._calls.recipes(unit):
            shown = self._calls.call(unit, self._whole, by_example=True)
            if shown.outcome is Outcome.DIFFERS:
                return shown
        can_be = self._calls.can_be_called(unit, self._whole)
        found = self._call(unit, self._whole) if can_be else self._by_callers(unit)
        if shown is None or found.outcome is Outcome.DIFFERS or found.refuses:
            return found
        if can_be and unit in self._calls.unrepeatable and found.outcome is Outcome.EQUIVALENT:
            # What merely runs need not be what is meant.
            return shown
        return added_up(shown, found)

    def _call(self, unit: str, version: Version, by_example: bool = False) -> Verdict:
        """What calls of the original and a version give; a program may have shown what is used of it."""
        known = self._found.get(unit)
        is_used = known is not None and known.method in ("program", "run")
        return self._calls.call(unit, version, by_example, is_used and not by_example)

    def _by_callers(self, unit: str) -> Verdict:
        """What calls give of functions that call one whose parameters changed with them."""
        for user in callers_of(self._old, unit):
            if self._calls.can_be_called(user, self._whole):
                verdict = self._call_once(user)
                if verdict.outcome is not Outcome.NOT_CHECKED:
                    return dataclasses.replace(verdict, unit=unit)
        reason = "its parameters changed, and no function that calls it could be called"
        return Verdict.unchecked(self._pair.shown, unit, reason, "arguments")

    def _laid_to(self, unit: str, verdict: Verdict, called: str) -> Verdict:
        """What calls of `called` say of a unit's change, where other changes may make them differ."""
        is_all = self._changes.units == (unit,) and not self._pair.is_part
        if verdict.outcome is not Outcome.DIFFERS or is_all:
            return verdict
        by_example = verdict.method == "examples"
        self._keep(verdict, lambda v: self._call(called, v, by_example))
        try:
            version = self._with_only([unit])
        except Unmixable as reason:
            return unsaid(verdict, str(reason))
        return by_itself(self._call(called, version, by_example), verdict)

    def _keep(self, together: Verdict, again: Callable[[Version], Verdict]) -> None:
        """Keep the first run that differs with all changes made."""
        if self._together is None:
            self._together, self._again = together, again

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
        by_example = bool(self._calls.examples(user))
        verdict = self._calls.call(user, self._whole, True) if by_example else self._call_once(user)
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
