"""Whether calls hand a function objects that are made at different places.

Two models, or two optimizers, made at two places are two objects, whether the function is called with
both or something on the way to it is: `train(net, opt)` called twice, which calls the step once.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.origins import PASSING, THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.repetition import exclude, is_around
from tfxla_lint.semantics.safety.lifetimes import is_made
from tfxla_lint.semantics.units import MethodKind, Parameter, Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge

_Makers = frozenset[Hashable]


def made_apart(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether two calls, of a unit or of what calls it, bring objects made at different places."""
    return _Comparison(model, unit).differs(parameter)


def is_one(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether all that the calls in sight may bring for a parameter surely is what one place makes: no
    attribute, no member of a container and no name of another module, which may be another one by then."""
    made = list(_Comparison(model, unit).makers(parameter))
    return len(made) == 1 and isinstance(made[0], int)


class _Comparison:
    """Compares what the calls on the way to one traced function hand over."""

    def __init__(self, model: Answers, traced: Unit) -> None:
        self._model = model
        self._traced = traced
        #: The parameters through which objects reach the traced function, by identity.
        self._way: dict[int, tuple[Unit, Parameter]] = {}
        through = Through(attributes=True, agree=Agree.ALL)
        self._made = Origins(model.flow, through, self._judge)

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

    def makers(self, parameter: Parameter) -> _Makers:
        """Where what the calls bring for a parameter of the traced function may be made."""
        self._way = {id(parameter): (self._traced, parameter)}
        edges = self._model.calls.from_others(self._traced)
        return frozenset().union(*(self._handed(edge, parameter) for edge in edges))

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

    def _handed(self, edge: Edge, parameter: Parameter) -> _Makers:
        """What makes that which a call hands over for a parameter; empty where it isn't seen."""
        return self._made.handed(edge, edge.passed(parameter.name).node) or frozenset()

    def _judge(self, node: cst.CSTNode, path: Path) -> _Makers | Look:
        """Keys of the places at which the object may be made: equal keys are one object."""
        model = self._model
        if isinstance(node, cst.Param):
            return self._of_parameter(node)
        if path or not isinstance(node, cst.BaseExpression):
            return frozenset({(id(node), path)})
        if names := model.names.of(node):
            return frozenset(names)
        if isinstance(node, cst.Attribute) and model.names.member(node) is None:
            return self._of_attribute(node)
        if isinstance(node, PASSING):
            return THROUGH
        if isinstance(node, cst.Subscript):
            index = tuple(model.code(element) for element in node.slice)
            return frozenset({("item", self._made.of(node.value), index)})
        return frozenset({id(node) if is_made(model, node) else model.code(node)})

    def _of_parameter(self, node: cst.Param) -> _Makers:
        """What the calls in sight bring; what a function around the traced one gets, is its own."""
        unit = self._model.unit(node)
        parameter = unit.parameter(node.name.value)
        if parameter is None or is_around(unit, self._traced):
            return frozenset({id(node)})
        self._way.setdefault(id(parameter), (unit, parameter))
        handed = (self._handed(e, parameter) for e in self._model.calls.from_others(unit))
        return frozenset().union(*handed) or frozenset({id(node)})

    def _of_attribute(self, node: cst.Attribute) -> _Makers:
        unit = self._model.unit(node)
        receiver = unit.parameters[0].name if unit.is_method and unit.parameters else None
        if isinstance(node.value, cst.Name) and node.value.value == receiver and unit.class_:
            return frozenset({("own", id(unit.class_.lineage()[-1]), node.attr.value)})
        return frozenset({("attribute", self._made.of(node.value), node.attr.value)})
