"""Calls of Keras' whole-loop methods (`fit`, `evaluate`, `compile`) that a step loop repeats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.repeated.invariance import is_bound_in, is_read
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import Kind, Value

from ..shared.single import is_single
from ..shared.step_loops import (
    batch_loop,
    hot_loops,
    steps_environment,
    training_loop,
)

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: The batch size of `fit` where none is given.
_BATCH = 32
#: Positions of the arguments of `fit` and `evaluate`.
_POSITIONS = {
    "fit": {"x": 0, "y": 1, "batch_size": 2, "epochs": 3, "verbose": 4},
    "evaluate": {"x": 0, "y": 1, "batch_size": 2, "verbose": 3},
}


@dataclass(frozen=True, slots=True)
class KerasStep:
    """A call of `fit`, `evaluate` or `compile` of one model, on every turn of a step loop.

    `is_one_batch` says that its data surely are a single batch.
    """

    call: cst.Call
    method: str
    loop: Loop
    is_one_batch: bool = False

    def given(self, name: str) -> cst.BaseExpression | None:
        """The argument for a parameter."""
        return argument(self.call, name, _POSITIONS[self.method][name])


def keras_steps(model: SemanticModel) -> Iterator[KerasStep]:
    """Those on a batch of the turn's own; epochs, folds and searches go through whole data."""
    for call in model.nodes(cst.Call):
        function = model.value(call.func)
        receiver = function.receiver
        if function.kind is not Kind.METHOD or function.unit is not None or receiver is None:
            continue
        if receiver.kind is not Kind.MODEL or function.name not in (*_POSITIONS, "compile"):
            continue
        step = _step(model, call, function.name)
        if step is not None:
            yield step


def _step(model: SemanticModel, call: cst.Call, method: str) -> KerasStep | None:
    loops = hot_loops(model, call)
    assert isinstance(call.func, cst.Attribute)
    if not loops or is_bound_in(model, call.func.value, loops[-1]):
        return None
    if method == "compile":
        return KerasStep(call, method, loops[-1]) if _trains(model, loops[-1]) else None
    step = KerasStep(call, method, loops[-1], _is_one_batch(model, call, method))
    x = step.given("x")
    if x is None or not _is_once(model, step) or not _varies(model, x, loops[-1]):
        return None
    if step.is_one_batch or steps_environment(model, call, loops[-1]):
        return step
    loop = batch_loop(model, call, x, loops[-1]) or training_loop(model, call, x)
    return step if loop is not None else None


def _is_once(model: SemanticModel, step: KerasStep) -> bool:
    """Whether a call goes through its data once, and these are arrays."""
    x = step.given("x")
    if x is None or model.value(x).kind in (Kind.DATASET, Kind.ITERATOR):
        return False
    if any(a.star for a in step.call.args):
        return False
    epochs = step.given("epochs") if step.method == "fit" else None
    return epochs is None or model.value(epochs).constant == 1


def _is_one_batch(model: SemanticModel, call: cst.Call, method: str) -> bool:
    places = _POSITIONS[method]
    x = argument(call, "x", places["x"])
    size = argument(call, "batch_size", places["batch_size"])
    if x is None:
        return False
    if is_single(model, x):
        return True
    if isinstance(size, cst.Call) and model.names.one(size.func) == "builtins.len":
        return bool(size.args) and size.args[0].value.deep_equals(x)
    limit = model.value(size).constant if size is not None else _BATCH
    rows = _rows(model.value(x))
    return type(limit) is int and rows is not None and rows <= limit


def _rows(value: Value) -> int | None:
    if value.kind not in (Kind.NDARRAY, Kind.TENSOR) or not value.shape:
        return None
    return value.shape[0] if type(value.shape[0]) is int else None


def _varies(model: SemanticModel, node: cst.BaseExpression, loop: Loop) -> bool:
    """Whether the data are the turn's own: made in the loop, or in the function that it calls."""
    if any(inner is node for inner in walk(loop.body)):
        return is_bound_in(model, node, loop)
    names = [n for n in walk(node) if isinstance(n, cst.Name) and is_read(model, n)]
    scope = model.unit(node).scope
    receiver = model.unit(node).parameters[:1] if model.unit(node).is_method else []
    own = [n for n in names if n.value in scope.bindings]
    return any(n.value not in [p.name for p in receiver] for n in own)


def _nearest_loop(model: SemanticModel, node: cst.CSTNode) -> cst.CSTNode | None:
    loops = (a for a in model.ancestors(node) if isinstance(a, (cst.For, cst.While)))
    return next(loops, None)


def _trains(model: SemanticModel, loop: Loop) -> bool:
    """Whether the turns of a loop are training steps of Keras."""
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, cst.Call) and _nearest_loop(model, node) is loop:
            function = model.value(node.func)
            if function.kind is Kind.METHOD and function.name == "train_on_batch":
                return function.receiver is not None and function.receiver.kind is Kind.MODEL
    return False
