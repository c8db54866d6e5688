"""The abstract interpreter: runs a module's code on kinds instead of values.

Calls of first-party functions bind the arguments' kinds to the parameters, joined over all calls
seen, and give the joined result. Functions that nothing calls run last, on annotations. A unit
that read what changed later runs again (`state`), until nothing changes: the answer does not
depend on the order in which units ran.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import libcst as cst

from tfxla_lint.project.layout import Place
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.binding import bind
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.kinds import expressions, statements
from tfxla_lint.semantics.kinds.annotations import annotation
from tfxla_lint.semantics.kinds.callees import Callee, Reception, Use
from tfxla_lint.semantics.kinds.order import callers_first
from tfxla_lint.semantics.kinds.state import State, Task, latest, union
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.scopes import Scope, ScopeKind
from tfxla_lint.semantics.units import (
    Ancestry,
    ClassInfo,
    ClassSummary,
    Decoration,
    MethodKind,
    Unit,
    Units,
    UnitSummary,
    lineage,
)
from tfxla_lint.semantics.values import (
    NONE,
    UNBOUND,
    UNKNOWN,
    Kind,
    Tracing,
    Value,
    join,
    join_all,
    list_of,
)

Environment = dict[str, Value]

#: The name of the value of a method's first parameter.
SELF = "self"

#: How many units may run within each other; what is called deeper down waits for its turn.
_MAXIMUM_DEPTH = 30
#: Of more derived classes than these, an object that nobody makes may be any.
_MOST_HEIRS = 12
_NO_ANCESTRY = Ancestry()
_WAYS = (False, True)


class Evaluator:
    """Infers the kinds of some modules; `values`, `callees` and `uses` are its results.

    `modules` are the units of the modules that are analysed together. `binder`, `names` and
    `units` answer for the nodes of all of them.
    """

    def __init__(self, binders: Sequence[Binder], names: Names, modules: Sequence[Units]) -> None:
        self.binder = binders[0]
        #: The names of the attributes that some statement binds.
        self.attributes_set = frozenset().union(*(binder.attributes_set for binder in binders))
        self.names = names
        self.modules = modules
        self.units = units = modules[0]
        self.unit: Unit = units.module
        self.loops: list[cst.For | cst.While] = []
        self.frames: list[list[Environment]] = []
        #: The values of expressions that mean the same whenever they are evaluated, by node.
        self.fixed: dict[int, Value] = {}
        #: The environment of the call that is being evaluated.
        self.environment: Environment = {}
        self._active: set[Task] = set()
        bodies = [units.module for units in modules]
        self._order = [*bodies, *callers_first([*zip(binders, modules, strict=True)])]
        self._state = State(self._order)
        #: What was found of the nodes: by the current run, and in the end by the last of each unit.
        self.values = self._state.run.values
        self.callees = self._state.run.callees
        self.uses = self._state.run.uses

    def run(self) -> None:
        """Evaluate the modules until nothing changes any more."""
        state = self._state
        for is_assumed in (False, True):
            for unit in self._order:
                is_program = unit.is_module or state.has_run(state.task(unit, False))
                task = state.task(unit, is_assumed)
                if is_program is not is_assumed and not state.has_run(task):
                    self._evaluate(task)
            state.settle(self._evaluate)
        self._conclude()

    def _conclude(self) -> None:
        """Gather what the last runs found, and write the summaries of units and classes."""
        values: dict[int, Value] = {}
        self.values, self.callees, self.uses = values, {}, {}
        for run in self._state.results():
            shared = values.keys() & run.values.keys()
            joined = {key: join(values[key], run.values[key]) for key in shared}
            values.update(run.values)
            values.update(joined)
            self.uses.update(run.uses)
            for call, callees in run.callees.items():
                known = self.callees.setdefault(call, [])
                known += [callee for callee in callees if callee not in known]
        for key, value in values.items():
            if value.kind is Kind.UNBOUND:
                values[key] = UNKNOWN
        attributes: dict[int, dict[str, Value]] = {}
        for holder, name, value in self._state.entries("attribute"):
            attributes.setdefault(holder, {})[name] = value
        seen = self._state.seen
        for units in self.modules:
            for unit in units.all:
                unit.summary = UnitSummary(
                    seen(("decoration", id(unit))) or Decoration(unit.syntactic_method),
                    join_all([self._result("returns", unit, way) for way in _WAYS]),
                    join_all([self._result("yields", unit, way) for way in _WAYS]),
                    tuple({c: None for way in _WAYS for c in self._result("receivers", unit, way)}),
                )
                for parameter in unit.parameters:
                    passed = (seen(("parameter", id(parameter), way)) for way in _WAYS)
                    parameter.value = join_all([value or UNBOUND for value in passed])
            for info in units.classes:
                info.summary = ClassSummary(
                    seen(("ancestry", id(info))) or _NO_ANCESTRY,
                    bool(seen(("open", id(info)))),
                    attributes.get(id(info), {}),
                )

    def _result(self, what: str, unit: Unit, is_assumed: bool) -> Any:
        found = self._state.seen((what, id(unit), is_assumed))
        return found if found is not None else () if what == "receivers" else UNBOUND

    # Units

    def _evaluate(self, task: Task) -> None:
        """Run the body of a unit on what is known of its parameters."""
        if task in self._active:
            return
        before, unit = self._state.begin(task), task.unit
        run = self._state.run
        saved = self.unit, self.loops, self.frames, self.environment
        self.unit, self.loops, self.frames = unit, [], []
        self.values, self.callees, self.uses = run.values, run.callees, run.uses
        self._active.add(task)
        environment = self._parameters(unit)
        node = unit.node
        if isinstance(node, cst.Lambda):
            self.give_result("returns", self.value(node.body, environment))
        elif isinstance(node, cst.Module):
            statements.run_block(self, node.body, environment)
        else:
            end = statements.run_block(self, node.body.body, environment)
            if not run.is_waiting and self._state.cell(self._key("returns", unit)) not in run.given:
                self.give_result("returns", UNKNOWN if end is None else NONE)
        self._active.discard(task)
        self._state.end(before)
        self.unit, self.loops, self.frames, self.environment = saved
        self.values, self.callees, self.uses = before.values, before.callees, before.uses

    def ahead(self, unit: Unit) -> None:
        """Run a unit that did not run yet, ahead of its turn, if calls are not too deep for that.

        It spares its caller from running again; else its turn comes, and then the caller's.
        """
        is_assumed = self._state.run.task.is_assumed and not unit.is_module
        task = self._state.task(unit, is_assumed)
        if not self._state.has_run(task):
            if len(self._active) <= _MAXIMUM_DEPTH:
                self._evaluate(task)
            else:
                self._state.call(task)

    def _key(self, what: str, unit: Unit) -> Hashable:
        """The cell of what calls and results of a unit give, in runs of the present kind."""
        return what, id(unit), self._state.run.task.is_assumed

    def give_result(self, what: str, value: Value) -> None:
        """The current unit "returns" or "yields" a value."""
        if value.kind is Kind.UNBOUND:
            self._state.run.is_waiting = True
        else:
            self._state.give(self._key(what, self.unit), value)

    def _parameters(self, unit: Unit) -> Environment:
        environment: Environment = {}
        decoration = self.decoration(unit)
        for index, parameter in enumerate(unit.parameters):
            receivers: tuple[ClassInfo, ...] = ()
            if decoration.method is MethodKind.CLASS and index == 0:
                receivers = self._receivers(unit)
            value = self._state.read(("parameter", id(parameter), self._state.run.task.is_assumed))
            if decoration.is_method and index == 0 and unit.class_ is not None:
                value = self.instance(unit.class_)._replace(name=SELF)
            elif receivers:
                value = join_all([Value(Kind.CLASS, class_=info) for info in receivers])
            elif value is None:
                value = self.annotated(parameter.node)
                if parameter.form == "*":
                    value = list_of(UNKNOWN, Kind.TUPLE)
                elif parameter.form == "**":
                    value = list_of(UNKNOWN, Kind.DICT)
            environment[parameter.name] = value
            self._remember(unit.scope, parameter.name, value)
        return environment

    def _receivers(self, unit: Unit) -> tuple[ClassInfo, ...]:
        return self._state.read(self._key("receivers", unit)) or ()

    def decoration(self, unit: Unit) -> Decoration:
        """What the decorators of a unit make of it, as far as that is known."""
        found: Decoration | None = self._state.read(("decoration", id(unit)))
        return found or Decoration(unit.syntactic_method)

    def decorate(self, unit: Unit, decoration: Decoration) -> None:
        """Note what the decorators of a unit make of it."""
        self._state.give(("decoration", id(unit)), decoration, latest)

    def invoke(
        self,
        unit: Unit,
        arguments: list[tuple[str | None, Value]],
        *,
        skip: int = 0,
        receivers: Iterable[ClassInfo] = (),
    ) -> Value:
        """The result of calling `unit`; `skip` leading parameters are bound already.

        `receivers` are the classes of the objects that a method is called on.
        """
        is_complete = self._bind_arguments(unit, arguments, skip)
        if receivers:
            self._state.give(self._key("receivers", unit), tuple(receivers), union)
        if is_complete:
            self.ahead(unit)
        if unit.is_generator:
            yields: Value | None = self._state.read(self._key("yields", unit))
            return Value(Kind.ITERATOR, item=yields if yields is not None else UNKNOWN)
        return self._awaited(self._key("returns", unit))

    def _awaited(self, key: Hashable) -> Value:
        """What a cell holds; UNBOUND as long as something may yet be given to it."""
        value: Value | None = self._state.read(key)
        if value is not None:
            return value
        return UNBOUND if self._state.awaits(key) else UNKNOWN

    def _bind_arguments(
        self, unit: Unit, arguments: list[tuple[str | None, Value]], skip: int
    ) -> bool:
        """Give the parameters what a call passes; whether something is known of each argument."""
        is_complete = True
        bound = bind(unit, arguments, skip)
        given = [(p, bound.single[p.name]) for p in unit.parameters if p.name in bound.single]
        for parameter in bound.missing:
            if bound.is_open:
                given.append((parameter, UNKNOWN))
            elif parameter.node.default is not None:
                given.append((parameter, self.value(parameter.node.default, {})))
        for parameter, value in given:
            if value.kind is Kind.UNBOUND:
                is_complete = False
            else:
                key = ("parameter", id(parameter), self._state.run.task.is_assumed)
                self._state.give(key, value)
        return is_complete

    def instance(self, info: ClassInfo) -> Value:
        """An instance of a first-party class."""
        return Value(self.ancestry(info).role, class_=info)

    # Classes

    def ancestry(self, info: ClassInfo) -> Ancestry:
        """What the bases of a class say, as far as that is known."""
        found: Ancestry | None = self._state.read(("ancestry", id(info)))
        return found or _NO_ANCESTRY

    def derive(self, info: ClassInfo, ancestry: Ancestry) -> None:
        """Note what the bases of a class say."""
        self._state.give(("ancestry", id(info)), ancestry, latest)
        for base in ancestry.bases:
            self._state.give(("heirs", id(base)), (info,), union)

    def _heirs(self, info: ClassInfo) -> list[ClassInfo]:
        """A class and those that derive from it; the class alone where they are too many."""
        found = [info]
        for base in found:
            found += [c for c in self._state.read(("heirs", id(base))) or () if c not in found]
        return found if len(found) <= _MOST_HEIRS else [info]

    def open(self, info: ClassInfo) -> None:
        """Note that the instances of a class get attributes whose names are not written out."""
        self._state.give(("open", id(info)), True, latest)

    def method(self, info: ClassInfo, name: str) -> Unit | None:
        """The method of this name, through first-party bases."""
        if name in info.methods:
            return info.methods[name]
        kin = lineage(info, self.ancestry)
        return next((c.methods[name] for c in kin if name in c.methods), None)

    def classes(self, holder: Value) -> list[ClassInfo]:
        """The classes that an object of a first-party class can have.

        For `self` in a method that is the classes of the objects that it was called on, which may
        derive from the class that defines it: any of those that do, where nobody calls it.
        """
        info = holder.class_
        if info is None:
            return []
        if holder.name in (SELF, "super"):
            unit: Unit | None = self.unit
            while unit is not None and not self.decoration(unit).is_method:
                unit = unit.parent
            if unit is not None and unit.class_ is info:
                return list(self._receivers(unit)) or self._heirs(info)
        return [info]

    def methods(self, holder: Value, name: str) -> list[Unit]:
        """The methods that `holder.name` can be, those of derived classes too where it is `self`."""
        info = holder.class_
        if info is None:
            return []
        if holder.name == "super":
            bases = self.ancestry(info).bases
            return [u for base in bases if (u := self.method(base, name)) is not None][:1]
        found = (self.method(member, name) for member in self.classes(holder))
        return list(dict.fromkeys(unit for unit in found if unit is not None))

    def annotated(self, parameter: cst.Param) -> Value:
        """What a parameter's annotation says."""
        if parameter.annotation is None:
            return UNKNOWN
        return annotation(self, parameter.annotation.annotation)

    # Names

    def read(self, name: str, node: cst.CSTNode, environment: Environment) -> Value:
        """The value of a name at this point."""
        scope = self.binder.scope(node)
        bound = environment.get(name)
        if bound is not None and not self.unit.scope.binds_outside:
            return bound
        home = scope.home(name)
        if home is None:
            starred = self.names.starred(name, scope)
            return self.member(starred) if starred is not None else UNKNOWN
        if home.kind is ScopeKind.COMPREHENSION or self._is_local(home):
            value = environment.get(name)
            if value is not None:
                return value
        return self._awaited(("name", id(home), name))

    def _is_local(self, home: Scope) -> bool:
        return self.units.of_scope(home) is self.unit

    def member(self, member: Member) -> Value:
        """What another module binds to a name; that module runs first."""
        self.ahead(self.units.of_scope(member.scope))
        return self._awaited(("name", id(member.scope), member.name))

    def run_module(self, place: Place) -> None:
        """Run a first-party module that is imported, if it has not run yet."""
        scope = self.names.scope_of(place)
        if scope is not None:
            self.ahead(self.units.of_scope(scope))

    def write(self, name: str, node: cst.CSTNode, value: Value, environment: Environment) -> None:
        """Bind a name at this point."""
        environment[name] = value
        home = self.binder.scope(node).home(name)
        if home is not None:
            self._remember(home, name, value)

    def grow(self, node: cst.Name, value: Value) -> None:
        """A container read from a name grew in place."""
        self.write(node.value, node, value, self.environment)

    def _remember(self, scope: Scope, name: str, value: Value) -> None:
        if value.kind is not Kind.UNBOUND:
            self._state.give(("name", id(scope), name), value)

    def attribute(self, info: ClassInfo, name: str) -> Value | None:
        """What is known of an attribute of a first-party class."""
        for base in lineage(info, self.ancestry):
            value: Value | None = self._state.read(("attribute", id(base), name))
            if value is not None:
                return value
        return None

    def awaits_attribute(self, info: ClassInfo, name: str) -> bool:
        """Whether something may yet be known of an attribute of which nothing is known so far."""
        if name not in self.attributes_set:
            return False
        return self._state.awaits(("attribute", id(info), name))

    def set_attribute(self, info: ClassInfo, name: str, value: Value) -> None:
        """Join a value into an attribute of a first-party class."""
        if value.kind is not Kind.UNBOUND:
            self._state.give(("attribute", id(info), name), value)

    # Results

    def value(self, node: cst.CSTNode, environment: Environment) -> Value:
        """The value of an expression, remembered for the rules."""
        key = id(node)
        values = self.values
        value = self.fixed.get(key)
        if value is None:
            value = expressions.evaluate(self, node, environment)
        old = values.get(key)
        values[key] = value if old is None or old is value else join(old, value)
        return value

    def seen(self, node: cst.CSTNode) -> Value:
        """What an expression that was evaluated before can be."""
        return self.values.get(id(node), UNKNOWN)

    def add_callee(
        self,
        call: cst.Call,
        unit: Unit,
        tracing: Tracing | None,
        skip: int = 0,
        reception: Reception = Reception.NOTHING,
        partial: tuple[cst.Arg, ...] = (),
    ) -> None:
        """Note that `call` runs `unit`; the rest as a `Callee` has it."""
        known = self.callees.setdefault(id(call), [])
        callee = Callee(unit, tracing or self.decoration(unit).tracing, skip, reception, partial)
        if callee not in known:
            known.append(callee)

    def use(self, value: Value, node: cst.CSTNode, how: str) -> None:
        """Note that the first-party functions in `value` are handed to something at `node`."""
        if value.unit is None and value.elements is None and value.item is None:
            if not value.choices:
                return
        for member in self._functions(value):
            assert member.unit is not None
            key = (id(member.unit), id(node), how)
            self.uses[key] = Use(member.unit, node, how, member.tracing)
            if how == "traced":
                self.ahead(member.unit)

    def _functions(self, value: Value) -> Iterable[Value]:
        if value.kind in (Kind.FUNCTION, Kind.METHOD, Kind.TRACED) and value.unit is not None:
            yield value
            if value.receiver is not None and value.receiver.name == SELF and value.name:
                for unit in self.methods(value.receiver, value.name):
                    if unit is not value.unit:
                        yield value._replace(unit=unit)
        for member in (*value.choices, *(value.elements or ())):
            yield from self._functions(member)
        if value.elements is None and value.item is not None:
            yield from self._functions(value.item)
