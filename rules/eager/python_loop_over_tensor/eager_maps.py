"""`tf.map_fn` and its like where nothing traces them: Python runs the function for each row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.loops import Turning
from tfxla_lint.semantics.turns import step_loop

from ..shared.many_rows import are_many, most_rows

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: They run their function row by row, in Python where they are called eagerly.
_ROW_BY_ROW = behaviour.names(Trait.LOOPS) - {"tensorflow.while_loop"}
#: Traces its function anew each time that it is called eagerly.
_TRACING = "tensorflow.vectorized_map"


@dataclass(frozen=True, slots=True)
class EagerMap:
    """A call that `loop` repeats, or that goes through many rows; `traces` tells the two apart."""

    call: cst.Call
    elements: cst.BaseExpression
    traces: bool
    loop: Turning | None


def eager_maps(model: SemanticModel) -> Iterator[EagerMap]:
    """Those that no larger step of eager code holds."""
    steps = {id(step.loop) for step in model.steps.loops}
    functions = {id(step.unit) for step in model.steps.functions}
    for call in model.nodes(cst.Call):
        name = model.names.one(call.func)
        if name not in _ROW_BY_ROW and name != _TRACING:
            continue
        elements, unit = argument(call, "elems", 1), model.unit(call)
        if elements is None or id(unit) in functions or not model.contexts.is_only_eager(unit):
            continue
        if any(id(node) in steps for node in model.ancestors(call)):
            continue
        loop, size = step_loop(model, call), most_rows(model, elements, elements)
        if name == _TRACING and loop is None:
            continue
        if are_many(model, call, size) and (loop is not None or size is not None):
            yield EagerMap(call, elements, name == _TRACING, loop)
