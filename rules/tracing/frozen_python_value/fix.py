"""Turns a value that a trace freezes into a TensorFlow op, which gives one on each call."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace
from tfxla_lint.knowledge.dtypes import FLOATS
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.values import NUMBERS

from .detect import FrozenValue

_TAKES_ANY_DTYPE = frozenset({"tensorflow.cast", "tensorflow.print", "tensorflow.summary.scalar"})
_SIMPLE = (cst.Name, cst.Attribute, cst.Integer, cst.Float, cst.UnaryOperation)


def as_op(model: SemanticModel, value: FrozenValue) -> list[NodeEdit] | None:
    """The edits that compute a value in the graph, where its type surely suits its uses."""
    if value.name == "time.time":
        name = tensorflow_name(model, "timestamp", at=value.node)
        if name is None or not _suits_float64(model, value.node):
            return None
        return [Replace(value.node.func, name)]
    return _draw(model, value)


def _suits_float64(
    model: SemanticModel, node: cst.CSTNode, asked: frozenset[int] = frozenset()
) -> bool:
    """Whether a Python float may become a tensor of float64 where `node` is used."""
    parent = model.parent(node)
    if isinstance(parent, cst.BinaryOperation):
        other = parent.right if parent.left is node else parent.left
        return model.value(other).kind in NUMBERS and _suits_float64(model, parent, asked)
    if isinstance(parent, cst.Arg):
        call = model.parent(parent)
        return isinstance(call, cst.Call) and model.names.one(call.func) in _TAKES_ANY_DTYPE
    if isinstance(parent, cst.Element):
        return isinstance(model.parent(model.parent(parent) or parent), cst.Return)
    if isinstance(parent, cst.Assign):
        return len(parent.targets) == 1 and _all_reads_suit(model, parent.targets[0].target, asked)
    return isinstance(parent, cst.Return)


def _all_reads_suit(
    model: SemanticModel, target: cst.BaseAssignTargetExpression, asked: frozenset[int]
) -> bool:
    if not isinstance(target, cst.Name):
        return False
    if id(target) in asked:
        return True
    scope = model.binder.scope(target)
    bindings = scope.lookup(target.value)
    if len(bindings) != 1 or bindings[0].kind is not BindingKind.ASSIGNMENT:
        return False
    inner = [n for n in model.nodes(cst.Name) if n.value == target.value and n is not target]
    reads = scope.reads.get(target.value, [])
    if any(model.binder.scope(n).home(n.value) is scope for n in inner if n not in reads):
        return False
    return all(_suits_float64(model, read, asked | {id(target)}) for read in reads)


def _draw(model: SemanticModel, value: FrozenValue) -> list[NodeEdit] | None:
    """`np.random.normal(size=s)` and its like beside a tensor of known dtype, or in a cast."""
    last = value.name.removeprefix("numpy.random.")
    parts = _arguments(model, value.node, last) if last != value.name else None
    dtype = _wanted_dtype(model, value.node)
    if parts is None or dtype is None:
        return None
    function = "normal" if last in ("normal", "randn", "standard_normal") else "uniform"
    name = tensorflow_name(model, f"random.{function}", at=value.node)
    if name is None:
        return None
    if dtype != "float32":
        spelled = tensorflow_name(model, dtype, at=value.node)
        if spelled is None:
            return None
        parts.append(f"dtype={spelled}")
    return [Replace(value.node, f"{name}({', '.join(parts)})")]


def _wanted_dtype(model: SemanticModel, node: cst.CSTNode) -> str | None:
    parent = model.parent(node)
    if isinstance(parent, cst.BinaryOperation):
        other = model.value(parent.right if parent.left is node else parent.left)
        return other.dtype if other.is_tensor and other.dtype in FLOATS else None
    if isinstance(parent, cst.Arg):
        call = model.parent(parent)
        if isinstance(call, cst.Call) and call.args[0] is parent:
            return "float32" if model.names.one(call.func) == "tensorflow.cast" else None
    return None


def _arguments(model: SemanticModel, call: cst.Call, last: str) -> list[str] | None:
    """What `tf.random.uniform` and `tf.random.normal` take for it: the shape, then the range."""
    if any(argument.star for argument in call.args):
        return None
    if last in ("rand", "randn"):
        if not call.args or not all(isinstance(a.value, _SIMPLE) for a in call.args):
            return None
        return [f"[{', '.join(model.code(a.value) for a in call.args)}]"]
    order = {
        "uniform": ("low", "high", "size"), "normal": ("loc", "scale", "size"),
        "standard_normal": ("size",), "random": ("size",), "random_sample": ("size",),
    }.get(last)  # fmt: skip
    if order is None:
        return None
    plain = [a.value for a in call.args if a.keyword is None]
    given = dict(zip(order, plain, strict=False))
    given |= {a.keyword.value: a.value for a in call.args if a.keyword is not None}
    size = given.pop("size", None)
    if size is None or not set(given) <= set(order) or not _is_scalar(model, given):
        return None
    return [_shape(model, size), *_range(model, given)]


def _is_scalar(model: SemanticModel, given: dict[str, cst.BaseExpression]) -> bool:
    return all(model.value(value).kind in NUMBERS for value in given.values())


def _shape(model: SemanticModel, size: cst.BaseExpression) -> str:
    code = model.code(size)
    return f"[{code}]" if model.value(size).kind in NUMBERS else code


def _range(model: SemanticModel, given: dict[str, cst.BaseExpression]) -> list[str]:
    words = {"low": "minval", "high": "maxval", "loc": "mean", "scale": "stddev"}
    return [f"{words[key]}={model.code(value)}" for key, value in given.items()]
