"""Batches of one: expressions that are surely arrays with a leading dimension of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import NUMBERS, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


_NEW_AXES = frozenset({"numpy.newaxis", "tensorflow.newaxis"})
_RESHAPE = "reshape"
#: By function: where the shape stands that it gives its first argument.
_SHAPES = {n: at for n, at in behaviour.places("shape").items() if n.endswith(_RESHAPE)}
_KEEPING = behaviour.methods(Trait.KEEPS_LENGTH, "array") - {_RESHAPE}


def is_single(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression is one batch of one, or a list of inputs that all are."""

    def judge(node: cst.CSTNode, path: Path) -> bool | Look | None:
        value = model.value(node)
        if not path and isinstance(node, cst.Subscript) and _picks_one(model, node):
            return True
        if path or value.shape or value.kind is Kind.LIST:
            return not path and _is_of_one(value)
        if isinstance(node, cst.BinaryOperation):
            numbers = [model.value(side).kind in NUMBERS for side in (node.left, node.right)]
            return origins.of(node.right if numbers[0] else node.left) if any(numbers) else None
        if isinstance(node, cst.Call):
            kept = _kept(model, node)
            return _reshapes_to_one(model, node) or (kept is not None and origins.of(kept))
        return THROUGH if isinstance(node, cst.Name) else None

    origins: Origins[bool] = Origins(model.flow, Through(), judge)
    return bool(origins.of(node))


def _is_of_one(value: Value) -> bool:
    if value.shape:
        return value.shape[0] == 1 and type(value.shape[0]) is int
    if value.kind is Kind.LIST and value.elements:
        return all(map(_is_of_one, value.elements))
    return False


def _picks_one(model: SemanticModel, node: cst.Subscript) -> bool:
    """Whether an index adds a dimension in front, or takes one row: `x[None]`, `x[i : i + 1]`."""
    first = node.slice[0].slice
    if isinstance(first, cst.Index):
        return model.value(first.value).kind is Kind.NONE or bool(
            model.names.of(first.value) & _NEW_AXES
        )
    lower, upper = (first.lower, first.upper) if isinstance(first, cst.Slice) else (None, None)
    if lower is None or not isinstance(upper, cst.BinaryOperation):
        return False
    is_next = isinstance(upper.operator, cst.Add) and model.value(upper.right).constant == 1
    return is_next and model.code(upper.left) == model.code(lower)


def _reshapes_to_one(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call gives what it is given the shape `(1, ...)`."""
    name, function = model.names.one(call.func) or "", call.func
    if name in _SHAPES:
        shape = argument(call, *_SHAPES[name])
    else:
        is_method = not name and isinstance(function, cst.Attribute) and bool(call.args)
        is_reshape = is_method and cst.ensure_type(function, cst.Attribute).attr.value == _RESHAPE
        shape = call.args[0].value if is_reshape else None
    sizes = shape.elements if isinstance(shape, (cst.Tuple, cst.List)) else ()
    first = sizes[0].value if sizes else shape
    return first is not None and model.value(first).constant == 1


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
    if len(unit.scope.bindings.get(node.value, ())) != 1:
        return []
    found: list[Edge] = []
    for edge in model.calls.untraced(unit):
        given = edge.argument(node.value)
        if given is not None and is_single(model, given):
            found.append(edge)
    return found
