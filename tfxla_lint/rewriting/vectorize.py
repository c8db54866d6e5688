"""`tf.vectorized_map` in the place of a comprehension or a loop over the rows of a tensor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import libcst as cst

from tfxla_lint.edits import NodeEdit, Remove, Replace, ReplaceStatements
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.row_lists import FilledByLoop, filled_list
from tfxla_lint.semantics.repeated.tensor_rows import TensorRows
from tfxla_lint.semantics.syntax import walk
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
    """The edits, where nothing but operations make the element, each from its own row."""
    if not rows.is_whole or len(rows.call.args) != 1:
        return None
    if model.names.one(rows.call.func) != "tensorflow.stack":
        return None
    if model.value(rows.tensor).kind is not Kind.TENSOR or not model.value(rows.element).is_tensor:
        return None
    if rows.size is None or rows.size * (rows.operations + 1) < _WORTH_TRACING:
        return None
    name = tensorflow_name(model, "vectorized_map", at=rows.call)
    if name is None:
        return None
    filled = filled_list(model, rows) if isinstance(rows.turning, cst.For) else None
    if filled is not None:
        return _of_loop(model, rows, filled, name)
    if isinstance(rows.turning, cst.For) or not _are_plain(model, [rows.element]):
        return None
    return [_mapped(model, rows, name)]


def _are_plain(model: SemanticModel, nodes: Iterable[cst.CSTNode]) -> bool:
    return all(_is_plain(model, node) for root in nodes for node in walk(root))


def _mapped(model: SemanticModel, rows: TensorRows, name: str) -> Replace:
    """The call of a lambda for each row."""
    row = _row_name(model, rows)
    element = rows.element
    if isinstance(rows.slices[0], cst.Subscript):
        element = _renamed(element, rows.slices, row)
    code = model.module.code_for_node
    return Replace(rows.call, f"{name}(lambda {row}: {code(element)}, {code(rows.tensor)})")


def _of_loop(
    model: SemanticModel, rows: TensorRows, filled: FilledByLoop, name: str
) -> list[NodeEdit] | None:
    """The loop and its list go; where the turns bind names, they become a function."""
    made = [assignment.value for assignment in filled.assignments]
    if not _are_plain(model, [*made, rows.element]):
        return None
    if not filled.assignments:
        return [Remove(filled.empty), Remove(filled.loop), _mapped(model, rows, name)]
    row = _row_name(model, rows)
    last = cst.SimpleStatementLine([cst.Return(rows.element)])
    function = free_name(model, "of_row")
    body = cst.IndentedBlock([*filled.lines, last])
    if isinstance(rows.slices[0], cst.Subscript):
        swapped = body.visit(_Renaming(rows.slices, row))
        assert isinstance(swapped, cst.IndentedBlock)
        body = swapped
    parameter = cst.Param(cst.Name(row))
    definition = cst.FunctionDef(
        cst.Name(function), cst.Parameters([parameter]), body
    ).with_changes(leading_lines=filled.loop.leading_lines)
    tensor = model.module.code_for_node(rows.tensor)
    return [
        Remove(filled.empty),
        ReplaceStatements(filled.loop, filled.loop, [definition]),
        Replace(rows.call, f"{name}({function}, {tensor})"),
    ]


def _row_name(model: SemanticModel, rows: TensorRows) -> str:
    target = rows.turning.target
    if isinstance(target, cst.Name) and isinstance(rows.slices[0], cst.Name):
        return target.value
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
