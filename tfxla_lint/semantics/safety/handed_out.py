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
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.passed_on import is_called, is_left_alone
from tfxla_lint.semantics.safety.reflection import TOLD, mutated_containers
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.units import ClassInfo

_KERAS = frozenset({Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.SCHEDULE, Kind.LOSS, Kind.METRIC})
#: What is surely no part of one that it reads.
_APART_FROM = frozenset(
    {Kind.FUNCTION, Kind.METHOD, Kind.TRACED, Kind.CLASS, Kind.PYTHON_MODULE, Kind.NDARRAY}
)
_OUTSIDE = behaviour.methods(Trait.SURROUNDS)
_RATES = behaviour.methods(Trait.RATE)
#: What takes an object apart, and may set what it finds.
_APART = behaviour.names(Trait.BY_NAME) | behaviour.names(Trait.LOOKS)
_TOLD = TOLD | {"__class__"}
_NUMBERS = frozenset({Kind.INT, Kind.FLOAT, Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY})
_HOLDING = (cst.Element, cst.Tuple, cst.List, cst.Dict, cst.DictElement, cst.StarredElement)


def changing_places(model: Answers) -> list[tuple[cst.CSTNode, str]]:
    """The places, anywhere, at which a Keras object may be changed in Python, with what they do.

    What stands in a function that nothing of the world runs is passed over.
    """
    found = (*_set(model), *_given_away(model), *_filled(model))
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
    if not _may_be_keras(model, target.value) or target.attr.value in _OUTSIDE:
        return False
    if target.attr.value not in _RATES:
        return True
    # A number goes to the variable that the trace reads; a schedule, or a function, takes its place.
    place = model.parent(target)
    if isinstance(place, cst.AugAssign):
        return False
    assign = model.parent(place) if place is not None else None
    value = model.value(assign.value) if isinstance(assign, cst.Assign) else None
    return value is None or value.kind not in _NUMBERS or value.mixed or value.by_use


def _may_be_keras(model: Answers, holder: cst.BaseExpression) -> bool:
    """Whether an expression may be a Keras object, or a part of one, of no class of the project."""
    value = model.value(holder)
    if isinstance(holder, cst.Attribute) and model.value(holder.value).kind in _KERAS:
        return value.class_ is None
    return value.kind not in _APART_FROM and value.class_ is None and not model.names.of(holder)


def _given_away(model: Answers) -> Iterator[tuple[cst.CSTNode, str]]:
    """Keras objects that are handed to code that is not seen, or taken apart."""
    state = model.ask(Safety).state
    for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)):
        value = model.value(node)
        if value.kind not in _KERAS or model.names.of(node):
            continue
        holder = model.parent(node)
        if isinstance(holder, cst.Attribute) and holder.value is node:
            name = holder.attr.value
            is_private = name.startswith("__") and name.endswith("__") and name not in _TOLD
            if is_private and not state.constructs(model.unit(node)):
                yield holder, f"asks for `{model.code(holder)}`"
            elif _is_unknown_method(model, holder):
                yield holder, f"calls `{model.code(holder)}`"
            continue
        call = _taking(model, node)
        if call is not None and not _leaves(model, call):
            yield call, f"hands `{model.code(node)}` to `{model.code(call.func)}`"


def _is_unknown_method(model: Answers, node: cst.Attribute) -> bool:
    """Whether a method of a Keras object is called of which no row says what it does."""
    if not is_called(model, node) or model.calls.at(model.parent(node) or node):
        return False
    holder = model.value(node.value)
    is_own = (
        holder.class_ is not None or holder.kind is Kind.METRIC or model.value(node).kind in _KERAS
    )
    return not is_own and not any(
        behaviour.of(f"@{kind.value}.{node.attr.value}").words for kind in _KERAS
    )


def given_to_unseen(model: Answers, info: ClassInfo) -> cst.Call | None:
    """A call that hands an object of a class to code that is not seen; None where nothing does."""
    for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)):
        value = model.value(node)
        if value.kind is Kind.OBJECT and value.class_ is info:
            call = _taking(model, node)
            if call is not None and not _leaves(model, call):
                return call
    return None


def _taking(model: Answers, node: cst.CSTNode) -> cst.Call | None:
    """The call that takes an expression as an argument, or in one."""
    holder = model.parent(node)
    while isinstance(holder, _HOLDING):
        holder = model.parent(holder)
    call = model.parent(holder) if isinstance(holder, cst.Arg) else None
    return call if isinstance(call, cst.Call) else None


def _leaves(model: Answers, call: cst.Call) -> bool:
    """Whether a call is known to leave what it is handed as it is, or is looked at itself."""
    names = model.names.of(call.func)
    if names:
        return not names & _APART and all(map(_is_known, names))
    value = model.value(call.func)
    if value.receiver is not None:
        return value.receiver.kind not in (Kind.UNKNOWN, Kind.OBJECT) or bool(model.calls.at(call))
    return bool(model.calls.at(call)) or value.kind in _KERAS or value.class_ is not None


def _is_known(name: str) -> bool:
    if api.is_tensorflow(name) or name.startswith(("builtins.", "numpy.")):
        return True
    return bool(behaviour.of(name).words)
