"""Which expressions of traced code are symbolic: computed in the trace, with no value in Python.

A tensor that the trace captures from outside keeps its value; everything that is passed to the
traced function or computed within it has none until the graph runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.contexts import Route
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.guards import in_init_scope
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind


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


def is_symbolic(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an expression of a traced unit is surely a tensor without a value in Python."""
    return bool(model.ask(_Symbolic).origins.of(node))


class _Symbolic:
    def __init__(self, model: Answers) -> None:
        self._model = model
        self.origins = Origins(model.flow, Through(), self._judge)
        self._makers = Origins(model.flow, Through(), self._is_made)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(node, cst.Param):
            return node.default is None
        if isinstance(node, (cst.For, cst.CompFor, cst.AugAssign)):
            return True
        if path:
            return THROUGH if isinstance(node, (cst.Tuple, cst.List)) else True
        value = self._model.value(node)
        if not value.is_tensor or value.maybe_none:
            return None
        if value.kind is Kind.VARIABLE:
            return not isinstance(node, cst.Call)
        if isinstance(node, cst.Name) and self._is_local(node):
            # What a tape differentiates is computed from tensors, by whatever is called for it.
            return self._makers.of(node) if value.by_use else THROUGH
        if isinstance(node, (cst.Attribute, cst.Subscript)):
            if self._model.value(node.value).is_tensor:
                return self.origins.of(node.value)
            return isinstance(node, cst.Subscript) and self._is_local(node.value)
        if isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.Call)):
            return not in_init_scope(self._model, node)
        return THROUGH if isinstance(node, cst.IfExp) else None

    def _is_made(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        """Whether the trace computes what is known for a tensor by its use."""
        if isinstance(node, (cst.Call, cst.BinaryOperation, cst.UnaryOperation)):
            return not in_init_scope(self._model, node)
        return THROUGH if isinstance(node, (cst.Name, cst.Tuple)) else None

    def _is_local(self, node: cst.CSTNode) -> bool:
        """Whether a name belongs to traced code."""
        if not isinstance(node, cst.Name):
            return False
        home = self._model.binder.scope(node).home(node.value)
        if home is None:
            return False
        unit = self._model.unit_of_scope(home)
        return not unit.is_module and self._model.contexts.traced(unit) is not None
