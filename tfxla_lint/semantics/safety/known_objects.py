"""Which Keras objects are known through and through: what their code does is Keras' own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.symbolic_code import (
    are_scaled_once,
    is_even_activation,
    is_plainly_built,
)
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import LAYERED, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_OBJECTS = LAYERED | {Kind.OPTIMIZER, Kind.LOSS, Kind.METRIC, Kind.SCHEDULE}
#: Parameters that let a schedule ask which step of a stair, or which cycle, a number of steps is in.
_STAIRS = ("staircase", "cycle")
#: What makes objects of what others are made of.
_REMADE = ("from_config", "deserialize")
_RATED = frozenset({Kind.OPTIMIZER, Kind.SCHEDULE})
_CODE = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CLASS, Kind.OBJECT, Kind.UNKNOWN, Kind.TRACED})


def draws_nothing(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether an expression names an object of Keras' own classes that draws no random numbers.

    Of a functional model the layers stand anywhere; there no layer of the world may draw or run
    code of the project's.
    """
    made = makers(model.flow, node)
    return bool(made) and all(_is_plain(model, each) for each in made)


def _is_plain(model: Answers, made: cst.BaseExpression) -> bool:
    if not isinstance(made, cst.Call) or model.value(made).kind not in _OBJECTS:
        return False
    if model.value(made).kind not in LAYERED:
        return _is_of_keras(model, made)
    if all(not isinstance(node, cst.Name) or _is_named(model, node) for node in walk(made)):
        return all(_is_plain_layer(model, call) for call in _made_in(made))
    is_built_so = is_plainly_built(model) and bool(model.ask(_has_plain_layers))
    return is_built_so and _is_of_keras(model, made)


def _is_named(model: Answers, node: cst.Name) -> bool:
    """Whether a name in the making of a layer is that of a module, a function or a keyword."""
    parent = model.parent(node)
    if isinstance(parent, cst.Arg) and parent.keyword is node:
        return True
    if isinstance(parent, cst.Attribute) and parent.attr is node:
        return True
    return bool(model.names.of(node)) or model.value(node).has_constant


def _made_in(made: cst.CSTNode) -> Iterator[cst.Call]:
    return (node for node in walk(made) if isinstance(node, cst.Call))


def _has_plain_layers(model: Answers) -> bool:
    """Whether all layers that any module makes are Keras' own and draw nothing."""
    calls = model.everywhere(cst.Call)
    return all(_is_plain_layer(model, call) for call in calls if _makes_layer(model, call))


def _makes_layer(model: Answers, call: cst.Call) -> bool:
    value = model.value(call)
    makes = model.value(call.func).kind is Kind.CLASS or bool(model.names.of(call.func))
    return makes and value.kind in LAYERED


def _is_of_keras(model: Answers, call: cst.Call) -> bool:
    """Whether a call makes an object of a class of Keras', with no code of the project's in it."""
    if not behaviour.holds(Trait.SAME, model.names.one(call.func) or ""):
        return False
    if model.value(call).kind in _RATED and model.ask(_has_stairs):
        return False
    values = (model.value(each.value) for each in call.args)
    return not any(
        value.class_ is not None or (value.kind in _CODE and value.unit is not None)
        for value in values
    )


def _is_smooth(model: Answers, schedule: cst.Call) -> bool:
    """Whether a schedule goes down no stairs: a graph may come to each of them a step later."""
    name = model.names.one(schedule.func) or ""
    symbol = symbols.find(name) if behaviour.holds(Trait.SAME, name) else None
    if symbol is None or any(each.star for each in schedule.args):
        return False
    for name in _STAIRS:
        places = [p.name for p in symbol.params or ()]
        given = argument(schedule, name, places.index(name)) if name in places else None
        if given is not None and model.value(given).constant is not False:
            return False
    return True


def _has_stairs(model: Answers) -> bool:
    """Whether any schedule of the program may go down stairs, whoever makes it and however it is told to."""
    for call in model.everywhere(cst.Call):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _REMADE:
            return True
        is_schedule = model.value(call).kind is Kind.SCHEDULE
        if is_schedule and model.names.of(call.func) and not _is_smooth(model, call):
            return True
    return any(
        isinstance(target, cst.Attribute) and target.attr.value in _STAIRS
        for target in model.ask(Safety).state.targets
    )


def _is_plain_layer(model: Answers, call: cst.Call) -> bool:
    """Whether a layer, or what is handed to its making, draws nothing whatever it is passed."""
    value = model.value(call)
    if value.kind not in LAYERED:
        return value.is_known and bool(model.names.of(call.func))
    if not _is_of_keras(model, call):
        return False
    if not are_scaled_once(model) or not all(is_even_activation(model, a) for a in call.args):
        return False
    return not any(a.star or _drops(model, a) or _is_code(model, a) for a in call.args)


def _drops(model: Answers, argument: cst.Arg) -> bool:
    return argument.keyword is not None and "dropout" in argument.keyword.value


def _is_code(model: Answers, argument: cst.Arg) -> bool:
    """Whether a function or an object of unknown making is handed to a layer."""
    value = model.value(argument.value)
    return value.kind in _CODE and not model.names.of(argument.value)
