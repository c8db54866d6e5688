"""Whether calls hand a function objects that are made at different places.

Two models, or two optimizers, made at two places are two objects, whether the function is called with
both or something on the way to it is: `train(net, opt)` called twice, which calls the step once.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.flow.unpacking import taken
from tfxla_lint.semantics.repetition import exclude, is_around
from tfxla_lint.semantics.safety.lifetimes import is_made
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.units import MethodKind, Parameter, Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge

_Makers = frozenset[Hashable]


def made_apart(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether two calls, of a unit or of what calls it, bring objects made at different places."""
    return _Comparison(model, unit).differs(parameter)


class _Comparison:
    """Compares what the calls on the way to one traced function hand over."""

    def __init__(self, model: Answers, traced: Unit) -> None:
        self._model = model
        self._traced = traced
        #: The parameters through which objects reach the traced function, by identity.
        self._way: dict[int, tuple[Unit, Parameter]] = {}

    def differs(self, parameter: Parameter) -> bool:
        """Whether it is so for a parameter of the traced function, or for one on the way to it."""
        self._way = {id(parameter): (self._traced, parameter)}
        asked: set[int] = set()
        while pending := [key for key in self._way if key not in asked]:
            for key in pending:
                asked.add(key)
                if self._brings_several(*self._way[key]):
                    return True
        return False

    def _brings_several(self, unit: Unit, parameter: Parameter) -> bool:
        edges = self._model.calls.from_others(unit)
        found = [(edge, self._handed(edge, parameter)) for edge in edges]
        return any(
            makers and others and makers != others and self._meet(unit, edge, other)
            for index, (edge, makers) in enumerate(found)
            for other, others in found[:index]
        )

    def _meet(self, unit: Unit, first: Edge, second: Edge) -> bool:
        """Whether two calls may run in one program, and for one trace."""
        if exclude(self._model, first.node, second.node):
            return False
        both_methods = unit.method is self._traced.method is MethodKind.INSTANCE
        if not both_methods or unit.class_ is None or self._traced.class_ is None:
            return True
        kin = {*unit.class_.lineage()} & {*self._traced.class_.lineage()}
        receiver = unit.parameters[0]
        return not kin or self._handed(first, receiver) == self._handed(second, receiver)

    def _handed(
        self, edge: Edge, parameter: Parameter, seen: frozenset[int] = frozenset()
    ) -> _Makers:
        """What makes that which a call hands over for a parameter; empty where it isn't seen."""
        given = edge.passed(parameter.name).node
        return self._of(given, seen) if given is not None else frozenset()

    def _of(self, node: cst.BaseExpression, seen: frozenset[int]) -> _Makers:
        """Keys of the places at which the object may be made: equal keys are one object."""
        if isinstance(node, cst.Name):
            return self._of_name(node, seen)
        if isinstance(node, cst.NamedExpr):
            return self._of(node.value, seen)
        if isinstance(node, cst.Attribute):
            return self._of_attribute(node, seen)
        if isinstance(node, cst.Subscript):
            index = tuple(self._text(element) for element in node.slice)
            return frozenset({("item", self._of(node.value, seen), index)})
        return frozenset({id(node) if is_made(self._model, node) else self._text(node)})

    def _of_name(self, node: cst.Name, seen: frozenset[int]) -> _Makers:
        return self._of_bindings(self._model.flow.reached(node).bindings, seen)

    def _of_bindings(self, bindings: Sequence[Binding], seen: frozenset[int]) -> _Makers:
        return frozenset().union(*(self._of_binding(binding, seen) for binding in bindings))

    def _of_binding(self, binding: Binding, seen: frozenset[int]) -> _Makers:
        if id(binding) in seen:
            return frozenset()
        seen = seen | {id(binding)}
        if binding.kind is BindingKind.PARAMETER:
            return self._of_parameter(binding, seen)
        if binding.kind is BindingKind.IMPORT:
            target = self._model.names.target(binding)
            if isinstance(target, Member):
                return self._of_bindings(target.scope.bindings.get(target.name, []), seen)
            return frozenset({binding.imported})
        if binding.kind is not BindingKind.ASSIGNMENT:
            return frozenset({id(binding)})
        if binding.value is not None:
            return self._of(binding.value, seen)
        source = taken(self._model.binder, binding)
        return frozenset({(id(source.node) if source is not None else None, binding.name)})

    def _of_parameter(self, binding: Binding, seen: frozenset[int]) -> _Makers:
        """What the calls in sight bring; what a function around the traced one gets, is its own."""
        unit = self._model.unit_of_scope(binding.scope)
        parameter = unit.parameter(binding.name)
        if parameter is None or is_around(unit, self._traced):
            return frozenset({id(binding)})
        self._way.setdefault(id(parameter), (unit, parameter))
        handed = (self._handed(e, parameter, seen) for e in self._model.calls.from_others(unit))
        return frozenset().union(*handed) or frozenset({id(binding)})

    def _of_attribute(self, node: cst.Attribute, seen: frozenset[int]) -> _Makers:
        member = self._model.names.member(node)
        if member is not None:
            return self._of_bindings(member.scope.bindings.get(member.name, []), seen)
        unit = self._model.unit(node)
        receiver = unit.parameters[0].name if unit.is_method and unit.parameters else None
        if isinstance(node.value, cst.Name) and node.value.value == receiver and unit.class_:
            return frozenset({("own", id(unit.class_.lineage()[-1]), node.attr.value)})
        return frozenset({("attribute", self._of(node.value, seen), node.attr.value)})

    def _text(self, node: cst.CSTNode) -> str:
        return self._model.code(node)
