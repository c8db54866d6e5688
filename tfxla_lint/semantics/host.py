"""Evidence that a function runs in Python, outside of any trace: what it does fails inside one."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics import api
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import UNKNOWN, Kind

_HOST_FUNCTIONS = behaviour.names(Effect.OUTSIDE)
_HOST_PREFIXES = behaviour.prefixes(Effect.OUTSIDE)

#: Objects that fail or freeze when a trace makes them anew on each call.
_MADE_ON_HOST = frozenset(
    {Kind.MODEL, Kind.OPTIMIZER, Kind.DATASET, Kind.CHECKPOINT, Kind.WRITER, Kind.STRATEGY,
     Kind.VARIABLE, Kind.METRIC}
)  # fmt: skip
#: What tells Keras to trace nothing: of a model, and of a layer when it is made.
_SWITCH, _UNTRACED = "run_eagerly", "dynamic"


def evidence(unit: Unit, evaluator: Evaluator) -> tuple[cst.CSTNode, str] | None:
    """A node of `unit` that only works outside of a trace, with the reason; None for none."""
    for node in unit.nodes(into_scopes=False):
        if isinstance(node, cst.Call):
            reason = _host_call(node, evaluator)
            if reason is not None:
                return node, reason
        elif isinstance(node, cst.FormattedStringExpression) and node.format_spec:
            if evaluator.values.get(id(node.expression), UNKNOWN).is_tensor:
                return node, "formats a tensor as text, which fails in a trace"
    return None


def _host_call(node: cst.Call, evaluator: Evaluator) -> str | None:
    names = evaluator.names.of(node.func)
    if names:
        name = min(names)
        if name in _HOST_FUNCTIONS or name.startswith(_HOST_PREFIXES):
            return f"calls `{name}`, which belongs to Python"
        kind = api.result_of(name).kind
        if kind in _MADE_ON_HOST and name != "tensorflow.Variable":
            return f"makes a {kind.value}, which a trace can do only once"
        return None
    if _reads_something(node, evaluator):
        return "calls `.numpy()`, which only works eagerly"
    function = evaluator.values.get(id(node.func), UNKNOWN)
    receiver = function.receiver
    if function.kind is not Kind.METHOD or receiver is None:
        return None
    if receiver.kind is Kind.MODEL and function.name in api.KERAS_HOST_METHODS:
        if function.unit is None:
            return f"calls `.{function.name}()`, which only works eagerly"
    if receiver.kind is Kind.CHECKPOINT and function.name in ("save", "restore", "write"):
        return f"calls `.{function.name}()` of a checkpoint, which writes files"
    return None


def _reads_something(node: cst.Call, evaluator: Evaluator) -> bool:
    """`x.numpy()` of a tensor, or of what nothing is known of: nothing in a trace has that."""
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "numpy" or node.args:
        return False
    held = evaluator.values.get(id(node.func.value), UNKNOWN)
    return held.is_tensor or held.kind is Kind.UNKNOWN


def runs_eagerly(binder: Binder) -> bool:
    """Whether the module may ask Keras to run models eagerly anywhere, or Keras 2 to leave a layer
    untraced, and so each model that holds it."""
    for argument in binder.nodes(cst.Arg):
        if argument.keyword is not None and argument.keyword.value in (_SWITCH, _UNTRACED):
            if not (isinstance(argument.value, cst.Name) and argument.value.value == "False"):
                return True
    for target in binder.nodes(cst.AssignTarget):
        inner = target.target
        if isinstance(inner, cst.Attribute) and inner.attr.value == _SWITCH:
            return True
    return False
