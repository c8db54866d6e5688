"""The dtype that AutoGraph sees in an expression, where that is sure."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import TENSOR_LIKE, Kind, Value

_OF_PYTHON = {Kind.BOOL: "bool", Kind.INT: "int32", Kind.FLOAT: "float32"}
#: A float of unknown precision: other than every integer and boolean.
SOME_FLOAT = "a float"
_FLOATING = frozenset({Kind.LOSS, Kind.SCHEDULE})
_FLOAT_OPS = ("tensorflow.keras.losses.", "tensorflow.losses.", "tensorflow.random.normal")


def dtype_of(model: SemanticModel, node: cst.BaseExpression) -> str | None:
    """The dtype of an expression as one side of a branch, or from turn to turn of a loop."""
    value = model.value(node)
    if value.mixed or value.maybe_none:
        return None
    if value.kind in _OF_PYTHON:
        is_sure = value.has_constant or not isinstance(node, (cst.Name, cst.Attribute))
        return _OF_PYTHON[value.kind] if is_sure and not _asks(node) else None
    if value.kind not in TENSOR_LIKE:
        return None
    return value.dtype or (SOME_FLOAT if _is_float(model, node) else None)


def _asks(node: cst.BaseExpression) -> bool:
    """Whether an expression is a bool that a trace makes a tensor of."""
    return isinstance(node, (cst.UnaryOperation, cst.BooleanOperation, cst.Comparison))


def _is_float(model: SemanticModel, node: cst.BaseExpression) -> bool:
    def judge(made: cst.CSTNode, path: Path) -> bool | Look:
        if not isinstance(made, cst.Call) or path:
            return THROUGH
        name = model.names.one(made.func)
        if name is not None and name.startswith(_FLOAT_OPS):
            return True
        return model.value(made.func).kind in _FLOATING

    return bool(Origins(model.flow, Through(), judge).of(node))


def differ(first: str | None, second: str | None) -> bool:
    """Whether two dtypes surely are not the same."""
    if first is None or second is None or first == second:
        return False
    for one, other in ((first, second), (second, first)):
        if one == SOME_FLOAT:
            return not other.startswith(("float", "bfloat", SOME_FLOAT, "complex"))
    return True


def words(value: Value, dtype: str) -> str:
    """A dtype as a message says it: what Python gives becomes a tensor."""
    return f"a Python {value.kind.value} ({dtype})" if value.kind in _OF_PYTHON else dtype
