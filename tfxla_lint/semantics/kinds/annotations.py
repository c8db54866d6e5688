"""What annotations and base classes say of values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.values import (
    BOOL,
    FLOAT,
    INT,
    NDARRAY,
    STRING,
    TENSOR,
    UNKNOWN,
    Kind,
    Value,
    list_of,
)

if TYPE_CHECKING:
    from tfxla_lint.semantics.kinds.evaluator import Evaluator


def role_of(names: Iterable[str]) -> Kind | None:
    """The kind of the instances of a class derived from one of these."""
    for name in names:
        if name in api.ROLES:
            return api.ROLES[name]
        kind = api.result_of(name).kind
        if kind in (Kind.LAYER, Kind.MODEL, Kind.OPTIMIZER, Kind.LOSS, Kind.METRIC, Kind.SCHEDULE):
            return kind
        if kind in (Kind.CALLBACK, Kind.INITIALIZER):
            return kind
    return None


_ANNOTATIONS: dict[str, Value] = {
    "tensorflow.Tensor": TENSOR,
    "tensorflow.Variable": Value(Kind.VARIABLE),
    "tensorflow.data.Dataset": Value(Kind.DATASET),
    "tensorflow.keras.Model": Value(Kind.MODEL),
    "tensorflow.keras.models.Model": Value(Kind.MODEL),
    "tensorflow.keras.Sequential": Value(Kind.MODEL),
    "tensorflow.keras.layers.Layer": Value(Kind.LAYER),
    "tensorflow.keras.optimizers.Optimizer": Value(Kind.OPTIMIZER),
    "tensorflow.keras.optimizers.Adam": Value(Kind.OPTIMIZER),
    "tensorflow.keras.losses.Loss": Value(Kind.LOSS),
    "tensorflow.keras.metrics.Metric": Value(Kind.METRIC),
    "tensorflow.GradientTape": Value(Kind.TAPE),
    "tensorflow.Module": Value(Kind.MODULE),
    "numpy.ndarray": NDARRAY,
    "numpy.array": NDARRAY,
    "builtins.int": INT,
    "builtins.float": FLOAT,
    "builtins.bool": BOOL,
    "builtins.str": STRING,
    "builtins.list": Value(Kind.LIST),
    "builtins.dict": Value(Kind.DICT),
    "builtins.tuple": Value(Kind.TUPLE),
}


def annotation(evaluator: Evaluator, node: cst.CSTNode) -> Value:
    """What a type annotation says of a value."""
    for name in evaluator.names.of(node):
        if name in _ANNOTATIONS:
            return _ANNOTATIONS[name]
    if isinstance(node, cst.Name):
        for binding in evaluator.binder.scope(node).lookup(node.value):
            info = evaluator.units.class_of(binding.node)
            if info is not None:
                return evaluator.instance(info)
    if isinstance(node, cst.Subscript):
        outer = evaluator.names.of(node.value)
        if outer & {"typing.Optional"} and len(node.slice) == 1:
            inner = node.slice[0].slice
            if isinstance(inner, cst.Index):
                return annotation(evaluator, inner.value)._replace(maybe_none=True)
        if outer & {"typing.List", "builtins.list", "typing.Sequence"} and len(node.slice) == 1:
            inner = node.slice[0].slice
            if isinstance(inner, cst.Index):
                return list_of(annotation(evaluator, inner.value))
    return UNKNOWN
