"""Which expressions are one tensor, and no structure of tensors."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import is_symbolic

_TF = "tensorflow."
_HOMES = frozenset({"", "math", "linalg", "nn"})
_SINGLE = frozenset(
    {"shape", "size", "rank", "range", "linspace", "constant", "zeros", "ones", "fill", "eye",
     "zeros_like", "ones_like", "convert_to_tensor", "cast", "identity", "reshape", "transpose",
     "expand_dims", "squeeze", "stack", "concat", "tile", "repeat", "pad", "reverse", "roll",
     "gather", "gather_nd", "boolean_mask", "where", "one_hot", "sort", "argsort", "argmax",
     "argmin", "cumsum", "cumprod", "add", "subtract", "multiply", "divide", "negative", "abs",
     "square", "sqrt", "exp", "log", "sin", "cos", "tanh", "sigmoid", "relu", "softmax",
     "log_softmax", "maximum", "minimum", "pow", "matmul", "tensordot", "einsum", "add_n",
     "clip_by_value", "round", "floor", "sign", "equal", "not_equal", "greater", "less",
     "greater_equal", "less_equal", "logical_and", "logical_or", "logical_not",
     "stop_gradient", "norm", "tensor_scatter_nd_update", "scatter_nd"}
)  # fmt: skip


def is_one_tensor(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression surely is a single tensor without a value.

    What a model gives, and is passed, may as well be a tuple or a list of tensors.
    """
    if not is_symbolic(model, node):
        return False
    value = model.value(node)
    if value.dtype is not None or value.shape is not None:
        return True
    made = makers(model.flow, node)
    return bool(made) and all(_is_op(model, each) for each in made)


def _is_op(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a node calls an op that gives a single tensor, whatever it is given."""
    name = model.names.one(node.func) if isinstance(node, cst.Call) else None
    if name is None or not name.startswith(_TF):
        return False
    home, _, last = name.removeprefix(_TF).rpartition(".")
    return home in _HOMES and (last in _SINGLE or last.startswith("reduce_"))
