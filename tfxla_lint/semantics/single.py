"""Batches of one: expressions that are surely arrays with a leading dimension of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


def is_single(value: Value) -> bool:
    """Whether a value is one batch of one, or a list of inputs that all are."""
    if value.shape:
        return value.shape[0] == 1 and type(value.shape[0]) is int
    if value.kind is Kind.LIST and value.elements:
        return all(is_single(element) for element in value.elements)
    return False


def argument_for(edge: Edge, unit: Unit, name: str) -> cst.BaseExpression | None:
    """What the call of an edge passes to a parameter, where it is written out."""
    call = edge.node
    if not isinstance(call, cst.Call) or any(argument.star for argument in call.args):
        return None
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == name:
            return argument.value
    names = [p.name for p in unit.parameters if p.form in ("positional", "either")]
    if name not in names:
        return None
    position = names.index(name) - (1 if unit.is_method else 0)
    plain = [argument.value for argument in call.args if argument.keyword is None]
    return plain[position] if 0 <= position < len(plain) else None


def callers_passing_single(
    model: SemanticModel, unit: Unit, node: cst.BaseExpression
) -> list[Edge]:
    """The calls of `unit` that pass a batch of one for the parameter that `node` names."""
    if not isinstance(node, cst.Name) or unit.parameter(node.value) is None:
        return []
    if len(unit.scope.bindings.get(node.value, ())) != 1:
        return []
    found: list[Edge] = []
    for edge in model.calls.untraced(unit):
        given = argument_for(edge, unit, node.value)
        if given is not None and is_single(model.value(given)):
            found.append(edge)
    return found
