"""Sizes that eager code knows and a trace may not: those that hang on values.

Eagerly every tensor has a shape. In a trace that of `tf.boolean_mask`, of `tf.reshape` to a computed
shape, or of anything under a signature that leaves a size open is not known, and what needs it while
tracing raises: `tf.squeeze` without an axis, then, has no rank, and a Keras layer cannot be built.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Shape, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.safety.conditions import Condition, Gap
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import ClassInfo
from tfxla_lint.semantics.values import NO_CONSTANT, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_VALUES = frozenset({Kind.TENSOR, Kind.VARIABLE})
_COUNTING = behaviour.names(Trait.READS_SIZE)
_SHAPING = frozenset(behaviour.places("shape"))
_RESIZING = behaviour.names(Trait.RESIZES) | behaviour.names(Trait.PICKS)
_STATIC = behaviour.names(Trait.NEEDS_STATIC)
_NUMBERED = frozenset({Kind.INT, Kind.LIST, Kind.TUPLE})


def needs_sizes(model: Answers, nodes: Iterable[cst.CSTNode], *, runs_keras: bool = False) -> bool:
    """Whether the nodes, or what they run, need sizes that a trace with open ones has not.

    `runs_keras` says that they run a layer or a model without calling it.
    """
    roots = [*nodes]
    if model.ask(Safety).reads_static_shape(roots):
        return True
    run = [*roots, *model.calls.bodies_run_by(roots)]
    calls = (node for root in run for node in walk(root) if isinstance(node, cst.Call))
    if any(needs_size(model, call) for call in calls):
        return True
    if not model.ask(_layers_that_need_sizes):
        return False
    effects = model.ask(Effects).of_all(run)
    return runs_keras or any(effect.kind is EffectKind.RUN_KERAS for effect in effects)


def _layers_that_need_sizes(model: Answers) -> bool:
    """Whether any code makes a layer that reads in Python how large its inputs are.

    One of the project's reads it in its `call`, or in a function that it is made of: which model holds
    such a layer is not asked.
    """
    made = (c for c in model.everywhere(cst.Call) if model.value(c).kind is Kind.LAYER)
    if any(model.names.of(call.func) & _STATIC or _is_unrolled(model, call) for call in made):
        return True
    run = [unit for unit in model.every_unit if unit.name == "call" and _is_layer(unit.class_)]
    made_of = [u for u in model.uses if isinstance(u.node, cst.Call)]
    run += [use.unit for use in made_of if model.value(use.node).kind is Kind.LAYER]
    reads = model.ask(Safety).static_shapes
    return any(_counts_rows(model, read) for unit in run for read in reads(unit.body))


def _is_unrolled(model: Answers, layer: cst.Call) -> bool:
    """Whether a layer is told, or may be, to write out a step for each step of what it is given."""
    given = [a.value for a in layer.args if a.keyword is not None and a.keyword.value == "unroll"]
    return any(model.value(value).constant is not False for value in given)


def _is_layer(info: ClassInfo | None) -> bool:
    return info is not None and info.role in (Kind.LAYER, Kind.MODEL)


def _counts_rows(model: Answers, shape: cst.CSTNode) -> bool:
    """Whether a read of a shape may be asked for its first size, of which a batch decides."""
    place = model.parent(shape)
    if not isinstance(place, cst.Subscript) or len(place.slice) != 1:
        return True
    part = place.slice[0].slice
    first = part.value if isinstance(part, cst.Index) else cst.ensure_type(part, cst.Slice).lower
    return first is None or model.value(first).constant in (0, NO_CONSTANT)


def shared_trace(at: cst.CSTNode) -> Gap:
    """What is missing where one trace may serve tensors of several sizes.

    Where an argument comes as a vector and as a matrix it knows neither's rank: then `x.ndim` is -1, and
    what counts axes from the front raises. Which values reach an argument, and what reads its shape, is
    seldom known to the last one: no such trace is taken for safe, but that of Keras' own models, which
    have the rank that they were built with.
    """
    return Gap(Condition.SHARED, at, "it knows no size, or rank, that varies")


def needs_size(model: Answers, call: cst.Call) -> bool:
    """Whether an operation of TensorFlow needs sizes while tracing that a trace may not know."""
    name = model.names.one(call.func)
    if name is None or not api.is_tensorflow(name) or not call.args:
        return False
    is_asking = name in _COUNTING or behaviour.of(name).shape is Shape.SQUEEZE
    if not is_asking or says_which(model, call):
        return False
    return not _is_closed(model, call.args[0].value, 0)


def says_which(model: Answers, call: cst.Call) -> bool:
    """Whether a call says surely which axis, or how many, beside what it is given first."""
    others = (a.value for a in call.args[1:] if a.keyword is None or a.keyword.value != "name")
    return any(model.value(other).kind in _NUMBERED for other in others)


def opens_size(model: Answers, node: cst.Call | cst.Subscript) -> bool:
    """Whether an expression gives a tensor with a size, beyond its first, that hangs on values, or
    that a signature leaves open."""
    if isinstance(node, cst.Subscript):
        return any(_hangs_on_value(model, element.slice) for element in node.slice)
    name = model.names.one(node.func)
    if name is None or not api.is_tensorflow(name) or not api.is_op(name):
        return False
    is_known = name not in _SHAPING and name not in _RESIZING and model.value(node).shape is None
    return not is_known and not _is_closed(model, node, 1)


def _hangs_on_value(model: Answers, part: cst.BaseSlice) -> bool:
    ends = (part.lower, part.upper, part.step) if isinstance(part, cst.Slice) else ()
    return any(end is not None and model.value(end).kind in _VALUES for end in ends)


def _is_closed(model: Answers, node: cst.BaseExpression, first: int) -> bool:
    """Whether the sizes of a tensor are numbers that the code shows, from one dimension on."""
    shape = model.value(node).shape
    return shape is not None and all(type(size) is int for size in shape[first:])
