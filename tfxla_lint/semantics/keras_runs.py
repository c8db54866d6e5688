"""Where Keras is seen to trace the `call` of a layer or model of the project, or a function of it.

It does so when `fit`, `evaluate` or `predict` of the model run, or of a `Sequential` that holds the
layer, and when either is called on a symbolic tensor (`Gate()(keras.Input([4]))`). A function is
traced as the layer that `Lambda` makes of it, and losses and metrics are that such a model is compiled
with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.kinds.calls import LAMBDA
from tfxla_lint.semantics.kinds.compiled_parts import parts
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.scopes import ScopeKind
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import UNKNOWN, Kind, Value, holds_keras_tensor

_SEQUENTIAL = "tensorflow.keras.Sequential"
#: The calls of `compile`, by the scope and the name of the model.
_Compiled: TypeAlias = "dict[tuple[int, str], list[cst.Call]]"


def keras_runs(binders: Sequence[Binder], evaluator: Evaluator) -> dict[int, cst.CSTNode]:
    """What Keras traces, by identity of the units, each with a proof."""
    found: dict[int, cst.CSTNode] = {}
    compiled: _Compiled = {}
    for binder in binders:
        _compile(binder, compiled)
    for binder in binders:
        for call in binder.nodes(cst.Call):
            for unit in _run(binder, evaluator, call, compiled):
                if unit.tracing is None:
                    found.setdefault(id(unit), call)
    return found


def _run(
    binder: Binder, evaluator: Evaluator, call: cst.Call, compiled: _Compiled
) -> Iterator[Unit]:
    """The units that a call has Keras trace."""
    values = evaluator.values
    network = _looped(evaluator, call)
    for value in _called(binder, evaluator, call, network):
        info = value.class_
        is_function = value.kind is Kind.FUNCTION
        method = info.method("call") if info is not None and not value.choices else None
        method = value.unit if is_function else method
        if method is not None:
            yield method
    if network is not None:
        for each in _compiling(binder, evaluator, network, compiled):
            given = (values.get(id(argument.value), UNKNOWN) for argument in each.args)
            yield from (part.unit for part in parts(evaluator, given))


def _called(
    binder: Binder, evaluator: Evaluator, call: cst.Call, network: cst.BaseExpression | None
) -> Iterator[Value]:
    """The layers and models that a call has Keras trace; `network` is the model of which it is a loop."""
    values = evaluator.values
    function = values.get(id(call.func), UNKNOWN)
    if network is not None:
        yield values.get(id(network), UNKNOWN)
        yield from _members(binder, evaluator, network)
    elif function.kind in (Kind.LAYER, Kind.MODEL) and call.args:
        if holds_keras_tensor(values.get(id(call.args[0].value), UNKNOWN)):
            yield function
            yield from function_of(evaluator, call.func)


def _looped(evaluator: Evaluator, call: cst.Call) -> cst.BaseExpression | None:
    """The model of which a call is `fit` or the like, as Keras has it; None if it is none."""
    if not isinstance(call.func, cst.Attribute):
        return None
    name, network = call.func.attr.value, call.func.value
    if name not in api.KERAS_LOOP_METHODS:
        return None
    holder = evaluator.values.get(id(network), UNKNOWN)
    is_own = holder.class_ is not None and holder.class_.method(name) is not None
    return network if holder.kind is Kind.MODEL and not is_own else None


def _made(binder: Binder, holder: cst.BaseExpression) -> cst.Call | None:
    """The call that makes what a name holds, bound once."""
    bindings = binder.scope(holder).lookup(holder.value) if isinstance(holder, cst.Name) else []
    made = bindings[0].value if len(bindings) == 1 else None
    return made if isinstance(made, cst.Call) else None


def _members(binder: Binder, evaluator: Evaluator, holder: cst.BaseExpression) -> Iterator[Value]:
    """The layers that are written out in the `Sequential` that a name holds, bound once."""
    made = _made(binder, holder)
    if made is not None and _SEQUENTIAL in evaluator.names.of(made.func):
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


def _compile(binder: Binder, compiled: _Compiled) -> None:
    """Note what compiles models, by the names that they have there."""
    for call in binder.nodes(cst.Call):
        func = call.func
        if isinstance(func, cst.Attribute) and func.attr.value == "compile":
            key = _key(binder, func.value)
            if key is not None:
                compiled.setdefault(key, []).append(call)


def _key(binder: Binder, holder: cst.BaseExpression) -> tuple[int, str] | None:
    """A name and the scope in which it stands: of an attribute of an object its class."""
    name, scope = dotted(holder), binder.scope(holder)
    if name is None:
        return None
    home = scope.function.parent
    if isinstance(holder, cst.Attribute) and home is not None and home.kind is ScopeKind.CLASS:
        return id(home), name
    return id(scope), name


def _compiling(
    binder: Binder, evaluator: Evaluator, holder: cst.BaseExpression, compiled: _Compiled
) -> list[cst.Call]:
    """What compiles the model that an expression gives: under the same name, or in the function that has
    made it."""
    key = _key(binder, holder)
    found = compiled.get(key, []) if key is not None else []
    made = _made(binder, holder)
    maker = evaluator.values.get(id(made.func), UNKNOWN).unit if made is not None else None
    if found or maker is None or not isinstance(maker.node, cst.FunctionDef):
        return found
    returned = {r.value.value for r in maker.own(cst.Return) if isinstance(r.value, cst.Name)}
    return [call for name in returned for call in compiled.get((id(maker.scope), name), ())]
