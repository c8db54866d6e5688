"""NumPy arrays as arguments of a trace: where one means what it means eagerly.

Passed to a `tf.function` an array becomes a tensor of its own dtype. Eagerly it stays an array until
an op takes it, and then may be cast to the dtype of the op's other arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.values import NUMBERS

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: TensorFlow's own dtype: arrays of it meet other tensors without a cast, as a rule.
_USUAL = "float32"
_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.MatrixMultiply, cst.Power)
_LOSSES = ("tensorflow.keras.losses.", "tensorflow.losses.")
_INDICES = {
    "tensorflow.gather": "indices",
    "tensorflow.gather_nd": "indices",
    "tensorflow.nn.embedding_lookup": "ids",
}


def is_taken_as_is(model: SemanticModel, read: cst.CSTNode) -> bool:
    """Whether a read of an array gives an op the same tensor eagerly and in a trace."""
    parent = model.parent(read)
    if isinstance(parent, cst.BinaryOperation):
        other = parent.right if parent.left is read else parent.left
        return isinstance(parent.operator, _ARITHMETIC) and _fits(model, read, [other])
    if not isinstance(parent, cst.Arg) or parent.star:
        return False
    call = model.parent(parent)
    if not isinstance(call, cst.Call):
        return False
    names = model.names.of(call.func)
    if not names or not all(api.is_op(name) for name in names):
        return False
    if all(name.startswith(_LOSSES) or _is_index(name, call, parent) for name in names):
        return True
    return _fits(model, read, [a.value for a in call.args if a is not parent])


def _is_index(name: str, call: cst.Call, argument: cst.Arg) -> bool:
    """Whether an argument of the call is its indices, whose dtype is their own."""
    keyword = _INDICES.get(name)
    if argument.keyword is not None:
        return argument.keyword.value == keyword
    return keyword is not None and len(call.args) > 1 and call.args[1] is argument


def _fits(model: SemanticModel, read: cst.CSTNode, others: list[cst.BaseExpression]) -> bool:
    """Whether an array surely has the usual dtype, and nothing beside it is known to differ."""
    if model.value(read).dtype != _USUAL:
        return False
    values = [model.value(other) for other in others]
    return any(v.is_tensor or v.kind in NUMBERS for v in values) and not any(
        v.is_tensor and v.dtype not in (None, _USUAL) for v in values
    )
