"""What the abstract interpreter knows while it runs, and what its parts ask and tell each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property

import libcst as cst

from tfxla_lint.project.layout import Place
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.binding import bind
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.kinds.callees import Callee, Reception, Use
from tfxla_lint.semantics.kinds.command_line import CommandLine
from tfxla_lint.semantics.kinds.order import callers_first
from tfxla_lint.semantics.kinds.state import Key, State, Task, latest, union
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.scopes import Scope, ScopeKind
from tfxla_lint.semantics.units import (
    Ancestry,
    ClassInfo,
    Decoration,
    MethodKind,
    Unit,
    Units,
    lineage,
)
from tfxla_lint.semantics.values import UNBOUND, UNKNOWN, Kind, Tracing, Value

Environment = dict[str, Value]

#: The name of the value of a method's first parameter.
SELF = "self"

#: How many units may run within each other; what is called deeper down waits for its turn.
_MAXIMUM_DEPTH = 30
#: Of more derived classes than these, an object that nobody makes may be any.
_MOST_HEIRS = 12
_NO_ANCESTRY = Ancestry()
#: Bases of classes whose members are not what they are written as.
_ENUMERATIONS = frozenset({"enum.Enum", "enum.Flag"})
#: The ways of running what is handed over that also run an object by its `__call__`.
_SURELY_RUN = ("traced", "eager")
_UNDECORATED = {kind: Decoration(kind) for kind in MethodKind}


class Evaluator(ABC):
    """Infers the kinds of some modules; `values`, `callees` and `uses` are its results.

    `modules` are the units of the modules that are analysed together. `binder`, `names` and
    `units` answer for the nodes of all of them.
    """

    def __init__(self, binders: Sequence[Binder], names: Names, modules: Sequence[Units]) -> None:
        self.binder = binders[0]
        self._binders = binders
        #: The names of the attributes that some statement binds.
        self.attributes_set = frozenset().union(*(binder.attributes_set for binder in binders))
        self.names = names
        self.modules = modules
        self.units = units = modules[0]
        self.unit: Unit = units.module
        #: Whether the names of the unit may be bound in other scopes, by `global` and the like.
        self.binds_outside = False
        self.loops: list[cst.For | cst.While] = []
        self.frames: list[list[Environment]] = []
        #: The values of expressions that mean the same whenever they are evaluated, by node.
        self.fixed: dict[int, Value] = {}
        #: The name of the outside function that a call runs, None where it is no single one.
        self.called: dict[int, str | None] = {}
        #: The attributes that are none of a module.
        self.inner: set[int] = set()
        #: The environment of the call that is being evaluated.
        self.environment: Environment = {}
        self._active: set[Task] = set()
        self._told: set[Scope] = set()
        bodies = [units.module for units in modules]
        self._order = [*bodies, *callers_first([*zip(binders, modules, strict=True)])]
        self._state = State(self._order)
        #: What was found of the nodes: by the current run, and in the end by the last of each unit.
        self.values = self._state.run.values
        self.callees = self._state.run.callees
        self.uses = self._state.run.uses

    @cached_property
    def command_line(self) -> CommandLine:
        """The options that the programs take."""
        return CommandLine(self._binders, self.names)

    @abstractmethod
    def value(self, node: cst.CSTNode, environment: Environment) -> Value:
        """The value of an expression, remembered for the rules."""

    @abstractmethod
    def evaluate(self, task: Task) -> None:
        """Run the body of a unit on what is known of its parameters."""

    # Units

    def ahead(self, unit: Unit) -> None:
        """Run a unit that did not run yet, ahead of its turn, if calls are not too deep for that.

        It spares its caller from running again; else its turn comes, and then the caller's.
        """
        is_assumed = self._state.run.task.is_assumed and not unit.is_module
        task = self._state.task(unit, is_assumed)
        if not self._state.has_run(task):
            if len(self._active) <= _MAXIMUM_DEPTH:
                self.evaluate(task)
            else:
                self._state.call(task)

    def _key(self, what: str, unit: Unit) -> Key:
        """The cell of what calls and results of a unit give, in runs of the present kind."""
        return what, id(unit), self._state.run.task.is_assumed

    def give_result(self, what: str, value: Value) -> None:
        """The current unit "returns" or "yields" a value."""
        if value.kind is Kind.UNBOUND:
            self._state.run.is_waiting = True
        else:
            self._state.give(self._key(what, self.unit), value)

    def _receivers(self, unit: Unit) -> tuple[ClassInfo, ...]:
        return self._state.read(self._key("receivers", unit)) or ()

    def decoration(self, unit: Unit) -> Decoration:
        """What the decorators of a unit make of it, as far as that is known."""
        if not unit.is_decorated:
            return _UNDECORATED[unit.syntactic_method]
        found: Decoration | None = self._state.read(("decoration", id(unit)))
        return found or _UNDECORATED[unit.syntactic_method]

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
            item = yields if yields is not None else UNKNOWN
            return Value(Kind.ITERATOR, item=item, unit=unit)
        return self._awaited(self._key("returns", unit))

    def _awaited(self, key: Key) -> Value:
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
        if not info.node.bases:
            return _NO_ANCESTRY
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

    def lineage(self, info: ClassInfo) -> Sequence[ClassInfo]:
        """A class and its first-party bases, as far as they are known, nearest first."""
        if not info.node.bases:
            return (info,)
        known = self._state.run.lineages
        if info not in known:
            known[info] = lineage(info, self.ancestry)
        return known[info]

    def is_enumeration(self, info: ClassInfo) -> bool:
        """Whether what a class lists are members of it, which stand for nothing but themselves."""
        names = {name for base in self.lineage(info) for name in self.ancestry(base).names}
        return bool(names & _ENUMERATIONS) and names <= _ENUMERATIONS

    def method(self, info: ClassInfo, name: str) -> Unit | None:
        """The method of this name, through first-party bases."""
        for base in self.lineage(info):
            if name in base.methods:
                return base.methods[name]
        return None

    def classes(self, holder: Value) -> Sequence[ClassInfo]:
        """The classes that an object of a first-party class can have.

        For `self` in a method that is the classes of the objects that it was called on, which may
        derive from the class that defines it: any of those that do, where nobody calls it.
        """
        info = holder.class_
        if info is None:
            return ()
        if holder.name in (SELF, "super"):
            run = self._state.run
            if run.own is None:
                run.own = self._own_classes()
            if run.own[0] is info:
                return run.own[1]
        return (info,)

    def _own_classes(self) -> tuple[ClassInfo | None, Sequence[ClassInfo]]:
        """The class whose method runs, and the classes of the objects that it is called on."""
        unit: Unit | None = self.unit
        while unit is not None and not self.decoration(unit).is_method:
            unit = unit.parent
        if unit is None or unit.class_ is None:
            return None, ()
        return unit.class_, self._receivers(unit) or self._heirs(unit.class_)

    def methods(self, holder: Value, name: str) -> list[Unit]:
        """The methods that `holder.name` can be, those of derived classes too where it is `self`."""
        info = holder.class_
        if info is None:
            return []
        if holder.name == "super":
            bases = self.ancestry(info).bases
            return [u for base in bases if (u := self.method(base, name)) is not None][:1]
        classes = self.classes(holder)
        if len(classes) == 1:
            only = self.method(classes[0], name)
            return [only] if only is not None else []
        found = (self.method(member, name) for member in classes)
        return list(dict.fromkeys(unit for unit in found if unit is not None))

    # Names

    def read(self, name: str, node: cst.CSTNode, environment: Environment) -> Value:
        """The value of a name at this point, where the environment does not say it at once."""
        scope = self.binder.scope(node)
        home = scope.home(name)
        if home is None:
            starred = self.names.starred(name, scope)
            return self.member(starred) if starred is not None else UNKNOWN
        if home.kind is ScopeKind.COMPREHENSION or self._is_local(home):
            value = environment.get(name)
            if value is not None:
                return value
            self._tell(home)
        return self._awaited(("name", id(home), name))

    def _is_local(self, home: Scope) -> bool:
        return self.units.of_scope(home) is self.unit

    def member(self, member: Member) -> Value:
        """What another module binds to a name; that module runs first."""
        self.ahead(self.units.of_scope(member.scope))
        return self._awaited(("exported", id(member.scope), member.name))

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
            if home.kind is ScopeKind.MODULE and value.kind is not Kind.UNBOUND:
                if not self.binder.links.is_of_main(node):
                    self._state.give(("exported", id(home), name), value)

    def grow(self, node: cst.Name, value: Value) -> None:
        """A container read from a name grew in place."""
        self.write(node.value, node, value, self.environment)

    def _remember(self, scope: Scope, name: str, value: Value) -> None:
        if value.kind is not Kind.UNBOUND:
            if scope.is_leaf and scope.kind is ScopeKind.FUNCTION and scope not in self._told:
                self._state.run.kept.append((name, value))
            else:
                self._state.give(("name", id(scope), name), value)

    def _tell(self, scope: Scope) -> None:
        """Give what a function has bound to its names, which it has kept to itself so far.

        No other function reads them, and it does itself only where its environment has none.
        """
        if scope.kind is ScopeKind.FUNCTION and scope.is_leaf and scope not in self._told:
            self._told.add(scope)
            for name, value in self._state.run.kept:
                self._state.give(("name", id(scope), name), value)

    def attribute(self, info: ClassInfo, name: str) -> Value | None:
        """What is known of an attribute of a first-party class."""
        lineage = self.lineage(info)
        for base in lineage:
            value: Value | None = self._state.read(("attribute", id(base), name))
            if value is None:
                continue
            if value.has_constant and any(self._state.read(("open", id(b))) for b in lineage):
                is_none = value.kind is Kind.NONE
                return UNKNOWN if is_none else value._replace(constant=UNKNOWN.constant)
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
        if how in _SURELY_RUN and value.kind is Kind.OBJECT and value.class_ is not None:
            runner = self.method(value.class_, "__call__")
            if runner is not None:
                value = Value(Kind.METHOD, unit=runner, name="__call__", receiver=value)
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
