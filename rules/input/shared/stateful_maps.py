"""Random draws and Python code in the functions that a pipeline maps over its elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Runs, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

from .stages import Stage, mapped_unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_TF = "tensorflow."
_LAYERS = _TF + "keras.layers."
_PREPROCESSING = _TF + "keras.layers.experimental.preprocessing."
_AUGMENTING = behaviour.leaves("tensorflow.keras.layers", Trait.AUGMENTS)
_WITH_WEIGHTS = behaviour.names(Trait.WITH_WEIGHTS)
_TRAINED = _TF + "keras.applications."
_PYTHON = behaviour.names(Runs.EAGER)
_PYTHON_DRAWS = behaviour.names(Effect.DRAWS_IN_PYTHON)
_DRAWING_METHODS = behaviour.methods(Effect.DRAWS, "generator")


@dataclass(frozen=True, slots=True)
class Draw:
    """A call that draws anew for each element; `seeded` where it gives a seed of its own."""

    call: cst.Call
    seeded: bool


def draws(model: Answers, stage: Stage) -> list[Draw]:
    """The draws that a `map` surely makes for each element."""
    function = argument(stage.call, "map_func", 0)
    named = model.names.one(function) if function is not None else None
    if named is not None and _is_drawing(named):
        return [Draw(stage.call, False)]
    unit = mapped_unit(model, stage)
    if unit is None:
        return []
    return [*_draws_of(model, unit), *_draws_in_python(model, stage)]


def variables_read(model: Answers, stage: Stage) -> Iterator[cst.CSTNode]:
    """Where the function of a `map` surely reads a variable for each element: its own, or those of a
    model or layer with weights that it runs."""
    unit = mapped_unit(model, stage)
    for inner in closure([unit] if unit is not None else [], lambda u: _surely_run(model, u)):
        for call in _sure_calls(model, inner):
            if _has_weights(model, call):
                yield call
        for name in inner.own(cst.Name, cst.Attribute):
            value = model.value(name)
            if (
                value.kind is Kind.VARIABLE
                and value.is_sure
                and not _is_optional(model, name, inner)
            ):
                yield name


def _has_weights(model: Answers, call: cst.Call) -> bool:
    """Whether a call runs a model or layer of TensorFlow's that is made with weights."""
    function = model.value(call.func)
    if function.kind not in (Kind.LAYER, Kind.MODEL) or not function.is_sure:
        return False
    made = makers(model.flow, call.func)
    parts = [part for each in made for part in walk(each) if isinstance(part, cst.Call)]
    names = {name for part in parts for name in model.names.of(part.func)}
    return bool(names & _WITH_WEIGHTS) or any(name.startswith(_TRAINED) for name in names)


def _draws_in_python(model: Answers, stage: Stage) -> Iterator[Draw]:
    """The draws of NumPy and Python in what a `py_function` runs anew for each element.

    In traced code they would be frozen.
    """
    for call in python_calls(model, stage):
        handed = [edge.callee for edge in model.calls.handed_at(call)]
        for inner in closure(handed, lambda inner: _surely_run(model, inner)):
            for node in _sure_calls(model, inner):
                if model.names.of(node.func) & _PYTHON_DRAWS:
                    yield Draw(node, False)


def _draws_of(model: Answers, unit: Unit) -> Iterator[Draw]:
    for inner in closure([unit], lambda inner: _surely_run(model, inner)):
        for node in _sure_calls(model, inner):
            name = model.names.one(node.func)
            if name is not None and _is_drawing(name):
                yield Draw(node, _gives_seed(model, node))
            elif _is_random_layer(model, node) or _is_generator(model, node):
                yield Draw(node, False)


def _sure_calls(model: Answers, unit: Unit) -> list[cst.Call]:
    calls = (node for node in unit.nodes(into_scopes=False) if isinstance(node, cst.Call))
    return [call for call in calls if not _is_optional(model, call, unit)]


def _surely_run(model: Answers, unit: Unit) -> Iterator[Unit]:
    """The functions that a unit's calls run, or hand to an op that runs them in the trace."""
    for call in _sure_calls(model, unit):
        yield from (edge.callee for edge in model.calls.at(call))
        if model.names.one(call.func) in behaviour.names(Runs.INHERITS):
            yield from (edge.callee for edge in model.calls.handed_at(call))


def _is_drawing(name: str) -> bool:
    if "stateless" in name:
        return False
    return name in api.STATEFUL_RANDOM or name.startswith(_TF + "image.random_")


def _gives_seed(model: Answers, call: cst.Call) -> bool:
    given = next((a for a in call.args if a.keyword and a.keyword.value == "seed"), None)
    return given is not None and model.value(given.value).kind is not Kind.NONE


def _is_generator(model: Answers, call: cst.Call) -> bool:
    function = model.value(call.func)
    receiver = function.receiver
    is_one = receiver is not None and receiver.kind is Kind.GENERATOR
    return is_one and function.name in _DRAWING_METHODS


def _is_random_layer(model: Answers, call: cst.Call) -> bool:
    """Whether a call runs a Keras layer that augments, or a `Sequential` that holds one."""
    if model.value(call.func).kind not in (Kind.LAYER, Kind.MODEL):
        return False
    flag = next((a for a in call.args if a.keyword and a.keyword.value == "training"), None)
    if flag is not None and model.value(flag.value).constant is not True:
        return False
    parts = (part for made in makers(model.flow, call.func) for part in walk(made))
    return any(isinstance(p, cst.Call) and _makes_random(model, p) for p in parts)


def _makes_random(model: Answers, call: cst.Call) -> bool:
    name = model.names.one(call.func) or ""
    last = name.rpartition(".")[2]
    is_layer = name.startswith((_LAYERS, _PREPROCESSING))
    return is_layer and (last.startswith("Random") or last in _AUGMENTING)


def _is_optional(model: Answers, node: cst.CSTNode, unit: Unit) -> bool:
    """Whether a Python condition may keep a call from being traced at all."""
    child = node
    for ancestor in model.ancestors(node):
        if ancestor is unit.node:
            return False
        if isinstance(ancestor, (cst.If, cst.IfExp)) and child is not ancestor.test:
            if not model.value(ancestor.test).is_tensor:
                return True
        child = ancestor
    return False


def python_calls(model: Answers, stage: Stage) -> list[cst.Call]:
    """The `py_function`, `numpy_function` calls that a `map` makes for each element."""
    unit = mapped_unit(model, stage)
    if unit is None:
        return []
    return [
        node
        for inner in model.calls.below(unit)
        for node in inner.nodes(into_scopes=False)
        if isinstance(node, cst.Call) and model.names.one(node.func) in _PYTHON
    ]
