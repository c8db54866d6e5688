"""Arguments of traced functions whose shape changes from call to call, and how many traces that makes."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.turns import is_rare
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import TENSOR_LIKE, Kind
from tfxla_lint.semantics.varying.python_arguments import TracedCall, traced_call
from tfxla_lint.semantics.varying.turn_values import values_over
from tfxla_lint.semantics.varying.varying_shapes import VaryingShape, varying_shape

from ..shared.turn_counts import Count, count_turns, is_cut_short

_RELAXING = ("reduce_retracing", "experimental_relax_shapes")


@dataclass(frozen=True, slots=True)
class VaryingArgument:
    """The first argument of a call with many shapes; `count` is the number of traces, if known."""

    traced: TracedCall
    argument: cst.Arg
    shape: VaryingShape
    count: Count | None


def varying_arguments(model: SemanticModel) -> list[VaryingArgument]:
    """Those of calls in loops of this module, from code that only runs eagerly."""
    if functions_run_eagerly(model) is not None:
        return []
    return [varying for varying in model.ask(_every) if model.is_own(varying.traced.call)]


def varying_from_elsewhere(model: SemanticModel) -> list[tuple[Unit, VaryingArgument]]:
    """Those that other files pass to functions of this one, with the function."""
    return [
        (unit, varying)
        for varying in model.ask(_every)
        if not model.is_own(varying.traced.call)
        and (unit := varying.traced.unit) is not None
        and model.is_own(unit.node)
    ]


def _every(model: Answers) -> list[VaryingArgument]:
    traced = (traced_call(model, call) for call in model.everywhere(cst.Call))
    varying = (_varying(model, each) for each in traced if each is not None)
    return [each for each in varying if each is not None]


def _varying(model: Answers, traced: TracedCall) -> VaryingArgument | None:
    """The first argument of a call that takes many shapes."""
    around = model.loops.hot_around(traced.call, model.unit(traced.call))
    loops = [loop for loop in around if model.loops.info(loop).is_certain]
    for argument in traced.call.args:
        shape = varying_shape(model, argument.value, loops) if not argument.star else None
        if shape is None or is_rare(model, traced.call, shape.loop):
            continue
        if _makes_traces(model, traced, argument, shape):
            return VaryingArgument(traced, argument, shape, _count(model, traced.call, shape))
    return None


def _makes_traces(
    model: Answers, traced: TracedCall, argument: cst.Arg, shape: VaryingShape
) -> bool:
    """Whether each shape is a trace: relaxed shapes are not, other lengths of a list are."""
    if shape.is_structure:
        item = model.value(argument.value).item
        return item is not None and item.kind in (*TENSOR_LIKE, Kind.NDARRAY)
    options = (traced.tracing.option(name) for name in _RELAXING)
    given = next((option for option in options if option is not None), None)
    return given is None or model.value(given).constant is False


def _count(model: Answers, call: cst.Call, shape: VaryingShape) -> Count | None:
    is_exact = not is_cut_short(model, shape.loop, call)
    if shape.shapes is not None:
        return Count(shape.shapes, is_exact)
    if shape.size is not None:
        return _count_sizes(model, shape, shape.size, is_exact)
    name = _grown_name(shape.node)
    if name is None or not _is_reset(model, name, shape.loop):
        return None
    return count_turns(model, shape.loop, call)


def _count_sizes(
    model: Answers, shape: VaryingShape, size: cst.BaseExpression, is_exact: bool
) -> Count | None:
    values = values_over(model, size, shape.loop)
    if values is None or not all(type(value) is int for value in values):
        return None
    if not isinstance(shape.node, cst.Subscript):
        return Count(len(set(values)), is_exact)
    length = _known_length(model, shape)
    part = next(e.slice for e in shape.node.slice if isinstance(e.slice, cst.Slice))
    if length is None or (part.lower is not None and part.upper is not None):
        return Count(len(set(values)), is_exact=False)
    cuts = (slice(None, v) if part.lower is None else slice(v, None) for v in values)
    return Count(len({len(range(length)[cut]) for cut in cuts}), is_exact)


def _known_length(model: Answers, shape: VaryingShape) -> int | None:
    """The length of what is sliced along its first dimension."""
    sizes = model.value(shape.sliced).shape if shape.sliced is not None else None
    return sizes[0] if sizes and type(sizes[0]) is int else None


def _grown_name(node: cst.CSTNode) -> cst.Name | None:
    """The list whose `append`, or the tensor in whose `tf.concat`, `node` is."""
    if not isinstance(node, cst.Call):
        return None
    if isinstance(node.func, cst.Attribute) and node.func.attr.value == "append":
        return node.func.value if isinstance(node.func.value, cst.Name) else None
    first = node.args[0].value if node.args else None
    if isinstance(first, (cst.List, cst.Tuple)) and first.elements:
        first = first.elements[0].value
    return first if isinstance(first, cst.Name) else None


def _is_reset(model: Answers, name: cst.Name, loop: Loop) -> bool:
    """Whether what grows starts anew each time that `loop` does, so that shapes come again."""
    outer = model.loops.around(loop, model.unit(loop))
    if model.contexts.hot_loops(model.unit(loop)) and not outer:
        return name.value in model.unit(loop).scope.bindings
    starts = [
        b for b in model.binder.scope(name).lookup(name.value)
        if loop not in model.ancestors(b.node)
    ]  # fmt: skip
    return bool(starts) and all(o in model.ancestors(b.node) for o in outer for b in starts)
