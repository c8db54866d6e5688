"""Proofs that an index lies within the tensor that it is used on."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Shape, Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_POSITIONS = behaviour.names(Shape.POSITION)
_WRAPPING = behaviour.names(Trait.HANDS_ON)


def is_within(model: SemanticModel, indexed: cst.BaseExpression, index: cst.BaseExpression) -> bool:
    """Whether `0 <= index < len(indexed)` is shown, for callers outside of the module too or not.

    It is where the index is the place of the largest or smallest member, and where every call
    seen passes the counter of a loop over a known number of rows.
    """
    return _is_place(model, indexed, index) or _is_counted(model, indexed, index)


def _is_place(model: SemanticModel, indexed: cst.BaseExpression, index: cst.BaseExpression) -> bool:
    if isinstance(index, cst.Name):
        binding = model.flow.reached(index).only
        made = binding.value if binding is not None else None
        if made is None or not _same_definition(model, indexed, made):
            return False
        index = made
    if not isinstance(index, cst.Call) or model.names.one(index.func) not in _POSITIONS:
        return False
    searched = argument(index, "input", 0)
    axis = argument(index, "axis", 1)
    is_first = axis is None or model.value(axis).constant == 0
    return searched is not None and is_first and searched.deep_equals(indexed)


def _same_definition(
    model: SemanticModel, name: cst.BaseExpression, earlier: cst.BaseExpression
) -> bool:
    """Whether `name` has not been bound anew since `earlier`, a call that takes it, ran."""
    if not isinstance(name, cst.Name) or not isinstance(earlier, cst.Call) or not earlier.args:
        return False
    before = earlier.args[0].value
    if not isinstance(before, cst.Name) or before.value != name.value:
        return False
    now = model.flow.reached(name).only
    return now is not None and model.flow.reached(before).only is now


def _is_counted(
    model: SemanticModel, indexed: cst.BaseExpression, index: cst.BaseExpression
) -> bool:
    unit = _owner(model, index)
    if unit is None or _owner(model, indexed) is not unit:
        return False
    assert isinstance(index, cst.Name)
    assert isinstance(indexed, cst.Name)
    edges = model.calls.direct(unit)
    return bool(edges) and all(
        _counts(model, edge.argument(index.value), edge.argument(indexed.value)) for edge in edges
    )


def _owner(model: SemanticModel, node: cst.BaseExpression) -> Unit | None:
    """The function of which a read finds a parameter, as it was passed."""
    binding = model.flow.reached(node).only if isinstance(node, cst.Name) else None
    if binding is None or binding.kind is not BindingKind.PARAMETER:
        return None
    return model.unit(binding.node)


def _counts(
    model: SemanticModel, number: cst.BaseExpression | None, rows: cst.BaseExpression | None
) -> bool:
    """Whether `number` is the counter of a `range` that stays below the number of `rows`."""
    while isinstance(number, cst.Call) and model.names.one(number.func) in _WRAPPING:
        number = number.args[0].value if number.args else None
    if not isinstance(number, cst.Name) or rows is None:
        return False
    binding = model.flow.reached(number).only
    loop = model.parent(binding.node) if binding is not None else None
    if not isinstance(loop, cst.For) or loop.target is not binding.node:  # type: ignore[union-attr]
        return False
    limits = model.value(loop.iter)
    shape = model.value(rows).shape
    if limits.kind is not Kind.RANGE or not shape or type(shape[0]) is not int:
        return False
    bounds = [v.constant for v in limits.elements or ()]
    if not bounds or not all(type(b) is int for b in bounds):
        return False
    turns = range(*bounds)
    return not turns or (min(turns) >= 0 and max(turns) < shape[0])
