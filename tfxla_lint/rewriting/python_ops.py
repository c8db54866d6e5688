"""Turns Python that asks for the value of a tensor into the TensorFlow op of the same meaning."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.python_values import PythonValue
from tfxla_lint.semantics.tracing.symbolic import is_symbolic

_OF_TWO = {"max": "maximum", "min": "minimum"}
_OF_ONE = {"max": "reduce_max", "min": "reduce_min", "any": "reduce_any", "all": "reduce_all"}
_MATH = {
    "sqrt": "sqrt", "exp": "exp", "expm1": "math.expm1", "log": "math.log",
    "log1p": "math.log1p", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin",
    "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "fabs": "abs", "isnan": "math.is_nan", "isinf": "math.is_inf",
    "isfinite": "math.is_finite", "erf": "math.erf", "erfc": "math.erfc",
}  # fmt: skip
_FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})


def as_op(model: SemanticModel, value: PythonValue) -> list[NodeEdit] | None:
    """The edits that compute it in the graph, or None where no op is the same."""
    node = value.node
    new: str | None = None
    if isinstance(node, cst.Comparison):
        new = _membership(model, node, value)
    elif isinstance(node, cst.Call):
        name = model.names.one(node.func) or ""
        last = name.rpartition(".")[2]
        if any(argument.keyword is not None for argument in node.args):
            return None
        new = _call(model, node, name.startswith("math."), last)
    return [Replace(node, new)] if new is not None else None


def _written(model: SemanticModel, at: cst.CSTNode, name: str, *arguments: str) -> str | None:
    spelled = tensorflow_name(model, name, at=at)
    return f"{spelled}({', '.join(arguments)})" if spelled is not None else None


def _code(model: SemanticModel, node: cst.CSTNode) -> str:
    return model.module.code_for_node(node)


def _membership(model: SemanticModel, node: cst.Comparison, value: PythonValue) -> str | None:
    target = node.comparisons[0]
    if not isinstance(target.operator, cst.In) or value.tensor is not node.left:
        return None
    if not isinstance(target.comparator, (cst.List, cst.Tuple)) or node.lpar:
        return None
    members = _code(model, target.comparator)
    equal = _written(model, node, "equal", _code(model, node.left), members)
    return _written(model, node, "reduce_any", equal) if equal is not None else None


def _call(model: SemanticModel, node: cst.Call, is_math: bool, last: str) -> str | None:
    values = [argument.value for argument in node.args]
    if len(values) == 2 and last in _OF_TWO and not is_math:
        # The tensor goes first, so that a number takes its type.
        values.sort(key=lambda value: not is_symbolic(model, value))
        return _written(model, node, _OF_TWO[last], *(_code(model, v) for v in values))
    if len(values) != 1 or not is_symbolic(model, values[0]):
        return None
    code, dtype = _code(model, values[0]), model.value(values[0]).dtype
    if is_math:
        suits = last in _MATH and dtype in _FLOATS
        return _written(model, node, _MATH[last], code) if suits else None
    if last == "bool":
        spelled = tensorflow_name(model, "bool", at=node)
        return _written(model, node, "cast", code, spelled) if spelled is not None else None
    if last == "sum":
        return _written(model, node, "reduce_sum", code, "axis=0")
    if last in ("any", "all") and dtype != "bool" and not isinstance(values[0], cst.Comparison):
        return None
    return _written(model, node, _OF_ONE[last], code) if last in _OF_ONE else None
