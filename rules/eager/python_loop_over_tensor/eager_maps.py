"""`tf.map_fn` and its like where nothing traces them: Python runs the function for each row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.loops import Turning
from tfxla_lint.semantics.turns import step_loop

from ..shared.many_rows import are_many, most_rows
from ..shared.one_line import one_line

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: They run their function row by row, in Python where they are called eagerly.
_ROW_BY_ROW = behaviour.names(Trait.LOOPS) - {"tensorflow.while_loop"}
#: What does with a batch of images what it does with each of them, and the rank of that batch.
_OF_EACH_IMAGE, _RANK_OF_IMAGES = behaviour.names(Trait.OF_EACH_IMAGE), 4
#: Arguments that say no more than how the rows are gone through.
_HOW = ("parallel_iterations", "back_prop", "swap_memory", "infer_shape", "name")
#: Traces its function anew each time that it is called eagerly.
_TRACING = "tensorflow.vectorized_map"


@dataclass(frozen=True, slots=True)
class EagerMap:
    """A call that `loop` repeats, or that goes through many rows; `traces` tells the two apart."""

    call: cst.Call
    elements: cst.BaseExpression
    traces: bool
    loop: Turning | None


def as_one_call(model: SemanticModel, found: EagerMap) -> list[NodeEdit] | None:
    """The call of an operation that does with a batch of images what it does with each, on all at once.

    `tf.map_fn(lambda image: tf.image.resize(image, size), images)`, or with the operation itself.
    """
    function = argument(found.call, "fn", 0)
    others = [a for a in found.call.args if a.value not in (function, found.elements)]
    if function is None or any(a.star or a.keyword is None or _says(a) for a in others):
        return None
    shape = model.value(found.elements).shape
    if shape is not None and len(shape) != _RANK_OF_IMAGES:
        return None
    rows = model.code(found.elements)
    if model.names.of(function) and model.names.of(function) <= _OF_EACH_IMAGE:
        return [Replace(found.call, f"{model.code(function)}({rows})")]
    params = function.params.params if isinstance(function, cst.Lambda) else ()
    call = function.body if isinstance(function, cst.Lambda) else None
    if not isinstance(call, cst.Call) or len(params) != 1 or params[0].default is not None:
        return None
    if not model.names.of(call.func) or not model.names.of(call.func) <= _OF_EACH_IMAGE:
        return None
    reads = model.binder.inner_scopes[id(function)].reads.get(params[0].name.value, [])
    first = call.args[0] if call.args else None
    if first is None or reads != [first.value] or "#" in model.code(found.call):
        return None
    if first.keyword is not None and first.keyword.value not in ("image", "images"):
        return None
    given = [rows, *(one_line(model.code(a)).rstrip(" ,") for a in call.args[1:])]
    return [Replace(found.call, f"{model.code(call.func)}({', '.join(given)})")]


def _says(given: cst.Arg) -> bool:
    """Whether an argument says more than how to go through the rows."""
    return given.keyword is None or given.keyword.value not in _HOW


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
