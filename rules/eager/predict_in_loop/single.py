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
        given = edge.argument(node.value)
        if given is not None and is_single(model.value(given)):
            found.append(edge)
    return found
