"""Where Keras is seen to trace the `call` of a layer or model of the project.

It does so when `fit`, `evaluate` or `predict` of the model run, or of a `Sequential` that holds the
layer, and when either is called on a symbolic tensor (`Gate()(keras.Input([4]))`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import UNKNOWN, Kind, Value

_SEQUENTIAL = "tensorflow.keras.Sequential"


def keras_runs(binders: Sequence[Binder], evaluator: Evaluator) -> dict[int, cst.CSTNode]:
    """The `call` methods that Keras traces, by identity of their units, each with a proof."""
    found: dict[int, cst.CSTNode] = {}
    for binder in binders:
        for call in binder.nodes(cst.Call):
            for value in _run(binder, evaluator, call):
                info = value.class_
                method = info.method("call") if info is not None and not value.choices else None
                if method is not None and method.tracing is None:
                    found.setdefault(id(method), call)
    return found


def _run(binder: Binder, evaluator: Evaluator, call: cst.Call) -> Iterator[Value]:
    """The layers and models that a call has Keras trace."""
    values = evaluator.values
    function = values.get(id(call.func), UNKNOWN)
    if function.kind in (Kind.LAYER, Kind.MODEL) and call.args:
        if values.get(id(call.args[0].value), UNKNOWN).kind is Kind.KERAS_TENSOR:
            yield function
    elif isinstance(call.func, cst.Attribute) and call.func.attr.value in api.KERAS_LOOP_METHODS:
        holder = values.get(id(call.func.value), UNKNOWN)
        info = holder.class_
        is_own = info is not None and info.method(call.func.attr.value) is not None
        if holder.kind is Kind.MODEL and not is_own:
            yield holder
            yield from _members(binder, evaluator, call.func.value)


def _members(binder: Binder, evaluator: Evaluator, holder: cst.BaseExpression) -> Iterator[Value]:
    """The layers that are written out in the `Sequential` that a name holds, bound once."""
    bindings = binder.scope(holder).lookup(holder.value) if isinstance(holder, cst.Name) else []
    made = bindings[0].value if len(bindings) == 1 else None
    if isinstance(made, cst.Call) and _SEQUENTIAL in evaluator.names.of(made.func):
        for node in (n for argument in made.args for n in walk(argument)):
            value = evaluator.values.get(id(node), UNKNOWN)
            if value.kind in (Kind.LAYER, Kind.MODEL) and isinstance(node, (cst.Call, cst.Name)):
                yield value
