"""Turns NumPy functions into the TensorFlow ops of the same meaning."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import InsertArgument, NodeEdit, Replace
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.knowledge.dtypes import COMPLEX, FLOATS
from tfxla_lint.rewriting.comments import comment_texts
from tfxla_lint.rewriting.spelling import renamed, tensorflow_name
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

from .detect import is_meant_symbolic, numpy_function

_REDUCTIONS = behaviour.leaves("numpy", Trait.REDUCES)
_CASTS = behaviour.leaves("numpy", Trait.CASTS)
_ANY_NUMBER = frozenset(
    {"abs", "absolute", "square", "sign", "zeros_like", "ones_like", "transpose", "squeeze",
     "sum", "max", "amax", "min", "amin", "prod", "any", "all"}
)  # fmt: skip
_REDUCTION_KEYWORDS = frozenset({"axis", "keepdims"})
_NUMBERS = frozenset(
    {"maximum", "minimum", "power", "add", "multiply", "subtract", "clip", "where"}
)
_COMMUTATIVE = frozenset({"maximum", "minimum", "add", "multiply"})
#: What a tensor has like an array.
_SHARED_ATTRIBUTES = frozenset({"shape", "dtype", "ndim"})


def as_tensorflow(model: SemanticModel, call: cst.Call) -> list[NodeEdit] | None:
    """The edits that make a call of NumPy one of TensorFlow, or None where none is the same."""
    name = numpy_function(model, call)
    if name is None or not call.args or any(argument.star for argument in call.args):
        return None
    first = call.args[0]
    if first.keyword is not None:
        return None
    if _is_used_as_array(model, call):
        return None
    keywords = {a.keyword.value for a in call.args if a.keyword is not None}
    plain = len(call.args) - len(keywords)
    if name in ("stack", "concatenate"):
        return _joined(model, call, name, plain, keywords)
    same, count = behaviour.of(f"numpy.{name}").instead or ("", 0)
    same = same.removeprefix("tensorflow.")
    if count > 1:
        return _of_several(model, call, name, same) if plain == count and not keywords else None
    if not is_meant_symbolic(model, first.value) or not _has_fitting_type(model, first.value, name):
        return None
    if name in _REDUCTIONS and plain <= 2 and keywords <= _REDUCTION_KEYWORDS:
        return renamed(model, call, same)
    if len(call.args) > 1:
        return None
    if name in _CASTS:
        return _cast(model, call, name)
    return renamed(model, call, same) if same and name not in _REDUCTIONS else None


def _has_fitting_type(model: SemanticModel, tensor: cst.BaseExpression, name: str) -> bool:
    """NumPy makes floats of integers for most functions; TensorFlow fails on them."""
    dtype = model.value(tensor).dtype
    if name in ("any", "all"):
        return dtype == "bool" or isinstance(tensor, cst.Comparison)
    whole = dtype is not None and dtype.startswith(("int", "uint", "bool"))
    return not whole or name in _CASTS or (name in _ANY_NUMBER and dtype != "bool")


def _is_used_as_array(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a method of arrays is asked of the result: `np.mean(x).astype(...)`."""
    parent = model.parent(call)
    return isinstance(parent, cst.Attribute) and parent.attr.value not in _SHARED_ATTRIBUTES


def _of_several(
    model: SemanticModel, call: cst.Call, name: str, same: str
) -> list[NodeEdit] | None:
    edits = renamed(model, call, same)
    values = [argument.value for argument in call.args]
    if edits is None:
        return None
    if name == "reshape" and isinstance(model.value(values[1]).constant, int):
        return [*edits, Replace(values[1], f"[{model.code(values[1])}]")]
    if name not in _NUMBERS:
        return edits if not any(_is_array(model, value) for value in values) else None
    if name == "where":
        values = values[1:]
    if not _take_one_type(model, values):
        return None
    if _decides_type(model, values):
        return edits
    if name not in _COMMUTATIVE or comment_texts(model.code(call)):
        return None
    # A number that goes first would decide the type.
    codes = [model.code(value) for value in values]
    return [*edits, Replace(values[0], codes[1]), Replace(values[1], codes[0])]


def _decides_type(model: SemanticModel, values: Sequence[cst.BaseExpression]) -> bool:
    """Whether the first value, whose type TensorFlow gives the others, has the type of the tensor.

    Floats become float32 there, and whole numbers int32.
    """
    tensors = [value for value in values if _is_tensor(model, value)]
    if not tensors or tensors[0] is values[0]:
        return True
    dtypes = {model.value(value).dtype for value in tensors}
    if _is_float(model, values[0]):
        return dtypes <= {None, "float32"}
    return model.value(values[0]).kind is Kind.INT and dtypes == {"int32"}


def _take_one_type(model: SemanticModel, values: Sequence[cst.BaseExpression]) -> bool:
    """Whether TensorFlow gives numbers the type of the tensors beside them, as is meant."""
    if any(_is_array(model, value) or _is_none(value) for value in values):
        return False
    dtypes = {model.value(value).dtype for value in values if _is_tensor(model, value)} - {None}
    if len(dtypes) > 1:
        return False
    is_whole = any(dtype is not None and dtype not in FLOATS | COMPLEX for dtype in dtypes)
    return not is_whole or not any(_is_float(model, value) for value in values)


def _is_tensor(model: SemanticModel, node: cst.BaseExpression) -> bool:
    return is_meant_symbolic(model, node) or model.value(node).is_tensor


def _is_float(model: SemanticModel, node: cst.BaseExpression) -> bool:
    return model.value(node).kind is Kind.FLOAT


def _is_none(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


def _is_array(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether NumPy made a value, whose type a trace would keep: float64 beside float32."""
    if is_meant_symbolic(model, node):
        return False
    if isinstance(node, cst.Call) and numpy_function(model, node) is not None:
        return True
    return model.value(node).kind is Kind.NDARRAY


def _joined(
    model: SemanticModel, call: cst.Call, name: str, plain: int, keywords: set[str]
) -> list[NodeEdit] | None:
    if plain > 2 or not keywords <= {"axis"}:
        return None
    axis, joined = argument(call, "axis", 1), call.args[0].value
    if axis is not None and _is_none(axis):
        return None
    if isinstance(joined, (cst.List, cst.Tuple)):
        if not _take_one_type(model, [element.value for element in joined.elements]):
            return None
    edits = renamed(model, call, "stack" if name == "stack" else "concat")
    if edits is not None and name == "concatenate" and len(call.args) == 1:
        edits.append(InsertArgument(call, "axis=0"))
    return edits


def _cast(model: SemanticModel, call: cst.Call, dtype: str) -> list[NodeEdit] | None:
    function = tensorflow_name(model, "cast", at=call)
    given = tensorflow_name(model, dtype, at=call)
    if function is None or given is None:
        return None
    return [Replace(call.func, function), InsertArgument(call, given)]
