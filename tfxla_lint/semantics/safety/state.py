"""Outer Python state: names, attributes and containers that change while a program runs.

A trace reads them once; what changes later goes unseen.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.flow.closure import ends_well
from tfxla_lint.semantics.safety.object_settings import ObjectSettings
from tfxla_lint.semantics.safety.order import may_come_between
from tfxla_lint.semantics.scopes import DEFINING, Binding, BindingKind, Scope, ScopeKind
from tfxla_lint.semantics.syntax import is_self, walk
from tfxla_lint.semantics.units import MethodKind
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.units import ClassInfo, Unit

_STILL = DEFINING | {BindingKind.IMPORT}
MUTATING = behaviour.methods(Effect.MUTATES)
#: Functions that change their first argument.
_MUTATORS = behaviour.names(Effect.MUTATES)
_CONSTRUCTORS = behaviour.methods(Trait.SETS_UP)
#: Objects that may have any attributes.
_OPEN = frozenset(
    {Kind.UNKNOWN, Kind.OBJECT, Kind.MODEL, Kind.LAYER, Kind.MODULE, Kind.LOSS, Kind.METRIC,
     Kind.FUNCTION, Kind.PYTHON_MODULE}
)  # fmt: skip


def changed_by(model: Answers, call: cst.Call) -> list[cst.BaseExpression]:
    """What a call changes in place: what its method belongs to, the first argument of
    `np.add.at`, the `out=` of NumPy."""
    found: list[cst.BaseExpression] = []
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in MUTATING:
        # `tf.keras.layers.add(...)` adds nothing to the module that it is from.
        if not any(map(api.is_tensorflow, model.names.of(call.func))):
            found.append(call.func.value)
    for place, given in enumerate(call.args):
        is_first = place == 0 and given.keyword is None and not given.star
        is_out = given.keyword is not None and given.keyword.value == "out"
        names = model.names.of(call.func) if is_first or is_out else ()
        if any((is_first and n in _MUTATORS) or (is_out and n.startswith("numpy.")) for n in names):
            found.append(given.value)
    return found


class OuterState:
    """Answers which outer state changes."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self.settings = ObjectSettings(model, self)

    def name_changes(self, read: cst.Name) -> bool:
        """Whether a read of an outer name may find another value on one run than on the next.

        An imported name holds what the other module had bound when it was imported.
        """
        name, home = read.value, self._model.binder.scope(read).home(read.value)
        if home is None:
            return False
        if self.is_set_from_outside(name, home):
            return True
        bindings = [b for b in home.bindings[name] if b.kind is not BindingKind.ANNOTATION]
        if all(b.kind in _STILL for b in bindings):
            return False
        return any(self._comes_between(home, binding, read) for binding in bindings)

    def _comes_between(self, home: Scope, binding: Binding, read: cst.Name) -> bool:
        """Whether a name may be bound anew after a first read; there is none before the one binding
        that runs once."""
        changes = self._model.flow.changes
        if len(home.bindings[binding.name]) == 1 and not changes.may_repeat(home, binding.node):
            return False
        is_first = binding.kind is BindingKind.PARAMETER and binding.scope is home
        # Of `x := f(k)` the value stands where both are worked out; the name belongs to code around.
        is_assigned = binding.kind is BindingKind.ASSIGNMENT and binding.value is not None
        place = binding.value if is_assigned and binding.value is not None else binding.node
        return not is_first and changes.come_between(home, place, read)

    def is_set_elsewhere(self, name: str, scope: Scope) -> bool:
        """Whether a function binds the name by `global` or `nonlocal`, or another module does."""
        home = scope.home(name)
        return home is not None and (
            self.is_set_from_outside(name, home)
            or any(self._from_elsewhere(binding, home) for binding in home.bindings[name])
        )

    def is_set_from_outside(self, name: str, home: Scope) -> bool:
        """Whether some module sets a name of another one: `settings.BETA = 2.0`."""
        return (id(home), name) in self._set_members

    @cached_property
    def _set_members(self) -> set[tuple[int, str]]:
        found = (self._model.names.member(t) for t in self.targets if isinstance(t, cst.Attribute))
        return {(id(member.scope), member.name) for member in found if member is not None}

    def is_mutated(self, name: str, scope: Scope, read: cst.CSTNode) -> bool:
        """Whether the container that `name` holds may be changed in place between two runs of a
        read: one that is filled before all of them is not."""
        home, name = self.home(name, scope)
        if home is None or all(b.kind in _STILL for b in home.bindings[name]):
            return False
        come_between = self._model.flow.changes.come_between
        return any(
            holder is home and come_between(home, place, read)
            for holder, place in self._mutated.get(name, ())
        )

    def is_partial_of_mutated(self, name: str, scope: Scope, read: cst.CSTNode) -> bool:
        """Whether `name` is a `functools.partial` that keeps a container changed in place."""
        return any(
            isinstance(argument.value, cst.Name)
            and self.is_mutated(argument.value.value, binding.scope, read)
            for binding in scope.lookup(name)
            if isinstance(binding.value, cst.Call)
            and "functools.partial" in self._model.names.of(binding.value.func)
            for argument in binding.value.args
        )

    def home(self, name: str, scope: Scope) -> tuple[Scope | None, str]:
        """The scope that binds what a read of `name` finds, through imports of other modules."""
        home = scope.home(name)
        bindings = home.bindings[name] if home is not None else []
        if len(bindings) == 1 and bindings[0].kind is BindingKind.IMPORT:
            target = self._model.names.target(bindings[0])
            if isinstance(target, Member) and target.name in target.scope.bindings:
                return target.scope, target.name
        return home, name

    def attribute_changes(
        self,
        node: cst.Attribute,
        within: cst.CSTNode | None = None,
        run_by: cst.CSTNode | None = None,
    ) -> bool:
        """Whether the attribute that `node` reads is set outside of constructors anywhere, by code
        that may run after a first reading; or is so by what one run of the code `within` runs.

        Where `node` is in code that an object keeps, `run_by` is what runs that object.
        """
        first = run_by if run_by is not None else node
        member = self._model.names.member(node)
        if member is not None and self._is_set_by_function(member):
            return True
        holder = self._model.value(node.value)
        is_of_class = self._class(node.value) is not None or is_self(node.value)
        if holder.kind not in _OPEN and not is_of_class:
            return False
        if any(
            self._may_set(call, name, node) and self._may_follow(call, first, within)
            for call, name in self.set_by_name
        ):
            return True
        setters = [*self._attributes.get(node.attr.value, ()), *self._set_at_large(holder)]
        return any(
            self._may_be_same(setter.value, node.value) and self._may_follow(setter, first, within)
            for setter in setters
        )

    def _may_follow(
        self, change: cst.CSTNode, read: cst.CSTNode, within: cst.CSTNode | None
    ) -> bool:
        """Whether a change may come after a first reading; of code that keeps what it has read for
        one run of it, whether that runs the change."""
        if within is not None:
            inside, run = self._model.ask(_running, within)
            if not (id(change) in inside or id(self._model.unit(change)) in run):
                return False
        return may_come_between(self._model, change, read)

    def _is_set_by_function(self, member: Member) -> bool:
        """Whether a function of the other module binds its name anew, by `global`."""
        bindings = member.scope.bindings.get(member.name, ())
        return any(self._from_elsewhere(binding, member.scope) for binding in bindings)

    def _may_set(self, call: cst.Call, name: str | None, node: cst.Attribute) -> bool:
        """Whether a `setattr` may set what `node` reads; of any name, that of a known class only."""
        if name is None and self._model.value(call.args[0].value).class_ is None:
            return False
        return name in (None, node.attr.value) and self._may_be_same(call.args[0].value, node.value)

    def _set_at_large(self, holder: Value) -> list[cst.Attribute]:
        """Where `x.__dict__` is changed, for an object of as much, or as little, a known class."""
        return [
            setter
            for setter in self._attributes.get("__dict__", ())
            if (self._model.value(setter.value).class_ is None) == (holder.class_ is None)
        ]

    def _may_be_same(self, setter: cst.BaseExpression, reader: cst.BaseExpression) -> bool:
        """Whether the objects of two expressions can be one.

        Unrelated classes have no common ones; and what nothing is known of is not taken for an
        object of a class whose methods set an attribute of the same name.
        """
        written, read = self._model.value(setter), self._model.value(reader)
        classes = self._class(setter), self._class(reader)
        if classes[0] is not None and classes[1] is not None:
            return classes[0] in classes[1].lineage() or classes[1] in classes[0].lineage()
        if read.class_ is None and not is_self(reader) and written.class_ is not None:
            return False
        if not written.is_known or not read.is_known:
            return True
        return written.kind is read.kind

    def _class(self, node: cst.BaseExpression) -> ClassInfo | None:
        """The class that an object is of, or that it is: `cls` in a class method is its own."""
        unit = self._model.unit(node)
        if unit.method is MethodKind.CLASS and unit.parameters and isinstance(node, cst.Name):
            if node.value == unit.parameters[0].name:
                return unit.class_
        return self._model.value(node).class_

    @cached_property
    def _mutated(self) -> dict[str, list[tuple[Scope, cst.CSTNode]]]:
        """The names whose value is changed in place: the scope that binds each, and the place."""
        found: dict[str, list[tuple[Scope, cst.CSTNode]]] = {}
        for call in self._model.everywhere(cst.Call):
            for holder in changed_by(self._model, call):
                self._note(holder, found)
        for target in self.targets:
            if isinstance(target, cst.Subscript):
                self._note(target.value, found)
        return found

    def _note(self, node: cst.CSTNode, found: dict[str, list[tuple[Scope, cst.CSTNode]]]) -> None:
        while isinstance(node, cst.Subscript):
            node = node.value
        if isinstance(node, cst.Name):
            home, name = self.home(node.value, self._model.binder.scope(node))
            if home is not None:
                found.setdefault(name, []).append((home, node))

    @cached_property
    def targets(self) -> list[cst.CSTNode]:
        """What statements set or delete, anywhere: names, attributes, items of containers."""
        assigned: list[cst.CSTNode] = [t.target for t in self._model.everywhere(cst.AssignTarget)]
        assigned += [a.target for a in self._model.everywhere(cst.AugAssign)]
        assigned += [a.target for a in self._model.everywhere(cst.AnnAssign)]
        assigned += [loop.target for loop in self._model.everywhere(cst.For)]
        assigned += [loop.target for loop in self._model.everywhere(cst.CompFor)]
        assigned += [
            item.asname.name for item in self._model.everywhere(cst.WithItem) if item.asname
        ]
        assigned += [deletion.target for deletion in self._model.everywhere(cst.Del)]
        flat: list[cst.CSTNode] = []
        while assigned:
            target = assigned.pop()
            if isinstance(target, (cst.Tuple, cst.List)):
                assigned.extend(element.value for element in target.elements)
            else:
                flat.append(target)
        return flat

    @cached_property
    def _attributes(self) -> dict[str, list[cst.Attribute]]:
        """The names of attributes that are set outside of constructors, with the places."""
        found: dict[str, list[cst.Attribute]] = {}
        for target in self.targets:
            node = target
            while isinstance(node, cst.Subscript):
                node = node.value
            if not isinstance(node, cst.Attribute):
                continue
            unit = self._model.unit(target)
            is_own = node is target or (id(unit), node.attr.value) in self._made_empty
            if not (is_own and self.constructs(unit)):
                found.setdefault(node.attr.value, []).append(node)
        for call in self._model.everywhere(cst.Call):
            for holder in changed_by(self._model, call):
                if isinstance(holder, cst.Attribute):
                    if not self.constructs(self._model.unit(call)):
                        if self._model.value(holder).kind is not Kind.MODEL:
                            found.setdefault(holder.attr.value, []).append(holder)
        return found

    @cached_property
    def _made_empty(self) -> set[tuple[int, str]]:
        """The functions, by identity, that set an attribute to a list or dict that they write out,
        with its name: what they put into it then is in no other object's."""
        found = set[tuple[int, str]]()
        for each in self._model.everywhere(cst.AssignTarget):
            line = self._model.parent(each)
            if isinstance(each.target, cst.Attribute) and isinstance(line, cst.Assign):
                if isinstance(line.value, (cst.List, cst.Dict)) and not line.targets[1:]:
                    found.add((id(self._model.unit(line)), each.target.attr.value))
        return found

    @cached_property
    def set_by_name(self) -> list[tuple[cst.Call, str | None]]:
        """The calls `setattr(x, name, value)` outside of constructors; the name where it is known."""
        found: list[tuple[cst.Call, str | None]] = []
        for call in self._model.everywhere(cst.Call):
            if self._model.names.of(call.func) != {"builtins.setattr"} or len(call.args) != 3:
                continue
            if self.constructs(self._model.unit(call)):
                continue
            name = self._model.value(call.args[1].value)
            written = name.constant if name.has_constant else None
            found.append((call, written if isinstance(written, str) else None))
        return found

    def constructs(self, unit: Unit) -> bool:
        """Whether a method runs only while its object is made."""
        return ends_well(unit, self._making)

    def _making(self, unit: Unit) -> list[Unit] | None:
        """The methods that run a method; None where something else may, and nothing where objects are made."""
        if unit.name in _CONSTRUCTORS:
            return []
        callers = [edge.caller for edge in self._model.calls.untraced(unit)]
        are_methods = unit.is_method and all(caller.is_method for caller in callers)
        return callers if callers and are_methods else None

    def _from_elsewhere(self, binding: Binding, home: Scope) -> bool:
        """Whether `global` or `nonlocal` brought the binding from another function."""
        where = self._model.binder.scope(binding.node)
        if where.kind is ScopeKind.COMPREHENSION or binding.kind is BindingKind.PARAMETER:
            return False
        return where.function is not home.function


def _running(model: Answers, code: cst.CSTNode) -> tuple[frozenset[int], frozenset[int]]:
    """The nodes of some code, and the functions that a run of it runs, by identity."""
    return frozenset(map(id, walk(code))), frozenset(map(id, model.calls.run_by([code])))
