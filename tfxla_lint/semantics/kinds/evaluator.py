"""The abstract interpreter: runs a module's code on kinds instead of values.

Calls of first-party functions bind the arguments' kinds to the parameters, joined over all calls
seen, and give the joined result. Functions that nothing calls run last, on annotations. Names
that are read before their value was seen make a second round necessary.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from tfxla_lint.project.layout import Place
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.binding import bind
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.kinds import expressions, imports, statements
from tfxla_lint.semantics.kinds.annotations import annotation
from tfxla_lint.semantics.kinds.callees import Callee, Reception, Use
from tfxla_lint.semantics.kinds.order import callers_first
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.scopes import BindingKind, Scope, ScopeKind
from tfxla_lint.semantics.units import ClassInfo, MethodKind, Parameter, Unit, Units
from tfxla_lint.semantics.values import (
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

_DEFINING = (BindingKind.FUNCTION, BindingKind.CLASS, BindingKind.IMPORT)
_MAXIMUM_DEPTH = 30
_MAXIMUM_RUNS = 4


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
        self._order = [*zip(binders, modules, strict=True)]
        self.units = units = modules[0]
        self.values: dict[int, Value] = {}
        self.callees: dict[int, list[Callee]] = {}
        self.uses: dict[tuple[int, int, str], Use] = {}
        self.unit: Unit = units.module
        self.loops: list[cst.For | cst.While] = []
        self.frames: list[list[Environment]] = []
        #: What was read before anything was known of it: names by scope, attributes by class.
        self._missed_names: set[tuple[int, str]] = set()
        self._missed_attributes: dict[tuple[int, str], ClassInfo] = {}
        self._scope_values: dict[int, Environment] = {}
        self._before: dict[int, Environment] = {}
        self._attributes_before: dict[int, Environment] = {}
        #: The values of expressions that mean the same whenever they are evaluated, by node.
        self.fixed: dict[int, Value] = {}
        #: The environment of the call that is being evaluated.
        self.environment: Environment = {}
        self._runs: dict[int, int] = {}
        self._active: set[int] = set()
        self._defining: set[Member] = set()
        #: Whether the modules' own code still runs, so that calls of a function may yet be seen.
        self._is_calling = True
        self._setters: dict[int, dict[str, list[Unit]]] = {}

    def run(self) -> None:
        """Evaluate the modules; again where something was read before it was known."""
        self._round()
        if self._would_gain():
            self._forget()
            self._round()

    def _would_gain(self) -> bool:
        """Whether something is known now that was not when it was read."""
        for scope, name in self._missed_names:
            value = self._scope_values.get(scope, {}).get(name)
            if value is not None and value.is_known:
                return True
        for (_, name), info in self._missed_attributes.items():
            value = info.attribute(name)
            if value is not None and value.is_known:
                return True
        return False

    def _round(self) -> None:
        self._is_calling = True
        for units in self.modules:
            if id(units.module) not in self._runs:
                self.evaluate(units.module)
        self._is_calling = False
        for unit in callers_first(self._order):
            if id(unit) not in self._runs:
                self.evaluate(unit)

    def _forget(self) -> None:
        self.values.clear()
        self.callees.clear()
        self.uses.clear()
        self._runs.clear()
        self._before, self._scope_values = self._scope_values, {}
        for units in self.modules:
            for info in units.classes:
                self._attributes_before[id(info)] = info.attributes
                info.attributes = {}
            for unit in units.all:
                unit.returns = unit.yields = UNBOUND
                unit.unknown_decorators.clear()
                unit.receivers.clear()
                for parameter in unit.parameters:
                    parameter.value = UNBOUND

    # Units

    def evaluate(self, unit: Unit) -> None:
        """Run the body of a unit on what is known of its parameters."""
        if id(unit) in self._active:
            return
        self._runs[id(unit)] = self._runs.get(id(unit), 0) + 1
        saved = self.unit, self.loops, self.frames, self.environment
        self.unit, self.loops, self.frames = unit, [], []
        self._active.add(id(unit))
        environment = self._parameters(unit)
        node = unit.node
        if isinstance(node, cst.Lambda):
            unit.returns = join(unit.returns, self.value(node.body, environment))
        elif isinstance(node, cst.Module):
            statements.run_block(self, node.body, environment)
        else:
            end = statements.run_block(self, node.body.body, environment)
            if end is not None and unit.returns.kind is Kind.UNBOUND:
                unit.returns = Value(Kind.NONE, constant=None)
        self._active.discard(id(unit))
        self.unit, self.loops, self.frames, self.environment = saved

    def _parameters(self, unit: Unit) -> Environment:
        environment: Environment = {}
        for index, parameter in enumerate(unit.parameters):
            value = parameter.value
            if unit.is_method and index == 0 and unit.class_ is not None:
                value = self.instance(unit.class_)._replace(name=SELF)
            elif unit.method is MethodKind.CLASS and index == 0 and unit.receivers:
                value = join_all([Value(Kind.CLASS, class_=info) for info in unit.receivers])
            elif value.kind is Kind.UNBOUND:
                value = self.annotated(parameter.node)
                if parameter.form == "*":
                    value = list_of(UNKNOWN, Kind.TUPLE)
                elif parameter.form == "**":
                    value = list_of(UNKNOWN, Kind.DICT)
            environment[parameter.name] = value
            self._remember(unit.scope, parameter.name, value)
        return environment

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
        changed = self._bind_arguments(unit, arguments, skip)
        for info in receivers:
            if info not in unit.receivers:
                unit.receivers.append(info)
                changed = True
        runs = self._runs.get(id(unit), 0)
        if id(unit) in self._active or len(self._active) > _MAXIMUM_DEPTH:
            return unit.returns if unit.returns.kind is not Kind.UNBOUND else UNKNOWN
        if runs == 0 or (changed and runs < _MAXIMUM_RUNS):
            if changed:
                unit.returns = unit.yields = UNBOUND
            self.evaluate(unit)
        if unit.is_generator:
            known = unit.yields.kind is not Kind.UNBOUND
            return Value(Kind.ITERATOR, item=unit.yields if known else UNKNOWN)
        return unit.returns if unit.returns.kind is not Kind.UNBOUND else UNKNOWN

    def _bind_arguments(
        self, unit: Unit, arguments: list[tuple[str | None, Value]], skip: int
    ) -> bool:
        changed = False
        bound = bind(unit, arguments, skip)
        for parameter in unit.parameters:
            if parameter.name in bound.single:
                changed |= self._widen(parameter, bound.single[parameter.name])
        for parameter in bound.missing:
            if bound.is_open:
                changed |= self._widen(parameter, UNKNOWN)
            elif parameter.node.default is not None:
                changed |= self._widen(parameter, self.value(parameter.node.default, {}))
        return changed

    def _widen(self, parameter: Parameter, value: Value) -> bool:
        old = parameter.value
        parameter.value = join(old, value)
        return parameter.value != old

    def instance(self, info: ClassInfo) -> Value:
        """An instance of a first-party class."""
        return Value(info.role, class_=info)

    def classes(self, holder: Value) -> list[ClassInfo]:
        """The classes that an object of a first-party class can have.

        For `self` in a method that is the classes of the objects that it was called on, which may
        derive from the class that defines it.
        """
        info = holder.class_
        if info is None:
            return []
        if holder.name in (SELF, "super"):
            unit: Unit | None = self.unit
            while unit is not None and not unit.is_method:
                unit = unit.parent
            if unit is not None and unit.class_ is info and unit.receivers:
                return unit.receivers
        return [info]

    def methods(self, holder: Value, name: str) -> list[Unit]:
        """The methods that `holder.name` can be, those of derived classes too where it is `self`."""
        info = holder.class_
        if info is None:
            return []
        if holder.name == "super":
            return [unit for base in info.bases if (unit := base.method(name)) is not None][:1]
        found = (member.method(name) for member in self.classes(holder))
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
            if home.kind is not ScopeKind.CLASS:
                value = self._scope_values.get(id(home), {}).get(name)
                return value if value is not None else self._missing(home, name)
        value = self._scope_values.get(id(home), {}).get(name)
        return value if value is not None else self._missing(home, name)

    def _is_local(self, home: Scope) -> bool:
        return self.units.of_scope(home) is self.unit

    def _missing(self, home: Scope, name: str) -> Value:
        before = self._before.get(id(home), {}).get(name)
        if before is not None:
            return before
        if home.kind is ScopeKind.MODULE:
            self._define(Member(home, name))
            value = self._scope_values.get(id(home), {}).get(name)
            if value is not None:
                return value
        self._missed_names.add((id(home), name))
        return UNKNOWN

    def member(self, member: Member) -> Value:
        """What another module binds to a name; that module runs first."""
        module = self.units.of_scope(member.scope)
        if id(module) not in self._runs:
            self.evaluate(module)
        value = self._scope_values.get(id(member.scope), {}).get(member.name)
        return value if value is not None else self._missing(member.scope, member.name)

    def _define(self, member: Member) -> None:
        """Run a `def`, `class` or import ahead of its turn: modules that import each other need it."""
        bindings = member.scope.bindings.get(member.name, ())
        if member in self._defining or any(b.kind not in _DEFINING for b in bindings):
            return
        self._defining.add(member)
        saved = self.unit, self.loops, self.frames
        self.unit, self.loops, self.frames = self.units.of_scope(member.scope), [], []
        for binding in bindings:
            if binding.kind is BindingKind.IMPORT:
                self._remember(member.scope, member.name, imports.imported(self, binding))
            else:
                statements.run_block(self, [binding.node], {})
        self.unit, self.loops, self.frames = saved
        self._defining.discard(member)

    def run_module(self, place: Place) -> None:
        """Run a first-party module that is imported, if it has not run yet."""
        scope = self.names.scope_of(place)
        if scope is not None:
            module = self.units.of_scope(scope)
            if id(module) not in self._runs:
                self.evaluate(module)

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
        known = self._scope_values.setdefault(id(scope), {})
        old = known.get(name)
        known[name] = value if old is None else join(old, value)

    def attribute(self, info: ClassInfo, name: str) -> Value | None:
        """What is known of an attribute of a first-party class."""
        value = info.attribute(name)
        if value is not None:
            return value
        for base in info.lineage():
            before = self._attributes_before.get(id(base), {}).get(name)
            if before is not None:
                return before
        return None

    def late_attribute(self, info: ClassInfo, name: str) -> Value | None:
        """An attribute of which nothing is known so far, from the methods that set it.

        They run ahead of their turn if nothing has called them and nothing will.
        """
        if name not in self.attributes_set:
            return None
        if not self._is_calling:
            for member in info.lineage():
                for unit in self._setters_of(member).get(name, ()):
                    if id(unit) not in self._runs:
                        self.evaluate(unit)
            value = info.attribute(name)
            if value is not None:
                return value
        self._missed_attributes[(id(info), name)] = info
        return None

    def _setters_of(self, info: ClassInfo) -> dict[str, list[Unit]]:
        """For the attributes that a class sets on `self`, the methods that do."""
        found = self._setters.get(id(info))
        if found is None:
            found = self._setters[id(info)] = {}
            for unit in info.methods.values():
                for node in unit.nodes(into_scopes=False):
                    if type(node) is cst.AssignTarget and type(node.target) is cst.Attribute:
                        found.setdefault(node.target.attr.value, []).append(unit)
        return found

    def set_attribute(self, info: ClassInfo, name: str, value: Value) -> None:
        """Join a value into an attribute of a first-party class."""
        old = info.attributes.get(name)
        info.attributes[name] = value if old is None else join(old, value)

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

    @property
    def missed(self) -> int:
        """How many names were read so far before anything was known of them."""
        return len(self._missed_names)

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
        callee = Callee(unit, tracing or unit.tracing, skip, reception, partial)
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
            if id(member.unit) not in self._runs and how == "traced":
                self.evaluate(member.unit)

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
