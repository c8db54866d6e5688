"""Makes a tensor where a variable only stands for one."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace, Rewrite
from tfxla_lint.findings import Applicability, Intent
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import ARRAYS, NUMBERS, SEQUENCES, TENSOR_LIKE, Kind

from .detect import only_computes, reads_of

#: What a variable may begin with: nothing that is called for it.
_CONVERTED = frozenset({Kind.RANGE, *ARRAYS, *NUMBERS, *SEQUENCES, *TENSOR_LIKE})
_VALUE = "initial_value"
#: Some of these change the variable that they are given.
_BACKEND = "tensorflow.keras.backend."
#: What makes a difference to variables alone.
_DROPPED = frozenset({"trainable", "name"})


def as_tensors(
    model: SemanticModel, unit: Unit, made: Sequence[cst.Call], intent: Intent
) -> Rewrite | None:
    """`tf.convert_to_tensor(x)` for each `tf.Variable(x)` that only operations and models read."""
    edits = [_as_tensor(model, unit, call) for call in made]
    found = [edit for edit in edits if edit is not None]
    if not found or len(found) < len(edits):
        return None
    return Rewrite(
        "Make a tensor, as nothing assigns the variable",
        found,
        Applicability.UNSAFE,
        intent,
        "nothing asks the tape which variables it has seen",
        unit.qualname,
    )


def _as_tensor(model: SemanticModel, unit: Unit, call: cst.Call) -> NodeEdit | None:
    spelled = tensorflow_name(model, "convert_to_tensor", call)
    given = {a.keyword.value if a.keyword is not None else _VALUE: a.value for a in call.args}
    value = given.get(_VALUE)
    if spelled is None or value is None or len(given) < len(call.args):
        return None
    if any(a.star for a in call.args) or given.keys() - _DROPPED - {_VALUE, "dtype"}:
        return None
    if model.value(value).kind not in _CONVERTED or not _is_read_as_tensor(model, unit, call):
        return None
    dtype = f", dtype={model.code(given['dtype'])}" if "dtype" in given else ""
    return Replace(call, f"{spelled}({model.code(value)}{dtype})")


def _is_read_as_tensor(model: SemanticModel, unit: Unit, made: cst.Call) -> bool:
    """Whether all reads of a variable make the same of a tensor."""
    reads: Sequence[cst.BaseExpression] = reads_of(model, made, unit)
    if isinstance(model.parent(made), cst.Arg):
        reads = [made]
    return bool(reads) and all(_takes_tensor(model, read) for read in reads)


def _takes_tensor(model: SemanticModel, read: cst.BaseExpression) -> bool:
    holder = model.parent(read)
    if isinstance(holder, (cst.BinaryOperation, cst.UnaryOperation)):
        return True
    if isinstance(holder, cst.Subscript):
        return holder.value is read and not isinstance(model.parent(holder), cst.AssignTarget)
    call = model.parent(holder) if isinstance(holder, cst.Arg) and not holder.star else None
    if not isinstance(call, cst.Call) or not only_computes(model, call):
        return False
    return not any(name.startswith(_BACKEND) for name in model.names.of(call.func))
