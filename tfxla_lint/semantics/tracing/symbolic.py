"""Which expressions of traced code are symbolic: computed in the trace, with no value in Python.

A tensor that the trace captures from outside keeps its value; everything that is passed to the
traced function or computed within it has none until the graph runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.contexts import Route
from tfxla_lint.semantics.guards import in_init_scope
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_DEPTH = 12


def traced_units(model: SemanticModel) -> list[Unit]:
    """The units that are proved to be traced."""
    return [unit for unit in model.units.all[1:] if model.contexts.traced(unit) is not None]


def running_traces(model: SemanticModel) -> Iterator[tuple[Unit, Route]]:
    """The units that are proved to be traced, with the proof; none where traces are switched off."""
    if functions_run_eagerly(model) is None:
        for unit in model.units.all[1:]:
            route = model.contexts.traced(unit)
            if route is not None:
                yield unit, route


def is_symbolic(model: SemanticModel, node: cst.CSTNode, depth: int = 0) -> bool:
    """Whether an expression of a traced unit is surely a tensor without a value in Python."""
    value = model.value(node)
    if depth > _DEPTH or not value.is_tensor or value.maybe_none:
        return False
    if value.kind is Kind.VARIABLE:
        return not isinstance(node, cst.Call)
    if isinstance(node, cst.Name):
        return _is_symbolic_name(model, node, depth)
    if isinstance(node, (cst.Attribute, cst.Subscript)):
        if model.value(node.value).is_tensor:
            return is_symbolic(model, node.value, depth + 1)
        return isinstance(node, cst.Subscript) and _is_local(model, node.value)
    if isinstance(node, cst.IfExp):
        return all(is_symbolic(model, side, depth + 1) for side in (node.body, node.orelse))
    if isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.Call)):
        return not in_init_scope(model, node)
    return False


def _is_symbolic_name(model: SemanticModel, node: cst.Name, depth: int) -> bool:
    home = model.binder.scope(node).home(node.value)
    if home is None or not _is_local(model, node):
        return False
    return all(_gives_symbolic(model, b, depth) for b in home.bindings[node.value])


def _is_local(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a name belongs to traced code."""
    if not isinstance(node, cst.Name):
        return False
    home = model.binder.scope(node).home(node.value)
    if home is None:
        return False
    unit = model.units.of_scope(home)
    return not unit.is_module and model.contexts.traced(unit) is not None


def _gives_symbolic(model: SemanticModel, binding: Binding, depth: int) -> bool:
    if binding.kind is BindingKind.ASSIGNMENT and binding.value is not None:
        return is_symbolic(model, binding.value, depth + 1)
    if binding.kind is BindingKind.PARAMETER:
        unit = model.units.containing(binding.node)
        parameter = unit.parameter(binding.name)
        return parameter is None or parameter.node.default is None
    return binding.kind in (BindingKind.ASSIGNMENT, BindingKind.AUGMENTED, BindingKind.FOR)
