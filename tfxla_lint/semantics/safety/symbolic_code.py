"""What models are made of but layers: arithmetic on symbolic tensors, which a graph may compute in other steps.

`arithmetic` goes through the code that is to be traced. A functional model runs what was done to
symbolic tensors when it was made, in whatever function that was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.values import Kind, holds_keras_tensor

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.units import Unit

_OPERATIONS = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)
#: What such operations have where they are on no tensors.
_PLAIN = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STRING, Kind.LIST, Kind.TUPLE, Kind.NONE})
#: What scales and shifts: two of them in a row become one in a graph.
_SCALING = behaviour.names(Trait.SCALES)
_OPS = "keras.ops."
_EVEN = behaviour.names(Trait.EVEN) | behaviour.names(Trait.GIVES_SHARES)


def is_plainly_built(model: Answers) -> bool:
    """Whether all that any module does with symbolic tensors is to call layers with them."""
    return model.ask(_computes_symbolically) is None


def are_scaled_once(model: Answers) -> bool:
    """Whether no more than one layer of all models scales by constants."""
    return model.ask(_scaling_layers) < 2


def is_even_activation(model: Answers, argument: cst.Arg) -> bool:
    """Whether what a layer is handed is no function, or one that a graph joins with nothing."""
    names = model.names.of(argument.value)
    return not any(map(api.is_op, names)) or names <= _EVEN


def _scaling_layers(model: Answers) -> int:
    return sum(1 for call in model.everywhere(cst.Call) if model.names.of(call.func) & _SCALING)


def _computes_symbolically(model: Answers) -> cst.CSTNode | None:
    """The first place where arithmetic is done, or an operation is called, on a symbolic tensor."""
    for kind in _OPERATIONS:
        for operation in model.everywhere(kind):
            if model.value(operation).kind is Kind.KERAS_TENSOR:
                return operation
    taking: list[Unit] = []
    for call in model.everywhere(cst.Call):
        if not any(holds_keras_tensor(model.value(argument.value)) for argument in call.args):
            continue
        if any(map(_computes, model.names.of(call.func))):
            return call
        taking += [edge.callee for edge in model.calls.at(call)]
    for unit in closure(taking, lambda unit: [e.callee for e in model.calls.untraced_by(unit)]):
        found = next(_operations_of(model, unit), None)
        if found is not None:
            return found
    return None


def _computes(name: str) -> bool:
    """Whether a name is that of an operation, and not of what puts layers together."""
    is_op = api.is_op(name) or name.startswith(_OPS)
    return is_op and not name.startswith("tensorflow.keras.layers.")


def _operations_of(model: Answers, unit: Unit) -> Iterator[cst.CSTNode]:
    """What a function computes that may be given a symbolic tensor."""
    for operation in unit.own(*_OPERATIONS):
        if model.value(operation).kind not in _PLAIN and not isinstance(operation, cst.Comparison):
            yield operation
    for call in unit.own(cst.Call):
        if any(map(_computes, model.names.of(call.func))):
            yield call
