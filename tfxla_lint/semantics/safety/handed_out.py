"""Where code may change a Keras object that a step runs, and that a trace would not see change.

A trace keeps what it reads of an optimizer, a schedule, a loss or a layer in Python. Seen as harmless
are reads of their attributes, what is set of them for the code around, and what Keras, TensorFlow and
the project's own code are handed, which is looked at itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.passed_on import is_left_alone
from tfxla_lint.semantics.safety.reflection import mutated_containers
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_KERAS = frozenset({Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.SCHEDULE, Kind.LOSS, Kind.METRIC})
#: What lists the variables that its attributes hold.
_LISTING = frozenset({Kind.MODEL, Kind.LAYER, Kind.MODULE})
#: What is surely no part of one that it reads.
_APART_FROM = frozenset(
    {Kind.FUNCTION, Kind.METHOD, Kind.TRACED, Kind.CLASS, Kind.PYTHON_MODULE, Kind.NDARRAY}
)
_OUTSIDE = behaviour.methods(Trait.SURROUNDS)
_RATES = behaviour.methods(Trait.RATE)
_NUMBERS = frozenset({Kind.INT, Kind.FLOAT, Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY})


def changing_places(model: Answers) -> list[tuple[cst.CSTNode, str]]:
    """The places, anywhere, at which a Keras object may be changed in Python, with what they do.

    What stands in a function that nothing of the world runs is passed over.
    """
    found = (*_set(model), *_filled(model))
    return [each for each in found if not is_left_alone(model, model.unit(each[0]))]


def _filled(model: Answers) -> Iterator[tuple[cst.CSTNode, str]]:
    """Changes of containers of which a Keras object may keep one that it was made with."""
    kept = {
        made
        for call in model.everywhere(cst.Call)
        if model.value(call).kind in _KERAS
        for argument in call.args
        if model.value(argument.value).kind in (Kind.LIST, Kind.DICT)
        for made in map(id, makers(model.flow, argument.value))
    }
    for holder, place in model.ask(mutated_containers):
        if any(id(made) in kept for made in makers(model.flow, holder)):
            yield place, f"changes `{model.code(holder)}`, which a Keras object was made with"


def _set(model: Answers) -> Iterator[tuple[cst.CSTNode, str]]:
    state = model.ask(Safety).state
    for target in state.targets:
        node = target
        while isinstance(node, cst.Subscript):
            node = node.value
        if isinstance(node, cst.Attribute) and not state.constructs(model.unit(target)):
            if _is_setting(model, node):
                yield target, f"sets `{model.code(node)}`"
    for call, _ in state.set_by_name:
        if _may_be_keras(model, call.args[0].value):
            yield call, f"sets an attribute of `{model.code(call.args[0].value)}`"


def _is_setting(model: Answers, target: cst.Attribute) -> bool:
    """Whether an attribute that is set may be one which a Keras object reads in Python."""
    if target.attr.value in _OUTSIDE:
        return False
    if not _may_be_keras(model, target.value):
        return _is_adding(model, target)
    if target.attr.value not in _RATES:
        return True
    # A number goes to the variable that the trace reads; a schedule, or a function, takes its place.
    place = model.parent(target)
    if isinstance(place, cst.AugAssign):
        return False
    assign = model.parent(place) if place is not None else None
    value = model.value(assign.value) if isinstance(assign, cst.Assign) else None
    return value is None or value.kind not in _NUMBERS or value.mixed or value.by_use


def _is_adding(model: Answers, target: cst.Attribute) -> bool:
    """Whether an object of the project is given what may hold variables, which it then lists."""
    if model.value(target.value).kind not in _LISTING:
        return False
    assign = model.parent(model.parent(target) or target)
    value = model.value(assign.value) if isinstance(assign, cst.Assign) else None
    return value is None or not (value.is_python_scalar or value.kind in _APART_FROM)


def _may_be_keras(model: Answers, holder: cst.BaseExpression) -> bool:
    """Whether an expression may be a Keras object, or a part of one, of no class of the project."""
    value = model.value(holder)
    if isinstance(holder, cst.Attribute) and model.value(holder.value).kind in _KERAS:
        return value.class_ is None
    return value.kind not in _APART_FROM and value.class_ is None and not model.names.of(holder)
