"""Whether a function is given one model or optimizer, or one after the other.

The second optimizer, or model that is not built, would make its variables on a later trace, which
`tf.function` refuses. A call in sight says where its argument was made; what runs that place, or
the call, again makes or brings another object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.repetition import around_call, is_around, is_repeated
from tfxla_lint.semantics.scopes import Binding, BindingKind, ScopeKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import ClassInfo, MethodKind, Parameter, Unit
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge

#: What makes variables of its own, some of them when it is first used.
MAKING = frozenset({Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER})
_REBINDING = frozenset({BindingKind.FOR, BindingKind.ASSIGNMENT, BindingKind.AUGMENTED})
_DISPLAYS = (cst.Call, cst.List, cst.Tuple, cst.Dict, cst.BaseComp)


def makes_variables(value: Value) -> bool:
    """Whether this is a model or optimizer, or an object of the project's that holds one."""
    if value.kind in MAKING:
        return True
    if value.kind is not Kind.OBJECT or value.class_ is None:
        return False
    return any(
        held.kind in MAKING for info in value.class_.lineage() for held in info.attributes.values()
    )


def takes_several(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether some call in sight brings another object each time that it is run."""
    return _Lifetimes(model, unit).parameter(unit, parameter)


class _Lifetimes:
    """Follows arguments to where they are made, for one function that would be traced.

    Each parameter on the way is asked once; `seen` are the bindings on the way of one argument.
    """

    def __init__(self, model: Answers, traced: Unit) -> None:
        self._model = model
        self._traced = traced
        self._visited: set[int] = set()

    def parameter(
        self, unit: Unit, parameter: Parameter, seen: frozenset[int] = frozenset()
    ) -> bool:
        """Whether a parameter of a unit on the way is given several objects."""
        if id(parameter) in self._visited or is_around(unit, self._traced):
            return False
        self._visited.add(id(parameter))
        for edge in self._model.calls.from_others(unit):
            given = edge.argument(parameter.name)
            if given is None or (unit is self._traced and self._is_of_several(edge, seen)):
                continue
            if self._gives_several(given, edge, seen):
                return True
        return False

    def _is_of_several(self, edge: Edge, seen: frozenset[int]) -> bool:
        """Whether the traced method is called on several objects, each with traces of its own."""
        function = edge.node.func if isinstance(edge.node, cst.Call) else None
        if self._traced.method is not MethodKind.INSTANCE or not isinstance(
            function, cst.Attribute
        ):
            return False
        return self._gives_several(function.value, edge, seen)

    def _gives_several(self, node: cst.BaseExpression, edge: Edge, seen: frozenset[int]) -> bool:
        """Whether the runs of a call find another object in one of its arguments."""
        if isinstance(node, cst.Name):
            bindings = self._model.binder.scope(node).lookup(node.value)
            return any(self._binds_several(binding, edge, seen) for binding in bindings)
        if isinstance(node, cst.Attribute):
            return self._holds_several(node, edge, seen)
        if isinstance(node, cst.Subscript):
            varies = any(self._turns_with(n, edge) for n in walk(node))
            return varies or self._gives_several(node.value, edge, seen)
        if isinstance(node, cst.IfExp):
            return any(self._gives_several(n, edge, seen) for n in (node.body, node.orelse))
        if isinstance(node, cst.BooleanOperation):
            return any(self._gives_several(n, edge, seen) for n in (node.left, node.right))
        return is_made(self._model, node) and self._runs_again(node, edge.node)

    def _runs_again(self, making: cst.CSTNode, call: cst.CSTNode) -> bool:
        """Whether what makes an object is run again for a later run of the call."""
        model = self._model
        around = {id(n) for n in (*model.ancestors(call), call)}
        if any(id(loop) in around for loop in around_call(model, making, self._traced)):
            return True
        home = model.unit(making)
        if home.is_module:
            return bool(around_call(model, making)) and not model.unit(call).is_module
        return is_repeated(model, home, self._traced)

    def _binds_several(self, binding: Binding, edge: Edge, seen: frozenset[int]) -> bool:
        if binding.kind is BindingKind.PARAMETER:
            owner = self._model.unit_of_scope(binding.scope)
            parameter = owner.parameter(binding.name)
            return parameter is not None and self.parameter(owner, parameter, seen)
        if binding.kind is BindingKind.FOR:
            return self._is_target(binding, edge)
        if binding.kind is not BindingKind.ASSIGNMENT or id(binding) in seen:
            return False
        value = self._model.flow.source(binding)
        return value is not None and self._gives_several(value, edge, seen | {id(binding)})

    def _is_target(self, binding: Binding, edge: Edge) -> bool:
        """Whether a loop around the call goes through the objects."""
        around = around_call(self._model, edge.node, self._traced)
        if binding.scope.kind is ScopeKind.COMPREHENSION:
            return binding.scope.node in around
        return any(loop in around for loop in self._model.ancestors(binding.node))

    def _turns_with(self, node: cst.CSTNode, edge: Edge) -> bool:
        if not isinstance(node, cst.Name):
            return False
        bindings = self._model.binder.scope(node).lookup(node.value)
        return any(b.kind in _REBINDING and self._is_target(b, edge) for b in bindings)

    def _holds_several(self, node: cst.Attribute, edge: Edge, seen: frozenset[int]) -> bool:
        """Whether the object that has the attribute, or the attribute, is another one each time."""
        caller = edge.caller
        receiver = caller.parameters[0].name if caller.is_method and caller.parameters else None
        if not isinstance(node.value, cst.Name) or node.value.value != receiver:
            if not isinstance(node.value, (cst.Name, cst.Attribute)):
                return False
            return self._is_set_outside(node, edge) or self._gives_several(node.value, edge, seen)
        is_own = self._traced.method is MethodKind.INSTANCE and _is_on(edge.node, receiver)
        info = caller.class_
        if is_own or info is None:
            return False
        return self._is_set_again(info, node.attr.value) or self._has_several(info)

    def _is_set_outside(self, node: cst.Attribute, edge: Edge) -> bool:
        """Whether the attribute of an object at hand is set again for later runs of the call."""
        model = self._model
        info = model.value(node.value).class_
        return info is not None and any(
            model.unit(write.target).name != "__init__"
            and self._runs_again(write.statement, edge.node)
            for write in model.flow.attributes.written(info, node.attr.value)
        )

    def _is_set_again(self, info: ClassInfo, name: str) -> bool:
        model = self._model
        writes = model.flow.attributes.written(info, name)
        setters = {id(u): u for u in (model.unit(write.target) for write in writes)}
        return any(
            unit.name != "__init__" and is_repeated(model, unit, self._traced)
            for unit in setters.values()
        )

    def _has_several(self, info: ClassInfo) -> bool:
        """Whether the program makes more than one object of a class."""
        made = [
            call
            for call in self._model.everywhere(cst.Call)
            if (value := self._model.value(call.func)).kind is Kind.CLASS
            and value.class_ is not None
            and info in value.class_.lineage()
        ]
        return len(made) > 1 or any(
            around_call(self._model, call, self._traced)
            or is_repeated(self._model, self._model.unit(call), self._traced)
            for call in made
        )


def is_made(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an expression makes an object each time that it is run."""
    if not isinstance(node, _DISPLAYS):
        return False
    callees = model.callees(node) if isinstance(node, cst.Call) else []
    return not any(_hands_out(callee.unit) for callee in callees)


def _hands_out(unit: Unit) -> bool:
    """Whether a function may return what it did not make: a parameter, or what is kept outside."""
    if unit.unknown_decorators:
        return True
    returned = [
        node.value
        for node in walk(unit.node, into_scopes=False)
        if isinstance(node, cst.Return) and node.value is not None
    ]
    return any(
        not isinstance(value, cst.Name) or _is_from_outside(unit, value.value)
        for value in returned
        if isinstance(value, (cst.Name, cst.Attribute, cst.Subscript))
    )


def _is_from_outside(unit: Unit, name: str) -> bool:
    bindings = unit.scope.bindings.get(name, ())
    return not bindings or any(b.kind is BindingKind.PARAMETER for b in bindings)


def _is_on(node: cst.CSTNode, receiver: str | None) -> bool:
    """Whether a call is one of a method of the caller's own object."""
    function = node.func if isinstance(node, cst.Call) else None
    return (
        isinstance(function, cst.Attribute)
        and isinstance(function.value, cst.Name)
        and function.value.value == receiver
    )
