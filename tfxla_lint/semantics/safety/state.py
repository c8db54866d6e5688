"""Outer Python state: names, attributes and containers that change while a program runs.

A trace reads them once; what changes later goes unseen.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.safety.order import runs_before
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope, ScopeKind
from tfxla_lint.semantics.syntax import target_names
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.units import Unit

_STILL = frozenset({BindingKind.IMPORT, BindingKind.FUNCTION, BindingKind.CLASS})
MUTATING = frozenset(
    {"append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "add",
     "sort", "reverse", "fill", "popitem", "discard", "appendleft", "popleft"}
)  # fmt: skip
_KNOBS = frozenset({"trainable", "rate", "momentum", "training"})
_CONSTRUCTORS = frozenset({"__init__", "build", "__new__", "setUp", "__post_init__"})


class OuterState:
    """Answers which outer state changes."""

    def __init__(self, model: SemanticModel) -> None:
        self._model = model

    def name_changes(self, name: str, scope: Scope) -> bool:
        """Whether the name that a read in `scope` finds is bound more than once over time.

        An imported name holds what the other module had bound when it was imported.
        """
        home = scope.home(name)
        if home is None:
            return False
        bindings = [b for b in home.bindings[name] if b.kind is not BindingKind.ANNOTATION]
        if not bindings or all(b.kind in _STILL for b in bindings):
            return False
        if bindings[0].kind is BindingKind.PARAMETER and len(bindings) == 1:
            return False
        if self._is_settled(bindings, home, scope):
            return False
        for binding in bindings:
            if binding.kind in (BindingKind.AUGMENTED, BindingKind.FOR):
                return True
            if self._in_loop(binding) or self._from_elsewhere(binding, home):
                return True
        return len(bindings) > 1 and not self._are_alternatives(bindings)

    def is_set_elsewhere(self, name: str, scope: Scope) -> bool:
        """Whether a function binds the name by `global` or `nonlocal`."""
        home = scope.home(name)
        return home is not None and any(
            self._from_elsewhere(binding, home) for binding in home.bindings[name]
        )

    def is_mutated(self, name: str, scope: Scope) -> bool:
        """Whether the container that `name` holds is changed in place anywhere."""
        home, name = self._home(name, scope)
        if home is None or all(b.kind in _STILL for b in home.bindings[name]):
            return False
        return any(holder is home for holder in self._mutated.get(name, ()))

    def _home(self, name: str, scope: Scope) -> tuple[Scope | None, str]:
        """The scope that binds what a read of `name` finds, through imports of other modules."""
        home = scope.home(name)
        bindings = home.bindings[name] if home is not None else []
        if len(bindings) == 1 and bindings[0].kind is BindingKind.IMPORT:
            target = self._model.names.target(bindings[0])
            if isinstance(target, Member) and target.name in target.scope.bindings:
                return target.scope, target.name
        return home, name

    def attribute_changes(self, node: cst.Attribute) -> bool:
        """Whether the attribute that `node` reads is set outside of constructors anywhere, by code
        that may run after a first reading."""
        holder = self._model.value(node.value)
        return any(
            _may_be_same(self._model.value(setter.value), holder)
            and not runs_before(self._model, setter, node)
            for setter in self._attributes.get(node.attr.value, ())
        )

    def outside_attribute_changes(self, node: cst.Attribute) -> bool:
        """`attribute_changes` for an object of a class that is not seen: `args.length += 1`."""
        return any(
            self._is_same(setter, node) and not runs_before(self._model, setter, node)
            for setter in self._attributes.get(node.attr.value, ())
        )

    @cached_property
    def turned_knobs(self) -> frozenset[str]:
        """The settings of layers and models that change: on turns of a loop, or to and fro.

        A trace keeps the setting that it saw first.
        """
        knobs = [
            target
            for target in self._targets
            if isinstance(target, cst.Attribute)
            and target.attr.value in _KNOBS
            and not self._constructs(self._model.unit(target))
        ]
        return frozenset(
            target.attr.value
            for target in knobs
            if self._is_set_again(target) or self._is_set_otherwise(target, knobs)
        )

    def _is_set_otherwise(self, target: cst.Attribute, knobs: list[cst.Attribute]) -> bool:
        """Whether an attribute of one object is set to other values, too, such as for fine-tuning.

        `base.trainable = False` for a first part of the training, `base.trainable = True` for the
        second; or a function that is called to set it, each time to what it is given.
        """
        unit, value = self._model.unit(target), self._set_value(target)
        if value is None or not value.has_constant:
            is_given = isinstance(target.value, cst.Name) and unit.parameter(target.value.value)
            return bool(is_given) and len(self._model.contexts.callers.get(id(unit), ())) > 1
        return any(
            other is not target
            and self._is_same(other, target)
            and ((given := self._set_value(other)) is None or given != value)
            and not _exclude(self._branches(other.value), self._branches(target.value))
            for other in knobs
        )

    def _is_same(self, first: cst.Attribute, second: cst.Attribute) -> bool:
        """Whether two attributes are one: of a name, or of an attribute of `self` in one class."""
        code = self._model.module.code_for_node
        if code(first) != code(second):
            return False
        root: cst.CSTNode = first
        other: cst.CSTNode = second
        while isinstance(root, cst.Attribute) and isinstance(other, cst.Attribute):
            root, other = root.value, other.value
        if not isinstance(root, cst.Name) or not isinstance(other, cst.Name):
            return False
        units = self._model.unit(first), self._model.unit(second)
        if units[0].is_method and root.value == "self":
            return units[0].class_ is units[1].class_
        homes = [self._home(n.value, self._model.binder.scope(n))[0] for n in (root, other)]
        return homes[0] is not None and homes[0] is homes[1]

    def _set_value(self, target: cst.Attribute) -> Value | None:
        """What an assignment puts there."""
        assign = self._model.parent(self._model.parent(target) or target)
        return self._model.value(assign.value) if isinstance(assign, cst.Assign) else None

    def _is_set_again(self, target: cst.Attribute) -> bool:
        """Whether a loop sets an attribute of the same object on several turns.

        `for layer in model.layers: layer.trainable = False` sets it once for each layer.
        """
        loops = self._model.loops.around(target, self._model.unit(target))
        value = self._set_value(target)
        once = value is not None and value.has_constant
        if once and loops and isinstance(loops[-1], cst.For) and isinstance(target.value, cst.Name):
            if target.value.value in target_names(loops[-1].target):
                loops = loops[:-1]
        return bool(loops)

    @cached_property
    def _mutated(self) -> dict[str, list[Scope]]:
        """The names whose value is changed in place, with the scopes in which that stands."""
        found: dict[str, list[Scope]] = {}
        for call in self._model.everywhere(cst.Call):
            func = call.func
            if isinstance(func, cst.Attribute) and func.attr.value in MUTATING:
                self._note(func.value, found)
        for target in self._targets:
            if isinstance(target, cst.Subscript):
                self._note(target.value, found)
        return found

    def _note(self, node: cst.CSTNode, found: dict[str, list[Scope]]) -> None:
        while isinstance(node, cst.Subscript):
            node = node.value
        if isinstance(node, cst.Name):
            home, name = self._home(node.value, self._model.binder.scope(node))
            if home is not None:
                found.setdefault(name, []).append(home)

    @cached_property
    def _targets(self) -> list[cst.CSTNode]:
        assigned: list[cst.CSTNode] = [t.target for t in self._model.everywhere(cst.AssignTarget)]
        assigned += [a.target for a in self._model.everywhere(cst.AugAssign)]
        assigned += [a.target for a in self._model.everywhere(cst.AnnAssign)]
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
        for target in self._targets:
            node = target
            while isinstance(node, cst.Subscript):
                node = node.value
            if not isinstance(node, cst.Attribute):
                continue
            if node is not target or not self._constructs(self._model.unit(target)):
                found.setdefault(node.attr.value, []).append(node)
        for call in self._model.everywhere(cst.Call):
            func = call.func
            if isinstance(func, cst.Attribute) and func.attr.value in MUTATING:
                holder = func.value
                if isinstance(holder, cst.Attribute):
                    if not self._constructs(self._model.unit(call)):
                        if self._model.value(holder).kind is not Kind.MODEL:
                            found.setdefault(holder.attr.value, []).append(holder)
        return found

    def _constructs(self, unit: Unit, seen: frozenset[int] = frozenset()) -> bool:
        """Whether a method runs only while its object is made."""
        if unit.name in _CONSTRUCTORS:
            return True
        edges = self._model.contexts.callers.get(id(unit), ())
        if not unit.is_method or not edges or id(unit) in seen:
            return False
        seen = seen | {id(unit)}
        return all(e.caller.is_method and self._constructs(e.caller, seen) for e in edges)

    def _in_loop(self, binding: Binding) -> bool:
        unit = self._model.units.of_scope(binding.scope)
        return bool(self._model.loops.around(binding.node, unit))

    def _is_settled(self, bindings: list[Binding], home: Scope, scope: Scope) -> bool:
        """Whether the module binds its name for the last time before it defines the reader.

        `X = load()` and `X = tf.constant(X)` above a function that reads `X` are over when the
        function can first run.
        """
        if home.kind is not ScopeKind.MODULE or scope.function is home:
            return False
        if any(self._from_elsewhere(binding, home) for binding in bindings):
            return False
        reader = self._place(scope.function.node)
        places = [self._place(binding.node) for binding in bindings]
        return all(place[0] is reader[0] and place[1] < reader[1] for place in places)

    def _place(self, node: cst.CSTNode) -> tuple[cst.CSTNode, int]:
        """The module of a node, and which of its statements holds the node."""
        child, parent = node, self._model.parent(node)
        while parent is not None and not isinstance(parent, cst.Module):
            child, parent = parent, self._model.parent(parent)
        if parent is None:
            return child, -1
        return parent, next(i for i, s in enumerate(parent.body) if s is child)

    def _from_elsewhere(self, binding: Binding, home: Scope) -> bool:
        """Whether `global` or `nonlocal` brought the binding from another function."""
        where = self._model.binder.scope(binding.node)
        if where.kind is ScopeKind.COMPREHENSION or binding.kind is BindingKind.PARAMETER:
            return False
        return where.function is not home.function

    def _are_alternatives(self, bindings: list[Binding]) -> bool:
        """Whether at most one of the bindings runs (branches of one `if` or `try`)."""
        paths = [self._branches(binding.node) for binding in bindings]
        return all(
            _exclude(first, second)
            for index, first in enumerate(paths)
            for second in paths[index + 1 :]
        )

    def _branches(self, node: cst.CSTNode) -> dict[int, int]:
        """For each `if` and `try` around a node, the branch it stands in."""
        found: dict[int, int] = {}
        child, parent = node, self._model.parent(node)
        while parent is not None:
            if isinstance(parent, (cst.If, cst.Try)):
                found[id(parent)] = id(child)
            child, parent = parent, self._model.parent(parent)
        return found


def _exclude(first: dict[int, int], second: dict[int, int]) -> bool:
    """Whether two places stand in different branches of one statement."""
    return any(first.get(key, branch) != branch for key, branch in second.items())


def _may_be_same(setter: Value, reader: Value) -> bool:
    """Whether the objects of two expressions can be one: unrelated classes have no common ones."""
    if setter.class_ is not None and reader.class_ is not None:
        lineages = setter.class_.lineage(), reader.class_.lineage()
        return setter.class_ in lineages[1] or reader.class_ in lineages[0]
    if not setter.is_known or not reader.is_known:
        return True
    return setter.kind is reader.kind
