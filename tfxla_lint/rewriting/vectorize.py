"""`tf.vectorized_map` in the place of a comprehension over the rows of a tensor."""

from __future__ import annotations

from typing import TypeVar

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.tensor_rows import TensorRows
from tfxla_lint.semantics.values import Kind

_Node = TypeVar("_Node", bound=cst.CSTNode)
#: `tf.vectorized_map` traces anew on each eager call, for as long as this many calls take.
_WORTH_TRACING = 1000
#: What an element may be made of besides calls of operations.
_PLAIN = (
    cst.Name, cst.Attribute, cst.Call, cst.Arg, cst.BinaryOperation, cst.UnaryOperation,
    cst.Subscript, cst.SubscriptElement, cst.Index, cst.Slice, cst.BaseNumber, cst.List, cst.Tuple,
    cst.Element, cst.BaseBinaryOp, cst.BaseUnaryOp,
)  # fmt: skip


def as_vectorized_map(model: SemanticModel, rows: TensorRows) -> list[NodeEdit] | None:
    """The edit, where nothing but operations make the element, each from its own row."""
    if isinstance(rows.turning, cst.For) or not rows.is_whole or len(rows.call.args) != 1:
        return None
    if model.names.one(rows.call.func) != "tensorflow.stack":
        return None
    if model.value(rows.tensor).kind is not Kind.TENSOR or not model.value(rows.element).is_tensor:
        return None
    if not all(_is_plain(model, node) for node in walk(rows.element)):
        return None
    if rows.size is None or rows.size * (rows.operations + 1) < _WORTH_TRACING:
        return None
    name = tensorflow_name(model, "vectorized_map", at=rows.call)
    if name is None:
        return None
    row = _row_name(model, rows)
    element = rows.element
    if isinstance(rows.slices[0], cst.Subscript):
        element = _renamed(element, rows.slices, row)
    code = model.module.code_for_node
    return [Replace(rows.call, f"{name}(lambda {row}: {code(element)}, {code(rows.tensor)})")]


def _row_name(model: SemanticModel, rows: TensorRows) -> str:
    if isinstance(rows.turning.target, cst.Name) and isinstance(rows.slices[0], cst.Name):
        return rows.turning.target.value
    return free_name(model, "row")


class _Renaming(cst.CSTTransformer):
    """Puts a name in the place of some nodes."""

    def __init__(self, old: list[cst.BaseExpression], name: str) -> None:
        super().__init__()
        self._old = {id(node) for node in old}
        self._name = name

    def on_leave(self, original_node: _Node, updated_node: _Node) -> _Node | cst.Name:  # type: ignore[override]
        """The name for one of the nodes; any other node as it is by now."""
        return cst.Name(self._name) if id(original_node) in self._old else updated_node


def _renamed(
    element: cst.BaseExpression, slices: list[cst.BaseExpression], row: str
) -> cst.BaseExpression:
    changed = element.visit(_Renaming(slices, row))
    assert isinstance(changed, cst.BaseExpression)
    return changed


def _is_plain(model: SemanticModel, node: cst.CSTNode) -> bool:
    if not isinstance(node, _PLAIN):
        return False
    if not isinstance(node, cst.Call):
        return True
    name = model.names.one(node.func)
    is_op = name is not None and api.is_op(name) and name not in api.STATEFUL_RANDOM
    return is_op and name is not None and not name.startswith(api.KERAS)
