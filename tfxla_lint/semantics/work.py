"""Tensor work: how much a piece of code asks of TensorFlow, op by op."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.closure import circles, closure
from tfxla_lint.semantics.kinds.calls import builds_model
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.loops import Loop, Loops, Turning
from tfxla_lint.semantics.syntax import LEAVES
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, UNKNOWN, Kind, Value

_GRADIENT_METHODS = behaviour.methods(Trait.DIFFERENTIATES, "tape")
_UPDATE_METHODS = behaviour.methods(Trait.UPDATES, "optimizer")
_MINIMIZE_METHODS = _UPDATE_METHODS & behaviour.methods(Trait.DIFFERENTIATES, "optimizer")
_ASSIGN_METHODS = behaviour.methods(Effect.ASSIGNS, "variable")
_BATCH_METHODS = behaviour.methods(Trait.ONE_BATCH, "model")
_PLAIN_TENSOR_METHODS = behaviour.methods(Trait.HOST, "tensor")


@dataclass(slots=True)
class Work:
    """The tensor work that some code does itself, as lists of nodes.

    `total` counts all of it, also that of the first-party functions it calls, through any depth.
    """

    ops: list[cst.CSTNode] = field(default_factory=list)
    #: What takes parts of tensors: operations that belong to what is done with these.
    slices: list[cst.CSTNode] = field(default_factory=list)
    losses: list[cst.Call] = field(default_factory=list)
    model_calls: list[cst.Call] = field(default_factory=list)
    tapes: list[cst.CSTNode] = field(default_factory=list)
    gradients: list[cst.Call] = field(default_factory=list)
    updates: list[cst.Call] = field(default_factory=list)
    #: Those of `updates` by which an optimizer takes the gradients of what it calls as well.
    minimizes: list[cst.Call] = field(default_factory=list)
    metric_updates: list[cst.Call] = field(default_factory=list)
    traced_calls: list[cst.Call] = field(default_factory=list)
    #: Models' own methods that go over one batch, in graphs of theirs.
    batch_runs: list[cst.Call] = field(default_factory=list)
    #: Those of `updates` that are made for each of a model's variables.
    spread: list[cst.Call] = field(default_factory=list)
    callees: list[Unit] = field(default_factory=list)
    #: The calls of first-party functions, with those of which each runs one.
    calls: list[tuple[cst.Call, tuple[Unit, ...]]] = field(default_factory=list)
    total: int = 0
    #: Whether a function that is called here asks a tape that it has not opened for gradients.
    asks_below: bool = False

    @property
    def inline(self) -> int:
        """The number of TensorFlow calls made here."""
        return (
            len(self.ops)
            + len(self.losses)
            + len(self.model_calls)
            + len(self.gradients)
            + len(self.updates)
            + len(self.metric_updates)
        )

    @property
    def runs_graphs(self) -> bool:
        """Whether something is called here that is traced, or that Keras runs in a graph of its own."""
        return bool(self.traced_calls or self.batch_runs)

    @property
    def is_training_step(self) -> bool:
        """Whether gradients are taken from a tape opened here, or by an optimizer that opens one."""
        return bool((self.tapes and (self.gradients or self.asks_below)) or self.minimizes)

    @property
    def is_model_step(self) -> bool:
        """Whether a model is run here and its output worked on, or recorded by a tape."""
        return bool(self.model_calls) and (
            bool(self.metric_updates or self.losses or self.tapes)
            or self.total >= len(self.model_calls) + 2
        )

    @property
    def is_spread_update(self) -> bool:
        """Whether all variables of a model are set to what is computed here: many operations, if
        they are written in few words."""
        return bool(self.spread) and self.total > len(self.updates)

    @property
    def is_measuring(self) -> bool:
        """Whether metrics or an optimizer are updated here, eagerly, beside a step that is traced."""
        return bool(self.traced_calls and (self.metric_updates or self.applies))

    @property
    def only_measures(self) -> bool:
        """Whether nothing of a step is eager but the updates of its metrics and optimizers."""
        return self.is_measuring and not (self.tapes or self.is_model_step)

    @property
    def applies(self) -> list[cst.Call]:
        """The calls by which optimizers apply gradients here."""
        named = ((c.func.attr.value, c) for c in self.updates if isinstance(c.func, cst.Attribute))
        return [call for name, call in named if name in _UPDATE_METHODS]

    @property
    def is_optimizer_step(self) -> bool:
        """Whether an optimizer applies gradients here, and something else is computed as well, here
        or in what is called."""
        return bool(self.applies) and (self.total > 1 or bool(self.traced_calls))


_SCOPES = frozenset({cst.FunctionDef, cst.Lambda, cst.ClassDef})
_LOOPS = frozenset({cst.For, cst.While})


def _runs_model(function: Value) -> bool:
    """Whether a method of the project's own is a model's `call`: `self.call(x)` runs the model as
    `self(x)` does."""
    receiver = function.receiver
    return (
        function.name in ("call", "__call__")
        and receiver is not None
        and receiver.kind in (Kind.MODEL, Kind.LAYER)
        and receiver.name != "super"
    )


class Works:
    """Measures code of one module."""

    def __init__(self, binder: Binder, evaluator: Evaluator, loops: Loops) -> None:
        self._binder = binder
        self._evaluator = evaluator
        self._loops = loops
        self._totals: dict[int, int] = {}
        self._bodies: dict[int, Work] = {}
        self._units: dict[tuple[int, bool], Work] = {}

    def of_body(self, loop: Loop) -> Work:
        """The work of one turn of a loop."""
        key = id(loop)
        if key not in self._bodies:
            self._bodies[key] = self.of([loop.body])
        return self._bodies[key]

    def of(self, nodes: Iterable[cst.CSTNode], *, into_loops: bool = True) -> Work:
        """The work of some statements.

        With `into_loops=False`, what runs in a hot loop among them is left to that loop, unless
        the loop belongs to a taped computation. What runs on a few turns only is none.
        """
        return self._with_total(self._found(nodes, into_loops))

    def _found(self, nodes: Iterable[cst.CSTNode], into_loops: bool) -> Work:
        """The work of some statements, but for its total."""
        work = Work()
        for node in self.run(nodes, into_loops=into_loops):
            if type(node) is cst.Call:
                self._classify(node, work)
            elif type(node) is cst.Subscript:
                work.slices += [node] if self._is_slice(node) else []
            elif self._is_written_op(node):
                work.ops.append(node)
        return work

    def _is_written_op(self, node: cst.CSTNode) -> bool:
        """Whether a node is an op that is no call: arithmetic, a comparison, a sign, `+=`."""
        kind = type(node)
        if kind is cst.BinaryOperation:
            return self._value(node).is_tensor
        if kind is cst.Comparison:
            return self._value(cast("cst.Comparison", node).left).is_tensor
        if kind is cst.UnaryOperation:
            return self._value(cast("cst.UnaryOperation", node).expression).is_tensor
        return kind is cst.AugAssign and self._value(cast("cst.AugAssign", node).target).is_tensor

    def _is_slice(self, node: cst.CSTNode) -> bool:
        """Whether a node takes a part of a tensor."""
        is_target = isinstance(self._binder.parent(node), (cst.AssignTarget, cst.AugAssign))
        return not is_target and self._value(cast("cst.Subscript", node).value).is_tensor

    def _with_total(self, work: Work) -> Work:
        for unit in work.callees:
            self.total(unit)
        work.total = work.inline + self._below(work)
        if work.tapes and not work.gradients:
            below = {id(u): u for called in work.callees for u in self.done_by(called)}
            work.asks_below = any(
                inner.gradients and not inner.tapes for inner in map(self._of_own, below.values())
            )
        return work

    def of_unit(self, unit: Unit, *, into_loops: bool = True) -> Work:
        """The work of a unit's own body."""
        return self._with_total(self._of_own(unit, into_loops))

    def _of_own(self, unit: Unit, into_loops: bool = True) -> Work:
        key = (id(unit), into_loops)
        work = self._units.get(key)
        if work is None:
            work = self._units[key] = self._found(unit.body, into_loops)
        return work

    def done_by(self, unit: Unit) -> Iterator[Unit]:
        """A unit and what its work calls, through any depth, but for what is traced."""
        return closure([unit], lambda inner: self._of_own(inner).callees)

    def total(self, unit: Unit) -> int:
        """The number of TensorFlow calls of a unit and of what it calls; of functions that call each
        other in a circle, what all of them do."""
        if id(unit) not in self._totals:
            for circle in circles(unit, self._unknown_below):
                works = [self._of_own(member) for member in circle]
                total = sum(work.inline + self._below(work) for work in works)
                self._totals.update((id(member), total) for member in circle)
        return self._totals[id(unit)]

    def _unknown_below(self, unit: Unit) -> list[Unit]:
        return [callee for callee in self._of_own(unit).callees if id(callee) not in self._totals]

    def _below(self, work: Work) -> int:
        """The calls of what some work calls, as far as their number is known."""
        known = self._totals
        choices = {units for _, units in work.calls}
        return sum(max(known.get(id(unit), 0) for unit in units) for units in choices)

    def run(
        self, nodes: Iterable[cst.CSTNode], *, into_loops: bool = True
    ) -> Iterator[cst.CSTNode]:
        """What is run of some code on more than a few turns; `into_loops` as for `of`."""
        stack: list[tuple[cst.CSTNode, bool]] = [(node, False) for node in nodes]
        stack.reverse()
        while stack:
            node, taped = stack.pop()
            kind = type(node)
            if kind in _SCOPES:
                continue
            if kind in _LOOPS and not into_loops and not taped:
                if not self._loops.info(cast("Loop", node)).is_short:
                    if type(node) is cst.For:
                        stack.append((node.iter, taped))
                    continue
            yield node
            if kind in LEAVES:
                continue
            inside = taped or (type(node) is cst.With and self._opens_tape(node))
            stack += [(child, inside) for child in self._loops.frequency.reached(node)[::-1]]

    def _opens_tape(self, node: cst.With) -> bool:
        return any(self._value(item.item).kind is Kind.TAPE for item in node.items)

    def _classify(self, call: cst.Call, work: Work) -> None:
        names = self._evaluator.names.of(call.func)
        if names:
            name = min(names)
            if name == "tensorflow.GradientTape":
                work.tapes.append(call)
            elif api.is_op(name) and not self._is_symbolic(call):
                is_loss = name.startswith(("tensorflow.keras.losses.", "tensorflow.losses."))
                work.losses.append(call) if is_loss else work.ops.append(call)
            return
        function = self._value(call.func)
        callees = self._evaluator.callees.get(id(call), ())
        if function.kind is Kind.TRACED or any(c.tracing is not None for c in callees):
            work.traced_calls.append(call)
        elif function.kind in KERAS_CALLABLES:
            self._keras(call, function.kind, work)
        elif function.kind is Kind.METHOD and (function.unit is None or _runs_model(function)):
            self._method(call, function, work)
        else:
            units = tuple(c.unit for c in callees)
            work.callees.extend(units)
            work.calls += [(call, units)] if units else []

    def _is_for_each(self, call: cst.Call) -> bool:
        """Whether a loop or comprehension over variables, of unknown number, makes a call."""
        parent = self._binder.parent(call)
        while parent is not None and type(parent) not in _SCOPES:
            if isinstance(parent, (cst.For, cst.BaseComp)):
                info = self._loops.info(cast("Turning", parent))
                return info.over == "structure" and info.turns is None
            parent = self._binder.parent(parent)
        return False

    def _is_symbolic(self, call: cst.Call) -> bool:
        """Whether a call adds to a model that is being built."""
        return self._value(call).kind is Kind.KERAS_TENSOR

    def _value(self, node: cst.CSTNode) -> Value:
        return self._evaluator.values.get(id(node), UNKNOWN)

    def _keras(self, call: cst.Call, kind: Kind, work: Work) -> None:
        given = (self._value(argument.value) for argument in call.args)
        if self._is_symbolic(call) or builds_model(call, kind, given):
            return
        if kind is Kind.LOSS:
            work.losses.append(call)
        elif kind is Kind.METRIC:
            work.metric_updates.append(call)
        else:
            work.model_calls.append(call)

    def _method(self, call: cst.Call, function: Value, work: Work) -> None:
        receiver, name = function.receiver, function.name
        kind = receiver.kind if receiver is not None else Kind.UNKNOWN
        if kind is Kind.TAPE and name in _GRADIENT_METHODS:
            work.gradients.append(call)
        elif kind is Kind.OPTIMIZER and name in _UPDATE_METHODS:
            work.updates.append(call)
            if name in _MINIMIZE_METHODS:
                self._minimize(call, work)
        elif kind is Kind.METRIC and name == "update_state":
            work.metric_updates.append(call)
        elif kind is Kind.VARIABLE and name in _ASSIGN_METHODS:
            work.updates.append(call)
            if self._is_for_each(call):
                work.spread.append(call)
        elif kind in (Kind.TENSOR, Kind.VARIABLE) and name not in _PLAIN_TENSOR_METHODS:
            work.ops.append(call)
        elif kind is Kind.MODEL and name in _BATCH_METHODS:
            work.batch_runs.append(call)
        elif kind in (Kind.MODEL, Kind.LAYER) and name in ("call", "__call__"):
            work.model_calls.append(call)

    def _minimize(self, call: cst.Call, work: Work) -> None:
        """An optimizer's call of the loss that it is given, with a tape of its own, unless that is the
        tensor that a tape beside it recorded."""
        loss = argument(call, "loss", 0)
        unit = self._value(loss).unit if loss is not None else None
        if unit is not None:
            work.callees.append(unit)
            work.calls.append((call, (unit,)))
        if unit is not None or argument(call, "tape", 2) is not None:
            work.minimizes.append(call)
