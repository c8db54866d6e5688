"""Calls that only work outside of a trace, found in code that is proved to be traced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics import api
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.excuses import is_excused
from tfxla_lint.semantics.effects.op_names import refused_name
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.switches import SWITCHES
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, Kind, holds_keras_tensor

_VALUE_METHODS = behaviour.methods(Effect.READS_VALUE, "tensor")
_WEIGHT_METHODS = behaviour.methods(Effect.EAGER_ONLY, "model")


@dataclass(frozen=True, slots=True)
class EagerOnly:
    """A call that needs eager execution; `why` follows the name of the call."""

    node: cst.Call
    name: str
    why: str


def eager_only_calls(model: Answers, unit: Unit) -> Iterator[EagerOnly]:
    """The calls of a traced unit that fail, or run only while tracing."""
    for node in unit.own(cst.Call):
        found = _judge(model, node, unit)
        if found is not None and not is_excused(model, EffectKind.EAGER_ONLY, node):
            yield found


def symbolic_argument(model: Answers, edge: Edge) -> cst.BaseExpression | None:
    """The symbolic tensor of Keras that a call hands a function itself, which no trace takes.

    What Keras runs of a layer or model gets a tensor of a graph for it.
    """
    if not isinstance(edge.node, cst.Call) or model.value(edge.node.func).kind in KERAS_CALLABLES:
        return None
    for argument in edge.node.args:
        if holds_keras_tensor(model.value(argument.value)):
            return argument.value
    return None


def _judge(model: Answers, node: cst.Call, unit: Unit) -> EagerOnly | None:
    name = model.names.one(node.func)
    if name is not None:
        if name.startswith("tensorflow.config.") and _changes_settings(name):
            return EagerOnly(node, f"`{_short(name)}`", "runs only while tracing")
        refused = refused_name(model, node, name)
        return EagerOnly(node, f"`{_short(name)}`", refused) if refused is not None else None
    if not isinstance(node.func, cst.Attribute):
        return None
    method = node.func.attr.value
    if method in _VALUE_METHODS and not node.args:
        if is_symbolic(model, node.func.value) or _is_argument(model, node.func.value, unit):
            return EagerOnly(node, f"`.{method}()`", "needs a value, and a traced tensor has none")
    receiver = model.value(node.func).receiver
    if receiver is None or receiver.kind is not Kind.MODEL or model.value(node.func).unit:
        return None
    if method in api.KERAS_LOOP_METHODS:
        return EagerOnly(node, f"`.{method}()`", "runs its own Python loop and fails in a trace")
    if method in _WEIGHT_METHODS:
        return EagerOnly(node, f"`.{method}()`", "reads weights as arrays and fails in a trace")
    return None


def _changes_settings(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.startswith(("set_", "enable_", "experimental_connect")) or name in SWITCHES


def _short(name: str) -> str:
    return "tf." + name.removeprefix("tensorflow.")


def _is_argument(model: Answers, node: cst.CSTNode, unit: Unit) -> bool:
    """Whether `node` is an argument of a function that is traced itself, and nothing rebinds it.

    Nothing but a tensor has a `numpy` method, so its kind need not be known.
    """
    route = model.contexts.traced(unit)
    parent = model.parent(node)
    if not isinstance(node, cst.Name) or route is None or route.calls:
        return False
    if not isinstance(parent, cst.Attribute) or parent.attr.value != "numpy":
        return False
    bindings = unit.scope.bindings.get(node.value, [])
    return len(bindings) == 1 and bindings[0].kind is BindingKind.PARAMETER
