"""Eager training that an option chooses, where the other side of the test trains in a graph."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.flow.closure import folded
from tfxla_lint.semantics.options import by_default
from tfxla_lint.semantics.supposed import outcome
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_FITTING = api.KERAS_LOOP_METHODS - behaviour.methods(Trait.ONE_BATCH) - {"predict", "evaluate"}


def has_graph_twin(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a test leads to `node` only if somebody asks for it, and else to training by `fit` or
    by a traced step.

    The program is fast then unless told otherwise, and the eager way is there to look at each step.
    The test may stand around every call of the function that holds `node`.
    """
    return _is_chosen(model, node) or model.ask(_Twins).has(model.unit(node))


class _Twins:
    """The functions of which every call is chosen so, or stands in such a function."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._known: dict[int, bool] = {}

    def has(self, unit: Unit) -> bool:
        """Whether a function is one of them."""
        return folded(unit, self._open_callers, self._is_one, self._known, False)

    def _open_callers(self, unit: Unit) -> list[Unit]:
        """The functions that hold calls which nothing chooses there."""
        nodes = [edge.node for edge in self._model.calls.untraced(unit)]
        return [self._model.unit(node) for node in nodes if not _is_chosen(self._model, node)]

    def _is_one(self, unit: Unit) -> bool:
        is_called = bool(self._model.calls.untraced(unit))
        return is_called and all(self._known[id(u)] for u in self._open_callers(unit))


def _is_chosen(model: Answers, node: cst.CSTNode) -> bool:
    child = node
    for parent in model.ancestors(node):
        if isinstance(parent, (cst.FunctionDef, cst.Lambda)):
            return False
        if isinstance(parent, cst.If) and parent.orelse is not None and child is not parent.test:
            takes_other = outcome(parent.test, lambda read: by_default(model, read)) is (
                child is not parent.body
            )
            other = parent.orelse if child is parent.body else parent.body
            if takes_other and model.ask(_trains_in_graph, other):
                return model.ask(_trains_eagerly, child)
        child = parent
    return False


def _trains_eagerly(model: Answers, branch: cst.CSTNode) -> bool:
    if model.works.of([branch]).gradients:
        return True
    below = model.calls.run_by([branch])
    return any(model.works.of_unit(u).gradients and model.contexts.is_only_eager(u) for u in below)


def _trains_in_graph(model: Answers, branch: cst.CSTNode) -> bool:
    calls = (node for node in walk(branch, into_scopes=False) if isinstance(node, cst.Call))
    if any(_fits(model, call) for call in calls):
        return True
    below = model.calls.run_by([branch])
    return any(model.works.of_unit(u).gradients and model.contexts.traced(u) for u in below)


def _fits(model: Answers, call: cst.Call) -> bool:
    function = model.value(call.func)
    receiver = function.receiver
    if function.kind is not Kind.METHOD or function.unit is not None or receiver is None:
        return False
    return receiver.kind is Kind.MODEL and function.name in _FITTING
