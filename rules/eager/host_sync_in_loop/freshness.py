"""Freshness: which tensors the device computes anew on each turn of a loop."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import children, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: Builtins and methods that give the members of a container, or are made of them.
OF_MEMBERS = behaviour.names(Trait.GOES_THROUGH) | {"builtins.sum"}
_READING = behaviour.methods(Trait.READS)
_CONTAINERS = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT})


class Freshness:
    """What the turns of one loop compute.

    A tensor is fresh where a traced function, a model, a loss or a gradient of this turn made it,
    directly or inside of a called function, or TensorFlow made it from such a one. What the loop
    is fed with is not. The steps that an optimizer counts are fresh beside any of these. With `run`,
    a call that the loop makes, it says the same of what the function computes or is handed.
    """

    def __init__(self, model: SemanticModel, loop: Loop, run: Edge | None = None) -> None:
        self._model = model
        self._loop = loop
        fed = {id(node) for node in walk(loop.iter)} if isinstance(loop, cst.For) else set[int]()
        self._inside = {id(node) for node in walk(loop)} - fed
        if run is not None:
            self._inside |= {id(node) for node in walk(run.callee.node)}
        works = [model.works.of_body(loop)]
        if run is not None:
            works.append(model.works.of_unit(run.callee))
        self._calls = [
            call
            for work in works
            for call in (*work.traced_calls, *work.model_calls, *work.losses, *work.gradients)
        ]
        self._sources = {id(call) for call in self._calls}

        def callers(unit: Unit) -> list[Edge]:
            return [run] if run is not None and run.callee is unit else []

        through = Through(callers, items=True, agree=Agree.ANY)
        self._origins = Origins(model.flow, through, self._judge)

    def is_fresh(self, node: cst.CSTNode) -> bool:
        """Whether an expression is a tensor that this turn computed."""
        value = self._model.value(node)
        if value.kind is not Kind.TENSOR and not self._counts(node):
            return False
        source = self.source(node)
        return source is not None and (not value.mixed or self._is_traced(source))

    def _is_traced(self, call: cst.Call) -> bool:
        """Whether a call may be that of a traced function, which gives tensors for numbers, too."""
        return any(callee.tracing is not None for callee in self._model.callees(call))

    def source(self, node: cst.CSTNode) -> cst.Call | None:
        """The call of this turn that the value of an expression comes from."""
        return self._origins.of(node)

    @property
    def feeds_itself(self) -> bool:
        """Whether what a turn computes with is what an earlier turn computed: tokens, a state."""
        given = (part for call in self._calls for a in call.args for part in walk(a.value))
        return any(self._is_carried(part) for part in given if isinstance(part, cst.Name))

    def _is_carried(self, name: cst.Name) -> bool:
        bindings = self._model.flow.reached_at(name, self._loop).bindings
        reaching = self._model.flow.reached(name).bindings
        inside = [b for b in reaching if id(b.node) in self._inside]
        is_first = any(id(b.node) not in self._inside for b in (*bindings, *reaching))
        values = (b.value for b in inside if b.value is not None)
        return is_first and any(self.source(value) is not None for value in values)

    def is_of_count(self, node: cst.CSTNode) -> bool:
        """Whether an expression is made of the number of steps that an optimizer counts."""
        return any(self._counts(part) for part in walk(node))

    def _counts(self, node: cst.CSTNode) -> bool:
        """Whether an expression is the variable in which an optimizer counts its steps."""
        if not isinstance(node, cst.Attribute) or node.attr.value != "iterations":
            return False
        return self._model.value(node.value).kind is Kind.OPTIMIZER

    def _judge(self, node: cst.CSTNode, path: Path) -> cst.Call | Look | None:
        if id(node) not in self._inside or isinstance(node, (cst.Lambda, cst.BaseString)):
            return None
        if isinstance(node, cst.Name):
            return THROUGH
        if isinstance(node, cst.Call):
            return node if self._computes(node) else self._of_call(node)
        if self._counts(node):
            return self._computing
        if isinstance(node, (cst.Attribute, cst.Subscript)):
            return self.source(node.value)
        return self._origins.any(children(node))

    def _computes(self, call: cst.Call) -> bool:
        if id(call) in self._sources:
            return True
        return self._runs_heavy(call)

    def _runs_heavy(self, call: cst.Call) -> bool:
        return any(self._is_heavy(callee.unit) for callee in self._model.callees(call))

    def _is_heavy(self, unit: Unit) -> bool:
        """Whether a function runs a model, a traced function or a tape; plain ops are light."""
        works, calls = self._model.works, self._model.calls
        here = list(works.done_by(unit))
        handed = (e.callee for inner in here for e in calls.untraced_by(inner) if e.how != "call")
        units = (*here, *(inner for each in handed for inner in works.done_by(each)))
        done = (works.of_unit(inner) for inner in units)
        return any(work.traced_calls or work.model_calls or work.gradients for work in done)

    def _of_call(self, call: cst.Call) -> cst.Call | None:
        """Ops, first-party functions, methods of tensors and what reads the members of a container
        pass freshness on; others may not."""
        function = self._model.value(call.func)
        receiver = function.receiver if function.kind is Kind.METHOD else None
        if receiver is not None:
            if receiver.kind is Kind.METRIC and function.name == "result":
                return self._updated(call)
            reads = receiver.kind in _CONTAINERS and function.name in _READING
            if (receiver.is_tensor or reads) and isinstance(call.func, cst.Attribute):
                return self.source(call.func.value)
        names = self._model.names.of(call.func)
        if names & OF_MEMBERS or any(map(api.is_op, names)) or self._model.callees(call):
            return self._origins.any([argument.value for argument in call.args])
        return None

    def _updated(self, call: cst.Call) -> cst.Call | None:
        """The result of a metric is fresh where the loop computes anything."""
        return call if id(call) in self._inside and self._computing is not None else None

    @cached_property
    def _computing(self) -> cst.Call | None:
        """A call by which a turn computes something, itself or in a function that it calls."""
        calls = (call for call, _ in self._model.works.of_body(self._loop).calls)
        return next(iter(self._calls), None) or next(filter(self._runs_heavy, calls), None)
