"""Tests that the default of an argument decides, since every trace in sight leaves the argument out."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.flow.calls import Edge, Passing
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.supposed import outcome
from tfxla_lint.semantics.syntax import is_none
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, NONE, UNKNOWN, Kind, Value


def is_left_out(model: Answers, node: cst.CSTNode) -> bool:
    """Whether the traces of its function may not reach `node`, for what an argument is by default.

    None of the calls and traces in sight is seen to give that argument.
    """
    unit = model.unit(node)

    def supposed(read: cst.BaseExpression) -> Value:
        """What is written out, or the default of what is left out."""
        return NONE if is_none(read) else _default(model, unit, read) or UNKNOWN

    for condition in model.loops.frequency.conditions(node, unit.node):
        if condition.holds is None or not isinstance(condition.node, cst.BaseExpression):
            continue
        if outcome(condition.node, supposed) is (not condition.holds):
            return True
    return False


def _default(model: Answers, unit: Unit, node: cst.BaseExpression) -> Value | None:
    """The default of the parameter that a name reads, where all traces may leave it out."""
    found = model.flow.reached(node).only if isinstance(node, cst.Name) else None
    parameter = unit.parameter(found.name) if found is not None else None
    if found is None or found.kind is not BindingKind.PARAMETER or parameter is None:
        return None
    if found.scope is not unit.scope or parameter.node.default is None or _is_filled(unit):
        return None
    edges = [*model.calls.callers(unit), *model.calls.handed(unit)]
    traces = [edge for edge in edges if _may_trace(model, edge)]
    if not traces or any(_is_given(model, edge, parameter) for edge in traces):
        return None
    return model.evaluator.value(parameter.node.default, {})


def _is_filled(unit: Unit) -> bool:
    """Whether Keras hands on what a call leaves out: the mode of the layer around, and masks."""
    info = unit.class_
    return unit.name == "call" and info is not None and info.role in KERAS_CALLABLES


def _may_trace(model: Answers, edge: Edge) -> bool:
    is_wrapped = edge.tracing is not None or edge.how == "traced"
    return is_wrapped or model.contexts.may_be_traced(edge.caller)


def _is_given(model: Answers, edge: Edge, parameter: Parameter) -> bool:
    """Whether a call writes the argument out, or the elements of a data set have a member for it."""
    if edge.passed(parameter.name).how is Passing.ARGUMENT:
        return True
    receiver = model.value(edge.node.func).receiver if isinstance(edge.node, cst.Call) else None
    item = receiver.item if receiver is not None and edge.is_relayed else None
    if item is None:
        return False
    members = len(item.elements) if item.kind is Kind.TUPLE and item.elements is not None else 1
    given = edge.callee.parameters[edge.skip : edge.skip + members]
    return parameter in given
