"""Whether the argument or variable behind a compile-time constant takes many values."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics.data_sources import (
    DataSource,
    declaration,
    surely_tensor,
)
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import ARRAYS, Kind
from tfxla_lint.semantics.varying.python_arguments import varies

_ASSIGNING = behaviour.methods(Effect.ASSIGNS, "variable")


@dataclass(frozen=True, slots=True)
class Variation:
    """What shows that a value changes: `node`, with a remark."""

    node: cst.CSTNode
    remark: str


def variation(model: SemanticModel, source: DataSource) -> Variation | None:
    """What shows that a source of compiled code takes many values; None where nothing does.

    An array that is computed with holds something else on each call; a number that is passed for
    itself may always be the same, unless a caller or the signature says otherwise.
    """
    parameter = source.parameter
    if parameter is None:
        return _assigned(model, source.node)
    unit = model.unit(parameter.node)
    if not source.is_direct:
        is_tensor = surely_tensor(model, source)
        return Variation(parameter.node, "its content decides") if is_tensor else None
    declared = declaration(model, unit, parameter.node)
    if declared is not None:
        return Variation(declared, "declared as a tensor, so that its value may change")
    return _passed(model, unit, parameter.name)


def _passed(model: SemanticModel, unit: Unit, name: str) -> Variation | None:
    """The argument of a call in a loop that is another number on every turn."""
    for edge in model.calls.direct(unit):
        given = edge.argument(name)
        if given is None or not _is_array(model, given):
            continue
        loops = model.loops.hot_around(edge.node, edge.caller)
        certain = (loop for loop in loops if model.loops.info(loop).is_certain)
        if any(changes(model, given, loop) for loop in certain):
            return Variation(given, "another value on every turn of a loop")
    return None


def _is_array(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether tracing takes an argument for a tensor (a Python number makes a trace of its own)."""
    value = model.value(node)
    return value.is_tensor or value.kind in ARRAYS


def changes(model: SemanticModel, node: cst.BaseExpression, loop: Loop) -> bool:
    """Whether an expression surely has another value on each turn of a loop."""
    inside = {id(inner) for inner in walk(loop)}

    def judge(made: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(made, (cst.For, cst.AugAssign)):
            return id(made) in inside
        if isinstance(made, cst.Name) and model.value(made).is_python_scalar:
            return varies(model, made)
        if id(made) not in inside:
            return None
        if isinstance(made, cst.Name):
            return THROUGH
        if isinstance(made, (cst.BinaryOperation, cst.UnaryOperation, cst.Subscript)):
            return question.any([n for n in walk(made) if isinstance(n, cst.Name)])
        if isinstance(made, cst.Call) and model.names.one(made.func) in _WRAPPING:
            return question.of(made.args[0].value) if made.args else None
        return None

    question = Origins(model.flow, Through(), judge)
    return bool(question.of(node))


_WRAPPING = behaviour.names(Trait.HANDS_ON)


def _assigned(model: SemanticModel, node: cst.BaseExpression) -> Variation | None:
    """The assignment to a variable that changes it while the program runs."""
    name = dotted(node)
    if name is None or model.value(node).kind is not Kind.VARIABLE:
        return None
    for method in _ASSIGNING:
        for changed in model.flow.attributes.named(method):
            call = model.parent(changed)
            is_same = model.is_own(changed) and dotted(changed.value) == name
            if is_same and isinstance(call, cst.Call):
                if not model.unit(call).name.startswith("__"):
                    return Variation(call, "the variable changes here")
    return None
