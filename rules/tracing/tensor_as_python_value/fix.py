"""Turns Python that asks for the value of a tensor into the TensorFlow op of the same meaning."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import InsertArgument, NodeEdit, Replace
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.dtypes import FLOATS
from tfxla_lint.rewriting.spelling import renamed, tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.values import Kind

from .python_values import PythonValue, is_meant_symbolic

_OF_TWO = {"max": "maximum", "min": "minimum"}
_OF_ONE = {"max": "reduce_max", "min": "reduce_min", "any": "reduce_any", "all": "reduce_all"}


def as_op(model: SemanticModel, value: PythonValue) -> list[NodeEdit] | None:
    """The edits that compute it in the graph, or None where no op is the same."""
    node = value.node
    if isinstance(node, cst.Comparison):
        new = _membership(model, node, value)
        return [Replace(node, new)] if new is not None else None
    if not isinstance(node, cst.Call):
        return None
    name = model.names.one(node.func) or ""
    if any(argument.keyword is not None for argument in node.args):
        return None
    return _call(model, node, name.startswith("math."), name.rpartition(".")[2])


def _written(model: SemanticModel, at: cst.CSTNode, name: str, *arguments: str) -> str | None:
    spelled = tensorflow_name(model, name, at=at)
    return f"{spelled}({', '.join(arguments)})" if spelled is not None else None


def _code(model: SemanticModel, node: cst.CSTNode) -> str:
    return model.code(node)


def _membership(model: SemanticModel, node: cst.Comparison, value: PythonValue) -> str | None:
    target = node.comparisons[0]
    if not isinstance(target.operator, cst.In) or value.tensor is not node.left:
        return None
    if not isinstance(target.comparator, (cst.List, cst.Tuple)) or node.lpar:
        return None
    members = _code(model, target.comparator)
    equal = _written(model, node, "equal", _code(model, node.left), members)
    return _written(model, node, "reduce_any", equal) if equal is not None else None


def _share_type(model: SemanticModel, values: Sequence[cst.BaseExpression]) -> bool:
    """Whether an op takes both: a tensor of whole numbers takes no float."""
    dtypes = {model.value(v).dtype for v in values if model.value(v).is_tensor} - {None}
    has_float = any(model.value(value).kind is Kind.FLOAT for value in values)
    return len(dtypes) <= 1 and (not has_float or dtypes <= FLOATS)


def _is_test(node: cst.BaseExpression) -> bool:
    """`a > b` gives a tensor of truth values already."""
    return isinstance(node, cst.Comparison) and len(node.comparisons) == 1


def _call(model: SemanticModel, node: cst.Call, is_math: bool, last: str) -> list[NodeEdit] | None:
    values = [argument.value for argument in node.args]
    if len(values) == 2 and last in _OF_TWO and not is_math:
        return _of_two(model, node, values, _OF_TWO[last])
    if len(values) != 1 or not is_symbolic(model, values[0]):
        return None
    dtype = model.value(values[0]).dtype
    if is_math:
        same, _ = behaviour.of(f"math.{last}").instead or ("", 1)
        suits = same and dtype in FLOATS
        return renamed(model, node, same.removeprefix("tensorflow.")) if suits else None
    if last == "bool":
        return _truth(model, node, values[0])
    if last == "sum":
        edits = renamed(model, node, "reduce_sum")
        return [*edits, InsertArgument(node, "axis=0")] if edits is not None else None
    if last not in _OF_ONE or _has_rows(model, values[0]):
        return None
    if last in ("any", "all") and dtype != "bool" and not isinstance(values[0], cst.Comparison):
        return None
    return renamed(model, node, _OF_ONE[last])


def _of_two(
    model: SemanticModel, node: cst.Call, values: Sequence[cst.BaseExpression], name: str
) -> list[NodeEdit] | None:
    if not _share_type(model, values):
        return None
    if is_meant_symbolic(model, values[0]):
        return renamed(model, node, name)
    # The tensor goes first, so that a number takes its type.
    new = _written(model, node, name, _code(model, values[1]), _code(model, values[0]))
    return [Replace(node, new)] if new is not None else None


def _truth(
    model: SemanticModel, node: cst.Call, tensor: cst.BaseExpression
) -> list[NodeEdit] | None:
    if model.value(tensor).dtype == "bool" or _is_test(tensor):
        return [Replace(node, _code(model, tensor))]
    spelled = tensorflow_name(model, "bool", at=node)
    new = _written(model, node, "cast", _code(model, tensor), spelled) if spelled else None
    return [Replace(node, new)] if new is not None else None


def _has_rows(model: SemanticModel, tensor: cst.BaseExpression) -> bool:
    """Whether Python would ask for the truth of a row, which fails."""
    shape = model.value(tensor).shape
    return shape is not None and len(shape) != 1 and Ellipsis not in shape
