"""Indices of gathers and scatters in compiled code that can surely lie outside of what they index.

TensorFlow raises for them on a CPU; XLA takes the nearest member instead, or drops the update.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.guards import tests_around
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.reaching import definition
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.units import Unit

_TF = "tensorflow."
#: The places of the indexed tensor and of the indices.
_GATHERING: dict[str, tuple[tuple[str, int], tuple[str, int]]] = {
    _TF + "gather": (("params", 0), ("indices", 1)),
    _TF + "gather_nd": (("params", 0), ("indices", 1)),
    _TF + "nn.embedding_lookup": (("params", 0), ("ids", 1)),
}
_SCATTERING = {
    _TF + "tensor_scatter_nd_" + kind: (("tensor", 0), ("indices", 1))
    for kind in ("update", "add", "sub", "max", "min")
}
_WRAPPING = behaviour.names(Trait.HANDS_ON) | {"tensorflow.stack"}


@dataclass(frozen=True, slots=True)
class WildIndex:
    """A call with such an index; `place` shows that it can lie outside, `reason` says why."""

    node: cst.Call
    place: cst.BaseExpression
    reason: str
    drops: bool


def wild_indices(model: SemanticModel, unit: Unit) -> Iterator[WildIndex]:
    """The gathers and scatters of a compiled unit that can surely miss."""
    for node in unit.nodes(into_scopes=False):
        if not isinstance(node, cst.Call):
            continue
        name = model.names.one(node.func) or ""
        places = _GATHERING.get(name) or _SCATTERING.get(name)
        if places is None or not surely_runs(model, node) or any(tests_around(model, node)):
            continue
        indexed, indices = (argument(node, *place) for place in places)
        if indexed is None or indices is None:
            continue
        rows = indexed if _along_rows(model, node, name) else None
        found = _outside(model, indices, rows)
        if found is not None:
            yield WildIndex(node, *found, drops=name in _SCATTERING)


def _along_rows(model: SemanticModel, node: cst.Call, name: str) -> bool:
    """Whether the indices count along the leading dimension."""
    axis = argument(node, "axis", 3) if name == _TF + "gather" else None
    batch = argument(node, "batch_dims", 4) if name == _TF + "gather" else None
    return batch is None and (axis is None or model.value(axis).constant == 0)


def _outside(
    model: SemanticModel, node: cst.BaseExpression, rows: cst.BaseExpression | None
) -> tuple[cst.BaseExpression, str] | None:
    """The part of an index expression that can lie outside, and why."""
    constant = model.value(node).constant
    if type(constant) is int:
        if constant < 0:
            return node, "is negative"
        length = _length(model, rows)
        if length is not None and constant >= length:
            return node, f"is past the end of {length} rows"
        return None
    if isinstance(node, (cst.List, cst.Tuple)):
        parts = (_outside(model, element.value, rows) for element in node.elements)
        return next((found for found in parts if found is not None), None)
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        if binding is None or binding.kind is not BindingKind.ASSIGNMENT or binding.value is None:
            return None
        return _outside(model, binding.value, rows)
    if rows is not None and _is_number_of_rows(model, node, rows):
        return node, "is the number of rows, one past the last"
    if isinstance(node, cst.Call):
        return _of_call(model, node, rows)
    if isinstance(node, cst.BinaryOperation) and rows is not None:
        return _shifted(model, node, rows)
    return None


def _length(model: SemanticModel, rows: cst.BaseExpression | None) -> int | None:
    shape = model.value(rows).shape if rows is not None else None
    return int(shape[0]) if shape and type(shape[0]) is int else None


def _of_call(
    model: SemanticModel, node: cst.Call, rows: cst.BaseExpression | None
) -> tuple[cst.BaseExpression, str] | None:
    name = model.names.one(node.func)
    if name in _WRAPPING and node.args and not node.args[0].star:
        return _outside(model, node.args[0].value, rows)
    if name == _TF + "where" and len(node.args) == 3:
        for side in node.args[1:]:
            constant = model.value(side.value).constant
            if type(constant) is int and constant < 0:
                return side.value, "is negative where the condition picks it"
    return None


def _is_number_of_rows(
    model: SemanticModel, node: cst.BaseExpression, rows: cst.BaseExpression
) -> bool:
    """`tf.shape(x)[0]`, `x.shape[0]`, `tf.size(x)` or `len(x)` for the rows of `x`."""
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        return (
            binding is not None
            and binding.kind is BindingKind.ASSIGNMENT
            and binding.value is not None
            and _is_number_of_rows(model, binding.value, rows)
        )
    if isinstance(node, cst.Subscript):
        index = node.slice[0].slice if len(node.slice) == 1 else None
        is_first = isinstance(index, cst.Index) and model.value(index.value).constant == 0
        inner = node.value
        if isinstance(inner, cst.Attribute):
            return is_first and inner.attr.value == "shape" and inner.value.deep_equals(rows)
        return is_first and _applies(model, inner, "tensorflow.shape", rows)
    return _applies(model, node, "tensorflow.size", rows) or _applies(
        model, node, "builtins.len", rows
    )


def _applies(
    model: SemanticModel, node: cst.BaseExpression, name: str, rows: cst.BaseExpression
) -> bool:
    if not isinstance(node, cst.Call) or model.names.one(node.func) != name or not node.args:
        return False
    return node.args[0].value.deep_equals(rows)


def _shifted(
    model: SemanticModel, node: cst.BinaryOperation, rows: cst.BaseExpression
) -> tuple[cst.BaseExpression, str] | None:
    """`i + 1` or `i - 1` where `i` runs over all rows."""
    offset = model.value(node.right).constant
    if type(offset) is not int or offset <= 0 or not _runs_over(model, node.left, rows):
        return None
    if isinstance(node.operator, cst.Add):
        return node, "is past the end for the last row"
    if isinstance(node.operator, cst.Subtract):
        return node, "is negative for the first row"
    return None


def _runs_over(model: SemanticModel, node: cst.BaseExpression, rows: cst.BaseExpression) -> bool:
    """Whether an expression is, or takes, all of the row numbers: `tf.range(tf.shape(x)[0])`."""
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        if binding is None:
            return False
        loop = model.parent(binding.node)
        if isinstance(loop, cst.For) and loop.target is binding.node:
            return _is_row_range(model, loop.iter, rows)
        return binding.value is not None and _is_row_range(model, binding.value, rows)
    return _is_row_range(model, node, rows)


def _is_row_range(model: SemanticModel, node: cst.BaseExpression, rows: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call) or len(node.args) != 1:
        return False
    if model.names.one(node.func) not in (_TF + "range", "builtins.range"):
        return False
    count = node.args[0].value
    if _is_number_of_rows(model, count, rows):
        return True
    constant = model.value(count).constant
    return type(constant) is int and constant == _length(model, rows)
