"""Batches of one: expressions that are surely arrays with a leading dimension of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import NUMBERS, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


_RAGGED = "tensorflow.ragged."
_KEEPING = behaviour.methods(Trait.KEEPS_LENGTH, "array") - {"reshape"}


def is_single(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression is one batch of one, or a list of inputs that all are."""

    def judge(node: cst.CSTNode, path: Path) -> bool | Look | None:
        value = model.value(node)
        if not path and isinstance(node, cst.Subscript) and _is_one_row(model, node):
            return True
        if path or value.shape or value.kind is Kind.LIST:
            return not path and _is_of_one(value)
        if isinstance(node, cst.BinaryOperation):
            numbers = [model.value(side).kind in NUMBERS for side in (node.left, node.right)]
            return origins.of(node.right if numbers[0] else node.left) if any(numbers) else None
        if isinstance(node, cst.Call):
            return _is_ragged_one(model, node) or origins.of(_kept(model, node))
        return THROUGH if isinstance(node, cst.Name) else None

    origins: Origins[bool] = Origins(model.flow, Through(), judge)
    return bool(origins.of(node))


def _is_of_one(value: Value) -> bool:
    if value.shape:
        return value.shape[0] == 1 and type(value.shape[0]) is int
    if value.kind is Kind.LIST and value.elements:
        return all(map(_is_of_one, value.elements))
    return False


def _is_ragged_one(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call makes a ragged tensor of one row: `tf.ragged.constant([ids])`."""
    if not any(name.startswith(_RAGGED) for name in model.names.of(call.func)) or not call.args:
        return False
    rows = model.value(call.args[0].value)
    return rows.kind is Kind.LIST and rows.elements is not None and len(rows.elements) == 1


def _is_one_row(model: SemanticModel, node: cst.Subscript) -> bool:
    """Whether an index takes the one row `x[i : i + 1]`."""
    rows = node.slice[0].slice
    upper = rows.upper if isinstance(rows, cst.Slice) else None
    if not isinstance(rows, cst.Slice) or rows.lower is None:
        return False
    if not isinstance(upper, cst.BinaryOperation) or not isinstance(upper.operator, cst.Add):
        return False
    is_next = model.value(upper.right).constant == 1
    return is_next and model.code(upper.left) == model.code(rows.lower)


def _kept(model: SemanticModel, call: cst.Call) -> cst.BaseExpression | None:
    """What a call makes something of that has as many rows, as far as anybody can tell: a method
    that keeps them, or what processes a value and gives it back by the same name."""
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in _KEEPING:
        return call.func.value
    holder = model.parent(call)
    target = holder.targets[0].target if isinstance(holder, cst.Assign) else None
    given = call.args[0].value if call.args and call.args[0].keyword is None else None
    is_unknown = model.value(call).kind is Kind.UNKNOWN
    if not is_unknown or not isinstance(target, cst.Name) or not isinstance(given, cst.Name):
        return None
    return given if given.value == target.value else None


def callers_passing_single(
    model: SemanticModel, unit: Unit, node: cst.BaseExpression
) -> list[Edge]:
    """The calls of `unit` that pass a batch of one for the parameter that `node` names."""
    if not isinstance(node, cst.Name) or unit.parameter(node.value) is None:
        return []
    binding = model.flow.reached(node).only
    if binding is None or binding.kind is not BindingKind.PARAMETER:
        return []
    found: list[Edge] = []
    for edge in model.calls.untraced(unit):
        given = edge.argument(node.value)
        if given is not None and is_single(model, given):
            found.append(edge)
    return found
