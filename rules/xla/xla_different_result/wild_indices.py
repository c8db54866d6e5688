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
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through, makers
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.guards import tests_around
from tfxla_lint.semantics.model import SemanticModel
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

    def judge(made: cst.CSTNode, path: Path) -> tuple[cst.BaseExpression, str] | Look | None:
        if path or not isinstance(made, cst.BaseExpression):
            return THROUGH if path else None
        constant = model.value(made).constant
        if type(constant) is int:
            return _constant(model, made, constant, rows)
        if isinstance(made, (cst.List, cst.Tuple)):
            return question.any([element.value for element in made.elements])
        if isinstance(made, cst.Call) and model.names.one(made.func) in _WRAPPING:
            return question.any([a.value for a in made.args[:1] if not a.star])
        if not isinstance(made, cst.Name):
            found = _of_expression(model, made, rows)
            return found if found is not None else THROUGH
        return THROUGH

    question = Origins(model.flow, Through(), judge)
    return question.of(node)


def _constant(
    model: SemanticModel, node: cst.BaseExpression, index: int, rows: cst.BaseExpression | None
) -> tuple[cst.BaseExpression, str] | None:
    length = _length(model, rows)
    if index < 0:
        return node, "is negative"
    is_past = length is not None and index >= length
    return (node, f"is past the end of {length} rows") if is_past else None


def _of_expression(
    model: SemanticModel, node: cst.BaseExpression, rows: cst.BaseExpression | None
) -> tuple[cst.BaseExpression, str] | None:
    if rows is not None and _is_number_of_rows(model, node, rows):
        return node, "is the number of rows, one past the last"
    if isinstance(node, cst.BinaryOperation) and rows is not None:
        return _shifted(model, node, rows)
    if isinstance(node, cst.Call) and model.names.one(node.func) == _TF + "where":
        for side in node.args[1:] if len(node.args) == 3 else ():
            constant = model.value(side.value).constant
            if type(constant) is int and constant < 0:
                return side.value, "is negative where the condition picks it"
    return None


def _length(model: SemanticModel, rows: cst.BaseExpression | None) -> int | None:
    shape = model.value(rows).shape if rows is not None else None
    return int(shape[0]) if shape and type(shape[0]) is int else None


def _is_number_of_rows(
    model: SemanticModel, node: cst.BaseExpression, rows: cst.BaseExpression
) -> bool:
    """`tf.shape(x)[0]`, `x.shape[0]`, `tf.size(x)` or `len(x)` for the rows of `x`."""
    if isinstance(node, cst.Name):
        made = makers(model.flow, node)
        return bool(made) and all(_is_number_of_rows(model, each, rows) for each in made)
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

    def judge(made: cst.CSTNode, path: Path) -> bool | Look:
        is_range = isinstance(made, cst.Call) and _is_row_range(model, made, rows)
        return (is_range and path in ((), (None,))) or THROUGH

    return bool(Origins(model.flow, Through(items=True), judge).of(node))


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
