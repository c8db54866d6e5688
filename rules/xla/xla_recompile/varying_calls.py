"""Calls of compiled functions with arguments whose shape changes from turn to turn of a loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Tracing
from tfxla_lint.semantics.varying.varying_shapes import VaryingShape, varying_shape


@dataclass(frozen=True, slots=True)
class VaryingCall:
    """A call, from code that only runs eagerly, of a compiled function, and the first such argument.

    `name` is what the call names the function.
    """

    call: cst.Call
    argument: cst.BaseExpression
    shape: VaryingShape
    tracing: Tracing
    name: str


def varying_calls(model: SemanticModel) -> Iterator[VaryingCall]:
    """The calls in loops that make XLA compile a shape after the other."""
    for call in model.nodes(cst.Call):
        tracing = _compiling(model, call)
        if tracing is None:
            continue
        around = model.loops.hot_around(call, model.unit(call))
        loops = [loop for loop in around if model.loops.info(loop).is_certain]
        for given in call.args:
            shape = varying_shape(model, given.value, loops) if not given.star else None
            if shape is not None:
                name = model.code(call.func)
                yield VaryingCall(call, given.value, shape, tracing, name)
                break


def _compiling(model: SemanticModel, call: cst.Call) -> Tracing | None:
    """How the function that a call runs is wrapped, where it surely is compiled for this call."""
    callees = model.callees(call)
    tracing = callees[0].tracing if len(callees) == 1 else model.value(call.func).tracing
    if tracing is None or not tracing.is_compiled:
        return None
    return tracing if model.contexts.is_only_eager(model.unit(call)) else None
