"""Where Keras is seen to trace the `call` of a layer or model of the project, or a function of it.

It does so when `fit`, `evaluate` or `predict` of the model run, or of a `Sequential` that holds the
layer, and when either is called on a symbolic tensor (`Gate()(keras.Input([4]))`). A function is
traced as the layer that `Lambda` makes of it, and as the loss that such a model is compiled with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.kinds.calls import LAMBDA
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.values import UNKNOWN, Kind, Value, holds_keras_tensor

_SEQUENTIAL = "tensorflow.keras.Sequential"
_Losses: TypeAlias = "dict[tuple[int, str], list[cst.BaseExpression]]"


def keras_runs(binders: Sequence[Binder], evaluator: Evaluator) -> dict[int, cst.CSTNode]:
    """What Keras traces, by identity of the units, each with a proof."""
    found: dict[int, cst.CSTNode] = {}
    for binder in binders:
        losses = _losses(binder)
        for call in binder.nodes(cst.Call):
            for value in _run(binder, evaluator, call, losses):
                info = value.class_
                is_function = value.kind is Kind.FUNCTION
                method = info.method("call") if info is not None and not value.choices else None
                method = value.unit if is_function else method
                if method is not None and method.tracing is None:
                    found.setdefault(id(method), call)
    return found


def _run(binder: Binder, evaluator: Evaluator, call: cst.Call, losses: _Losses) -> Iterator[Value]:
    """The layers and models that a call has Keras trace."""
    values = evaluator.values
    function = values.get(id(call.func), UNKNOWN)
    if function.kind in (Kind.LAYER, Kind.MODEL) and call.args:
        if holds_keras_tensor(values.get(id(call.args[0].value), UNKNOWN)):
            yield function
            yield from function_of(evaluator, call.func)
    elif isinstance(call.func, cst.Attribute) and call.func.attr.value in api.KERAS_LOOP_METHODS:
        holder = values.get(id(call.func.value), UNKNOWN)
        info = holder.class_
        is_own = info is not None and info.method(call.func.attr.value) is not None
        if holder.kind is Kind.MODEL and not is_own:
            yield holder
            yield from _members(binder, evaluator, call.func.value)
            compiled = losses.get((id(binder.scope(call)), dotted(call.func.value) or ""), ())
            yield from (values.get(id(loss), UNKNOWN) for loss in compiled)


def _members(binder: Binder, evaluator: Evaluator, holder: cst.BaseExpression) -> Iterator[Value]:
    """The layers that are written out in the `Sequential` that a name holds, bound once."""
    bindings = binder.scope(holder).lookup(holder.value) if isinstance(holder, cst.Name) else []
    made = bindings[0].value if len(bindings) == 1 else None
    if isinstance(made, cst.Call) and _SEQUENTIAL in evaluator.names.of(made.func):
        for node in (n for argument in made.args for n in walk(argument)):
            value = evaluator.values.get(id(node), UNKNOWN)
            if value.kind in (Kind.LAYER, Kind.MODEL) and isinstance(node, (cst.Call, cst.Name)):
                yield value
                yield from function_of(evaluator, node)


def function_of(evaluator: Evaluator, layer: cst.CSTNode) -> Iterator[Value]:
    """The function that the making of a layer has it run: `Lambda(function)`."""
    if isinstance(layer, cst.Call) and LAMBDA in evaluator.names.of(layer.func):
        given = argument(layer, "function", 0)
        if given is not None:
            yield evaluator.values.get(id(given), UNKNOWN)


def _losses(binder: Binder) -> _Losses:
    """What models are compiled with, by the name that they have and its scope."""
    found: _Losses = {}
    for call in binder.nodes(cst.Call):
        func = call.func
        if isinstance(func, cst.Attribute) and func.attr.value == "compile":
            loss, name = argument(call, "loss", 1), dotted(func.value)
            if loss is not None and name is not None:
                found.setdefault((id(binder.scope(func)), name), []).append(loss)
    return found
