"""Turns NumPy functions into the TensorFlow ops of the same meaning."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import InsertArgument, NodeEdit, Replace
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.numpy_uses import is_meant_symbolic, numpy_function

#: Functions of one tensor, element by element. Those that give floats take no integers in
#: TensorFlow; `_ANY_NUMBER` do.
_ELEMENTWISE = {
    "abs": "abs", "absolute": "abs", "exp": "exp", "log": "math.log", "log1p": "math.log1p",
    "expm1": "math.expm1", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan",
    "tanh": "tanh", "sinh": "sinh", "cosh": "cosh", "arcsin": "asin", "arccos": "acos",
    "arctan": "atan", "square": "square", "sign": "sign", "floor": "floor",
    "ceil": "math.ceil", "round": "round", "isnan": "math.is_nan", "isinf": "math.is_inf",
    "isfinite": "math.is_finite", "zeros_like": "zeros_like", "ones_like": "ones_like",
    "transpose": "transpose", "squeeze": "squeeze", "linalg.norm": "norm",
}  # fmt: skip
_REDUCTIONS = {
    "sum": "reduce_sum", "mean": "reduce_mean", "max": "reduce_max", "amax": "reduce_max",
    "min": "reduce_min", "amin": "reduce_min", "prod": "reduce_prod", "any": "reduce_any",
    "all": "reduce_all", "std": "math.reduce_std", "var": "math.reduce_variance",
}  # fmt: skip
#: Functions of exactly so many arguments in the same order.
_SAME_ORDER = {
    ("maximum", 2): "maximum", ("minimum", 2): "minimum", ("power", 2): "pow",
    ("reshape", 2): "reshape", ("expand_dims", 2): "expand_dims", ("clip", 3): "clip_by_value",
    ("where", 3): "where", ("matmul", 2): "matmul", ("add", 2): "add",
    ("multiply", 2): "multiply", ("subtract", 2): "subtract",
}  # fmt: skip
_CASTS = frozenset({"float16", "float32", "float64", "int32", "int64", "uint8"})
_ANY_NUMBER = frozenset(
    {"abs", "absolute", "square", "sign", "zeros_like", "ones_like", "transpose", "squeeze",
     "sum", "max", "amax", "min", "amin", "prod", "any", "all"}
)  # fmt: skip
_REDUCTION_KEYWORDS = frozenset({"axis", "keepdims"})


def as_tensorflow(model: SemanticModel, call: cst.Call) -> list[NodeEdit] | None:
    """The edits that make a call of NumPy one of TensorFlow, or None where none is the same."""
    name = numpy_function(model, call)
    if name is None or not call.args or any(argument.star for argument in call.args):
        return None
    first = call.args[0]
    if first.keyword is not None:
        return None
    keywords = {a.keyword.value for a in call.args if a.keyword is not None}
    plain = len(call.args) - len(keywords)
    if name in ("stack", "concatenate"):
        return _joined(model, call, name, plain, keywords)
    if (name, plain) in _SAME_ORDER and not keywords:
        return _renamed(model, call, _SAME_ORDER[name, plain])
    if not is_meant_symbolic(model, first.value) or not _has_fitting_type(model, first.value, name):
        return None
    if name in _REDUCTIONS and plain <= 2 and keywords <= _REDUCTION_KEYWORDS:
        return _renamed(model, call, _REDUCTIONS[name])
    if len(call.args) > 1:
        return None
    if name in _CASTS:
        return _cast(model, call, name)
    return _renamed(model, call, _ELEMENTWISE[name]) if name in _ELEMENTWISE else None


def _has_fitting_type(model: SemanticModel, tensor: cst.BaseExpression, name: str) -> bool:
    """NumPy makes floats of integers for most functions; TensorFlow fails on them."""
    dtype = model.value(tensor).dtype
    if name in ("any", "all"):
        return dtype == "bool" or isinstance(tensor, cst.Comparison)
    whole = dtype is not None and dtype.startswith(("int", "uint", "bool"))
    return not whole or name in _CASTS or (name in _ANY_NUMBER and dtype != "bool")


def _renamed(model: SemanticModel, call: cst.Call, name: str) -> list[NodeEdit] | None:
    spelled = tensorflow_name(model, name, at=call)
    return [Replace(call.func, spelled)] if spelled is not None else None


def _joined(
    model: SemanticModel, call: cst.Call, name: str, plain: int, keywords: set[str]
) -> list[NodeEdit] | None:
    if plain > 2 or not keywords <= {"axis"}:
        return None
    edits = _renamed(model, call, "stack" if name == "stack" else "concat")
    if edits is not None and name == "concatenate" and len(call.args) == 1:
        edits.append(InsertArgument(call, "axis=0"))
    return edits


def _cast(model: SemanticModel, call: cst.Call, dtype: str) -> list[NodeEdit] | None:
    function = tensorflow_name(model, "cast", at=call)
    given = tensorflow_name(model, dtype, at=call)
    if function is None or given is None:
        return None
    return [Replace(call.func, function), InsertArgument(call, given)]
