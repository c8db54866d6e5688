"""The project's own functions that an object of Keras' runs, since it is made of them.

A `Sequential` runs the `call` of the layers that it is made with, and the functions of which `Lambda`
makes layers; so does a functional model, through the calls of layers that lead to its outputs. Layers run the
activations, regularizers and constraints that they are made with, optimizers their schedules
(https://www.tensorflow.org/api_docs/python/tf/keras/layers/Lambda).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.keras_runs import function_of
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import LAYERED, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_KERAS = "tensorflow.keras."
_CONSTRAINT = "constraint"


def _handed(model: Answers, made: cst.Call) -> Iterator[Unit]:
    """What an object of Keras' is made to call: an activation, a schedule, a constraint of the project's own."""
    for argument in made.args:
        yield from _called(model, argument.value)


def _called(model: Answers, node: cst.BaseExpression) -> Iterator[Unit]:
    """What calling an object runs, where that is a function, or an object of a class, of the project's own."""
    value = model.value(node)
    method = value.class_.method("__call__") if value.class_ is not None else None
    if value.kind is Kind.FUNCTION and value.unit is not None:
        yield value.unit
    elif method is not None and value.kind not in LAYERED | {Kind.CLASS}:
        yield method


def constraints(model: Answers) -> list[Unit]:
    """What any layer of the program is given as a constraint: an optimizer runs it after each update."""
    found: dict[int, Unit] = {}
    for call in model.everywhere(cst.Call):
        for argument in call.args:
            keyword = argument.keyword.value if argument.keyword is not None else ""
            if keyword.endswith(_CONSTRAINT):
                found.update((id(u), u) for u in _called(model, argument.value))
    return list(found.values())


def code_inside(model: Answers, node: cst.BaseExpression) -> list[Unit]:
    """The functions that running a layer or a model runs, but for its own method."""
    found: dict[int, Unit] = {}

    def judge(made: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(made, (cst.List, cst.Tuple)):
            return held.any([element.value for element in made.elements])
        if isinstance(made, cst.Attribute) and model.value(made).unit is not None:
            return None
        if not isinstance(made, cst.Call):
            return THROUGH
        value = model.value(made)
        if value.kind in LAYERED and made is not node:
            method = value.class_.method("call") if value.class_ is not None else None
            given = [function.unit for function in function_of(model.evaluator, made)]
            found.update((id(unit), unit) for unit in (method, *given) if unit is not None)
        if any(name.startswith(_KERAS) for name in model.names.of(made.func)):
            found.update((id(unit), unit) for unit in _handed(model, made))
        parts = [argument.value for argument in made.args]
        if model.value(made.func).kind in LAYERED:
            parts.append(made.func)
        held.any(parts)
        return None

    held: Origins[bool] = Origins(model.flow, Through(attributes=True, agree=Agree.ANY), judge)
    held.of(node)
    own = model.value(node).class_
    method = own.method("call") if own is not None else None
    return [unit for unit in found.values() if unit is not method]
