"""Whether what the runs of two versions showed is enough to call a change equivalent."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any

from tfxla_lint.verify.bounds import hides_less, is_bounded
from tfxla_lint.verify.changes import Changes
from tfxla_lint.verify.constants import compared_in, leaves_ties_open
from tfxla_lint.verify.jobs import Report
from tfxla_lint.verify.lost import Lost
from tfxla_lint.verify.marks import noted_lines
from tfxla_lint.verify.mutants import Mutant, mutants_of, without_bounds_of
from tfxla_lint.verify.outside import Outside, dropped, is_traced_more, outside_of
from tfxla_lint.verify.pairs import Options, Version
from tfxla_lint.verify.ran import Changed
from tfxla_lint.verify.switches import Switches
from tfxla_lint.verify.trees import Tree, attributes_in, first_line
from tfxla_lint.verify.verdicts import Lines, Outcome, Power, Verdict

_SEEN, _MISSED, _SAME, _NOTHING, _FAILS = "seen", "missed", "same", "nothing", "fails"
#: What is no answer to whether other values would be seen.
_UNTOLD = (_NOTHING, _FAILS)
_OPEN = Outcome.NOT_CHECKED.value
#: This share of the time limit may go into wrong versions.
_SHARE = 0.25
_SHOWN = 3
#: This share of the wrong versions has to be seen.
_ENOUGH = 0.9
#: So many of the wrong versions of one line must be seen: there may be few, and of them one that does
#: nothing, such as another number where none is asked for.
_OF_LINE = 0.5


class Weighing:
    """What runs showed of the changes of one pair; all routes add up."""

    def __init__(self, old: Tree, new: Tree, changes: Changes, options: Options) -> None:
        self.changed = Changed(old, new, changes)
        self._old = old
        self._new = new
        self._options = options
        self._ran = Lines()
        self._fates: dict[int, str] = {}
        #: Those that failed by themselves, or did not end, in a run that the rewritten version survived.
        self._failing: set[int] = set()
        self._left_out: dict[str, set[str]] = {}
        #: By unit the places where nothing else could be put.
        self._unvaried: dict[str, set[str]] = {}
        #: By unit the places outside that the program itself changed between two runs of it, by name.
        self._changed: dict[str, dict[str, str]] = {}
        self._outside: dict[str, Outside] = {}
        #: By unit the names at which something else was put.
        self._varied: dict[str, set[str]] = {}
        #: By unit and parameter what a program passes, as the worker describes it.
        self.passed: dict[str, dict[str, Any]] = {}
        #: The functions that a program called, and never with a gradient tape open.
        self.untaped: set[str] = set()
        #: By unit the parameters that calls of it gave several values for.
        self._given: dict[str, set[str]] = {}
        self._lost = Lost(old, new)
        self.switches = Switches(old, new)
        #: The options of the program that were other than they are without arguments in a run.
        self._switched: set[str] = set()

    def is_of(self, version: Version) -> bool:
        """Whether a version has all changes made."""
        return version.tree is self._new

    def outside(self, unit: str) -> Outside:
        """What a unit of the original reads that other code may change."""
        if unit not in self._outside:
            found, lost = outside_of(self._old, unit), self._lost.of(unit)
            names = {name for name in lost if name in self._old.bound}
            settable = {*found.settable, *dropped(self._old, self._new, unit)}
            self._outside[unit] = dataclasses.replace(
                found,
                names=tuple(sorted({*found.names, *names})),
                attributes=tuple(sorted({*found.attributes, *lost} - names)),
                words=(*sorted(self._lost.keys), *found.words),
                settable=tuple(sorted(settable - {*found.attributes, *lost})),
            )
        return self._outside[unit]

    def lost_parameters(self, unit: str) -> list[str]:
        """The parameters of a function that the rewritten version takes and does not read."""
        return self._lost.parameters(unit)

    # What jobs hold

    def job(self, make: Callable[[str], str], elsewhere: Collection[str] = ()) -> dict[str, Any]:
        """The part of a job on wrong versions, whose texts `make` prepares.

        Those of units that are tried `elsewhere` are left out.
        """
        if not self._options.power:
            return {}
        own = [m for m in self._mutants if m.unit not in elsewhere]
        pending = [m for m in own if self._fates.get(m.number) != _SEEN]
        # Those that other runs did not see may be seen in this one.
        pending.sort(key=lambda m: self._fates.get(m.number) not in (_MISSED, _SAME))
        rows = [
            {
                "number": m.number,
                "line": m.line,
                "unit": m.unit,
                "within": self._within(m),
                "is_changed": self._is_new(m),
                "place": self._place(m),
                "is_bound": m.is_bound,
                "side": m.side,
                "text": make(m.text),
            }
            for m in pending
        ]
        most = _SHARE * self._options.limits.seconds
        return {"mutants": rows, "power_seconds": most}

    @cached_property
    def _mutants(self) -> list[Mutant]:
        others = mutants_of(self._new, self.changed)
        return [
            *without_bounds_of(self._old, self._new, self.changed, len(others)),
            *others,
        ]

    @cached_property
    def ties(self) -> dict[str, Any]:
        """What a job has to know of equal values: what code compares with, and whose order is open."""
        compared = dict.fromkeys([*compared_in(self._old), *compared_in(self._new)])
        own = [s for unit in self.changed.units for s in self.changed.both(unit)[0]]
        return {"compared": list(compared), "open_ties": leaves_ties_open(own)}

    @cached_property
    def is_bounded(self) -> bool:
        """Whether one version has an operation that shows only with values far out."""
        return is_bounded((self._old, self._new))

    @cached_property
    def hides_less(self) -> bool:
        """Whether the original hides values by a choice that the rewritten version does not make."""
        return hides_less((self._old, self._new))

    def _place(self, mutant: Mutant) -> int | None:
        """The line that a run has to come to; None where it is not told."""
        is_noted = mutant.side and mutant.line in self._noted
        return mutant.line if is_noted and not mutant.is_default else None

    def _within(self, mutant: Mutant) -> str:
        """The function that a wrong statement stands in; "" where it stands in none."""
        tree = self._new if mutant.side else self._old
        for name in self.changed.watched[mutant.side]:
            function = tree.functions.get(name)
            if function is not None and function.lineno <= mutant.line <= (
                function.end_lineno or 0
            ):
                return name
        return ""

    @cached_property
    def _noted(self) -> set[int]:
        return set(noted_lines(self._new, self.changed.watched[1]))

    @property
    def is_passed_by(self) -> bool:
        """Whether changed lines were not run, or an option is lost, or off, that had one value only.

        What objects or functions are given and only the original reads may come of any option.
        """
        units = self.changed.units
        missing = (self.changed.missing(unit, self._ran) for unit in units)
        own: list[ast.AST] = [s for unit in units for s in self.changed.both(unit)[0]]
        own += [f for n, f in self._old.functions.items() if n in units]
        own += [self._old.module] if any(map(self._lost_by, units)) else []
        off = set().union(*map(self.switches.off, own)) - self._switched
        open_ones = (self.switches.more | self.unreached) - self._switched
        return any(missing) or bool(off or self._unswitched or open_ones)

    @property
    def unreached(self) -> set[str]:
        """What is read beside operations with a bound that no value was seen to reach."""
        own = [
            m for m in self._mutants if m.is_bound and self._fates.get(m.number) in (_MISSED, _SAME)
        ]
        lines = {(m.unit, m.side, m.line) for m in own if m.number not in self._failing}
        both = {unit: self.changed.both(unit) for unit, _, _ in lines}
        found: set[str] = set()
        for unit, side, line in lines:
            for statement in both[unit][side]:
                if first_line(statement) == line:
                    found |= attributes_in(statement)
        return found

    def _lost_by(self, unit: str) -> list[str]:
        return [*self._lost.of(unit), *self._lost.parameters(unit)]

    @property
    def _unswitched(self) -> list[str]:
        return sorted(self.switches.lost - self._switched)

    def note_switched(self, names: Collection[str]) -> None:
        """Note that a run was compared with other values of options of the program."""
        self._switched.update(names)

    # What reports say

    def add(self, report: Report, beside: str = "") -> None:
        """Take in what a run of both whole versions showed.

        Where a program, or calls of the project, showed enough of the unit `beside`, what other calls do not see
        of wrong versions that were not tried in these says nothing: they may come to less.
        """
        power = self._power(beside) if beside else None
        is_beside = power is not None and power.seen >= _ENOUGH * power.tried
        self.untaped.update(report.get("untaped", ()))
        for unit, kinds in report.get("passed", {}).items():
            self.passed.setdefault(unit, {}).update(kinds)
        if report.get("verdict", _OPEN) == _OPEN:
            return
        if "ran" in report:
            self._ran += Lines.made(*report["ran"])
        for number, fate in report.get("power", {}).items():
            if fate in (_NOTHING, _FAILS):
                self._failing.add(int(number))
            if is_beside and fate in (_MISSED, _SAME) and int(number) not in self._fates:
                continue
            known = self._fates.get(int(number), _NOTHING)
            # What fails in one run by itself is noticed there, whatever another one does not see.
            if known in _UNTOLD or (fate in (_SEEN, _FAILS) and known != _SEEN):
                self._fates[int(number)] = fate
        for unit, names in report.get("left_out", {}).items():
            self._left_out.setdefault(unit, set()).update(names)
        for unit, names in report.get("given", {}).items():
            self._given.setdefault(unit, set()).update(names)
        for unit, looked in report.get("outside", {}).items():
            failed = set(looked["unvaried"])
            self._unvaried[unit] = failed & self._unvaried.get(unit, failed)
            self._varied.setdefault(unit, set()).update(looked["varied"])
        for unit, places in report.get("changed", {}).items():
            self._changed.setdefault(unit, {}).update(places)

    def lack(self, unit: str) -> str:
        """Why a change that made no difference is not checked yet; "" where all was seen."""
        ran = self._ran
        if self._options.correcting:
            # The original may fail before it comes there.
            ran = Lines(tuple(self.changed.lines[unit][0]), ran.rewritten)
        missing = self.changed.missing(unit, ran)
        if missing:
            return missing
        unused = set(self.changed.defaults[unit]) - self._left_out.get(unit, set())
        if unused:
            names = ", ".join(sorted(unused))
            return f"the default of {names} changed, and no call was compared that leaves it out"
        read = set().union(*map(attributes_in, self.changed.both(unit)[0]))
        option = next((name for name in self._unswitched if name in read), "")
        if option:
            return (
                f"nothing reads the option {option} any more, and no run gave another value for it"
            )
        silent = self._lost.called(unit)
        if silent:
            return f"nothing calls what {silent[0]} holds any more"
        seen = {*self._varied.get(unit, ()), *self._changed.get(unit, {}).values()}
        lost = [name for name in self._lost.of(unit) if name not in seen]
        given = self._given.get(unit, ())
        lost += [name for name in self._lost.parameters(unit) if name not in given]
        if lost:
            return f"nothing reads {lost[0]} any more, and no call had another value of it"
        kept = self._may_be_kept(unit)
        if kept:
            names = ", ".join(kept)
            return f"other code may change {names}, and no call was compared that sees it changed"
        gone = self.changed.lost(unit)
        if gone:
            return f"nothing that line {gone[0]} of the original does was seen, which is gone"
        for mutant in self._mutants if self._fates else ():
            fate = self._fates.get(mutant.number, _MISSED)
            # Where nothing ends well without a bound, something hangs on it.
            is_open = fate in (_MISSED, _SAME) and mutant.number not in self._failing
            if mutant.unit == unit and mutant.is_bound and is_open:
                return mutant.lack
        if self._is_untried(unit):
            return "no change to it was tried that would have been wrong"
        lines = sorted({m.line for m in self._tried(unit) if self._is_new(m)})
        powers = [(self._power(unit), _ENOUGH, 0)]
        powers += [(self._power(unit, n), _OF_LINE, self._failing_in(unit, n)) for n in lines]
        for power, least, more in powers:
            if power is not None and power.seen + more < least * (power.tried + more):
                return (
                    f"only {power.seen} of {power.tried} changes to it would have been seen;"
                    f" this one would have slipped through: {power.missed[0]}"
                )
        return ""

    def _failing_in(self, unit: str, line: int) -> int:
        """How many wrong versions of a line fail by themselves: what it gives is asked for."""
        own = (m.number for m in self._tried(unit) if m.line == line)
        return sum(self._fates[number] == _FAILS for number in own)

    def _may_be_kept(self, unit: str) -> list[str]:
        """What a trace may keep though other code may change it.

        What the program itself changed between two runs of the unit would have made a difference.
        """
        # What the rewritten version reads is what its traces keep.
        read = outside_of(self._new, unit, in_traces=True) if self._is_traced_more else Outside()
        changed = self._changed.get(unit, {})
        if unit in self._unvaried:
            found = self._unvaried[unit] - set(changed)
        else:
            found = set(read.all) - set(changed.values())
        found |= set(read.enclosed)
        settable = self.outside(unit).settable
        return sorted(path for path in found if path.rpartition(".")[2] not in settable)

    @cached_property
    def _is_traced_more(self) -> bool:
        return is_traced_more(self._old, self._new)

    def weighed(self, verdict: Verdict) -> Verdict:
        """The verdict with its grounds; where they are too weak for *equivalent*, it is not checked."""
        if verdict.unit not in self.changed.lines:
            return verdict
        ran, changed = self.changed.of(verdict.unit, self._ran)
        verdict = dataclasses.replace(
            verdict, ran=ran, changed=changed, power=self._power(verdict.unit)
        )
        if verdict.outcome is not Outcome.EQUIVALENT:
            return verdict
        lack = self.lack(verdict.unit)
        if not lack:
            return verdict
        return dataclasses.replace(verdict, outcome=Outcome.NOT_CHECKED, reason=lack)

    def _power(self, unit: str, line: int | None = None) -> Power | None:
        """How many of the wrong versions of a unit, or a line of it, were seen.

        What says nothing is not counted: such as what a call is given that is made for nothing that
        can be seen, of a model that is to have its variables.

        Where a statement that only moved comes out the same to the last bit while another change of it
        was seen, it just computes the same; of what was rewritten nothing may be hidden.
        """
        own = [m for m in self._tried(unit) if line in (None, m.line)]
        lines = {m.line for m in own if self._fates[m.number] == _SEEN}
        seen = sum(self._fates[m.number] == _SEEN for m in own)
        missed = [
            m.words
            for m in own
            if self._fates[m.number] == _MISSED
            or (
                self._fates[m.number] == _SAME
                and not (m.is_discarded or m.is_filled)
                and (self._is_new(m) or m.line not in lines)
            )
        ]
        if not seen and not missed:
            return None
        return Power(seen, seen + len(missed), tuple(missed[:_SHOWN]))

    def _is_new(self, mutant: Mutant) -> bool:
        """Whether what it makes wrong was rewritten, or it loses an update."""
        is_new = mutant.is_loss or mutant.is_default
        return is_new or mutant.line in self.changed.lines[mutant.unit][1]

    def _is_untried(self, unit: str) -> bool:
        """Whether it could be made wrong, and nothing that was run was tried with it made so and ended well."""
        if self._options.correcting or not self._options.power:
            return False
        own = [m for m in self._mutants if m.unit == unit]
        # What only one version bounds, or asks, need not be all that the unit does.
        wrong = [m for m in own if not m.is_bound] or own
        fates = (self._fates.get(m.number, _NOTHING) for m in wrong)
        return bool(wrong) and all(fate in _UNTOLD for fate in fates)

    def _tried(self, unit: str) -> list[Mutant]:
        if not self._fates:
            return []
        own = (m for m in self._mutants if m.unit == unit and not m.is_bound)
        return [m for m in own if m.number in self._fates]
