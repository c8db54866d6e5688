"""Whether a function is given one model or optimizer, or one after the other.

The second optimizer, or model that is not built, would make its variables on a later trace, which
`tf.function` refuses. A call in sight says where its argument was made; what runs that place, or
the call, again makes or brings another object.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.origins import PASSING, THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.repetition import around_call, is_around, is_repeated
from tfxla_lint.semantics.scopes import BindingKind
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
    return bool(_Lifetimes(model, unit).several.of(parameter.node))


def given_for_good(model: Answers, unit: Unit) -> list[str]:
    """The parameters for which the calls in sight pass an optimizer: another one would make variables
    on a later trace."""
    edges = model.calls.from_others(unit)
    given = [(p.name, edge.argument(p.name)) for p in unit.parameters for edge in edges]
    held = ((name, model.value(node)) for name, node in given if node is not None)
    return list(dict.fromkeys(name for name, value in held if value.kind is Kind.OPTIMIZER))


class _Lifetimes:
    """Follows arguments to where they are made, for one function that would be traced.

    `several` says whether the runs of the call at hand find another object in an expression.
    """

    def __init__(self, model: Answers, traced: Unit) -> None:
        self._model = model
        self._traced = traced
        self.several = Origins(model.flow, Through(agree=Agree.ANY), self._judge)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look:
        if isinstance(node, cst.Param):
            return self._is_given_several(node)
        edge = self.several.call
        assert edge is not None
        if isinstance(node, (cst.For, cst.CompFor)):
            return self._turns_with(node, edge)
        if isinstance(node, cst.Attribute):
            return self._holds_several(node, edge)
        if isinstance(node, cst.Subscript):
            varies = any(self._is_turning(n, edge) for n in walk(node))
            return varies or bool(self.several.of(node.value))
        if isinstance(node, PASSING) or (path and isinstance(node, (cst.Tuple, cst.List))):
            return THROUGH
        return is_made(self._model, node) and self._runs_again(node, edge)

    def _is_given_several(self, node: cst.Param) -> bool:
        unit = self._model.unit(node)
        if is_around(unit, self._traced):
            return False
        for edge in self._model.calls.from_others(unit):
            given = edge.argument(node.name.value)
            if given is None or (unit is self._traced and self._is_of_several(edge)):
                continue
            if self.several.handed(edge, given):
                return True
        return False

    def _is_of_several(self, edge: Edge) -> bool:
        """Whether the traced method is called on several objects, each with traces of its own."""
        function = edge.node.func if isinstance(edge.node, cst.Call) else None
        if self._traced.method is not MethodKind.INSTANCE or not isinstance(
            function, cst.Attribute
        ):
            return False
        return bool(self.several.handed(edge, function.value))

    def _runs_again(self, making: cst.CSTNode, edge: Edge) -> bool:
        """Whether what makes an object is run again for a later run of the call."""
        model, call = self._model, edge.node
        around = {id(n) for n in (*model.ancestors(call), call)}
        if any(id(loop) in around for loop in around_call(model, making, self._traced)):
            return True
        home = model.unit(making)
        if home.is_module:
            return bool(around_call(model, making)) and not model.unit(call).is_module
        return is_repeated(model, home, self._traced)

    def _turns_with(self, node: cst.CSTNode, edge: Edge) -> bool:
        """Whether a loop around the call is what binds a name here, or binds it again."""
        around = around_call(self._model, edge.node, self._traced)
        return any(loop in around for loop in (node, *self._model.ancestors(node)))

    def _is_turning(self, node: cst.CSTNode, edge: Edge) -> bool:
        if not isinstance(node, cst.Name):
            return False
        bindings = self._model.flow.reached(node).bindings
        return any(b.kind in _REBINDING and self._turns_with(b.node, edge) for b in bindings)

    def _holds_several(self, node: cst.Attribute, edge: Edge) -> bool:
        """Whether the object that has the attribute, or the attribute, is another one each time."""
        caller = edge.caller
        receiver = caller.parameters[0].name if caller.is_method and caller.parameters else None
        if not isinstance(node.value, cst.Name) or node.value.value != receiver:
            if not isinstance(node.value, (cst.Name, cst.Attribute)):
                return False
            return self._is_set_outside(node, edge) or bool(self.several.of(node.value))
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
            model.unit(write.target).name != "__init__" and self._runs_again(write.statement, edge)
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
        together = (not self._model.world.in_other_programs(*two) for two in combinations(made, 2))
        return any(together) or any(
            around_call(self._model, call, self._traced)
            or is_repeated(self._model, self._model.unit(call), self._traced)
            for call in made
        )


def is_made(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an expression makes an object each time that it is run."""
    if not isinstance(node, _DISPLAYS):
        return False
    return not any(_hands_out(model, edge.callee) for edge in model.calls.at(node))


def _hands_out(model: Answers, unit: Unit) -> bool:
    """Whether a function may return what it did not make: a parameter, or what is kept outside."""
    return bool(unit.unknown_decorators) or any(
        not isinstance(value, cst.Name) or _is_from_outside(model, unit, value)
        for value in model.flow.returns(unit)
        if isinstance(value, (cst.Name, cst.Attribute, cst.Subscript))
    )


def _is_from_outside(model: Answers, unit: Unit, name: cst.Name) -> bool:
    bindings = model.flow.reached(name).bindings
    kept = (b.scope is not unit.scope or b.kind is BindingKind.PARAMETER for b in bindings)
    return not bindings or any(kept)


def _is_on(node: cst.CSTNode, receiver: str | None) -> bool:
    """Whether a call is one of a method of the caller's own object."""
    function = node.func if isinstance(node, cst.Call) else None
    return (
        isinstance(function, cst.Attribute)
        and isinstance(function.value, cst.Name)
        and function.value.value == receiver
    )
