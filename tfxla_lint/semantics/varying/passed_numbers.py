"""Python numbers as arguments of a trace: one trace for each value that calls pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.repetition import is_turned
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import DRAWN, Kind
from tfxla_lint.semantics.varying.carried_sizes import has_changing_size

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_MEASURED = frozenset({"builtins.float", "builtins.int"})


def takes_varying_number(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether calls pass a Python number that changes from turn to turn of a loop, be it the size of
    what each turn makes longer."""
    value = parameter.value
    if any(_is_changing_size(model, edge, parameter.name) for edge in model.calls.untraced(unit)):
        return True
    if not value.is_python_scalar:
        return False
    if value.loop is not None:
        return True
    edges = model.calls.untraced(unit)
    if value.kind is Kind.STRING:
        return any(_made_anew(model, edge, parameter.name) for edge in edges)
    if value.kind not in (Kind.INT, Kind.FLOAT):
        return False
    if value.name == DRAWN and any(is_turned(model, edge.node, edge.caller) for edge in edges):
        return True
    return any(_is_measured(model, edge, parameter.name) for edge in edges)


def takes_new_function(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether a call that runs often makes a function anew to pass it: each has a trace of its own."""
    return any(
        isinstance(edge.argument(parameter.name), cst.Lambda)
        and is_turned(model, edge.node, edge.caller)
        for edge in model.calls.untraced(unit)
    )


def _is_changing_size(model: Answers, edge: Edge, name: str) -> bool:
    """Whether a call passes `x.shape[1]`, or `len(x)`, of what holds arrays of several sizes."""
    given = edge.argument(name)
    loops = model.loops.around(edge.node, edge.caller)
    measured = _measured(model, given) if given is not None and loops else None
    return measured is not None and has_changing_size(
        model, edge.caller, measured.value, measured, loops
    )


def _measured(model: Answers, node: cst.BaseExpression) -> cst.Name | None:
    """The name whose size, or length, an expression reads."""
    if isinstance(node, cst.Call) and model.names.of(node.func) == {"builtins.len"} and node.args:
        given = node.args[0].value
        return given if isinstance(given, cst.Name) else None
    if not isinstance(node, cst.Subscript) or not isinstance(node.value, cst.Attribute):
        return None
    holder = node.value.value
    is_shape = node.value.attr.value == "shape" and isinstance(holder, cst.Name)
    return holder if is_shape and isinstance(holder, cst.Name) else None


def _is_measured(model: Answers, edge: Edge, name: str) -> bool:
    """Whether a call passes `float(x)` or `int(x)`, computed anew on each turn around it."""
    return any(
        isinstance(made, cst.Call) and bool(model.names.of(made.func) & _MEASURED)
        for made in _made_anew(model, edge, name)
    )


def _made_anew(model: Answers, edge: Edge, name: str) -> list[cst.BaseExpression]:
    """What each turn around a call makes to pass it, of a name that the turn binds."""
    given = edge.argument(name)
    loops = model.loops.around(edge.node, edge.caller)
    if given is None or not loops:
        return []
    inside = {id(node) for node in walk(loops[-1])}
    made: list[cst.BaseExpression | None] = [given]
    if isinstance(given, cst.Name):
        bindings = model.flow.reached(given).bindings
        made = [binding.value for binding in bindings if id(binding.node) in inside]
    return [
        expression
        for expression in made
        if isinstance(expression, cst.BaseExpression)
        and not model.value(expression).has_constant
        and _changes(model, expression, inside)
    ]


def _changes(model: Answers, node: cst.BaseExpression, inside: set[int]) -> bool:
    """Whether an expression reads a name that the loop binds."""
    return any(
        id(binding.node) in inside
        for inner in walk(node)
        if isinstance(inner, cst.Name)
        for binding in model.flow.reached(inner).bindings
    )
