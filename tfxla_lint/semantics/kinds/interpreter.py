"""Runs the code of modules on kinds instead of values, until nothing changes any more.

Calls of first-party functions bind the arguments' kinds to the parameters, joined over all calls
seen, and give the joined result. Functions that nothing calls run last, on annotations. A unit
that read what changed later runs again (`state`), until nothing changes: the answer does not
depend on the order in which units ran.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.kinds import expressions, statements
from tfxla_lint.semantics.kinds.annotations import annotation
from tfxla_lint.semantics.kinds.by_use import PARTS, ByUse, inferred
from tfxla_lint.semantics.kinds.calls import TRAINING
from tfxla_lint.semantics.kinds.evaluator import SELF, Environment, Evaluator
from tfxla_lint.semantics.kinds.state import Task
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.units import (
    Ancestry,
    ClassInfo,
    ClassSummary,
    Decoration,
    MethodKind,
    Unit,
    Units,
    UnitSummary,
)
from tfxla_lint.semantics.values import (
    KERAS_OBJECTS,
    NONE,
    TENSOR,
    UNBOUND,
    UNKNOWN,
    Kind,
    Value,
    join,
    join_all,
    list_of,
)

_NO_ANCESTRY = Ancestry()
#: What a program is made of, and hands to its functions, and what these ask of it.
_GUESSED = KERAS_OBJECTS | {Kind.DATASET, Kind.NDARRAY, Kind.METHOD}
_WAYS = (False, True)
#: What attributes that are set elsewhere look like.
_UNTOLD = frozenset({Kind.UNKNOWN, Kind.NONE, Kind.METHOD, Kind.OBJECT})
_EXPRESSIONS = expressions.HANDLERS
#: What something of which nothing is known can be called by.
_THINGS = frozenset({cst.Name, cst.Attribute, cst.Subscript})


def interpreted(
    binders: Sequence[Binder],
    names: Names,
    modules: Sequence[Units],
    pause: Callable[[], None] = lambda: None,
) -> Evaluator:
    """What can be inferred of some modules; `binders` and `modules` say what stands in each.

    `pause` is called before each run of a unit, and may raise.
    """
    interpreter = Interpreter(binders, names, modules, pause)
    interpreter.run()
    return interpreter


class Interpreter(Evaluator):
    """Runs the units of modules."""

    def __init__(
        self,
        binders: Sequence[Binder],
        names: Names,
        modules: Sequence[Units],
        pause: Callable[[], None],
    ) -> None:
        super().__init__(binders, names, modules)
        self._pause = pause
        self._use = ByUse(binders, names, modules)
        self._is_by_use = bool(self._use)
        self._has_inferred = False

    def run(self) -> None:
        """Evaluate the modules until nothing changes any more."""
        state = self._state
        for is_assumed in (False, True):
            for unit in self._order:
                is_program = unit.is_module or state.has_run(state.task(unit, False))
                task = state.task(unit, is_assumed)
                if is_program is not is_assumed and not state.has_run(task):
                    self.evaluate(task)
            state.settle(self.evaluate)
        self._conclude()

    def _conclude(self) -> None:
        """Gather what the last runs found, and write the summaries of units and classes."""
        values: dict[int, Value] = {}
        self.values, self.callees, self.uses = values, {}, {}
        for run in sorted(self._state.results(), key=lambda run: run.task.is_assumed):
            both = values.keys() & run.values.keys()
            joined = {key: _met(values[key], run.values[key]) for key in both}
            values.update(run.values)
            values.update(joined)
            self.uses.update(run.uses)
            for call, callees in run.callees.items():
                known = self.callees.setdefault(call, [])
                known += [callee for callee in callees if callee not in known]
        unbound = Kind.UNBOUND
        values.update([(key, UNKNOWN) for key, value in values.items() if value.kind is unbound])
        attributes: dict[int, dict[str, Value]] = {}
        for holder, name, value in self._state.entries("attribute"):
            attributes.setdefault(holder, {})[name] = value
        seen = self._state.seen
        for units in self.modules:
            for unit in units.all:
                unit.summary = UnitSummary(
                    seen(("decoration", id(unit))) or Decoration(unit.syntactic_method),
                    join_all([self._result("returns", unit, way) for way in _WAYS]),
                    join_all([self._result("yields", unit, way) for way in _WAYS]),
                    tuple({c: None for way in _WAYS for c in self._result("receivers", unit, way)}),
                )
                for parameter in unit.parameters:
                    passed = (seen(("parameter", id(parameter), way)) for way in _WAYS)
                    ran, assumed = [value or UNBOUND for value in passed]
                    parameter.value = _met(ran, assumed)
            for info in units.classes:
                info.summary = ClassSummary(
                    seen(("ancestry", id(info))) or _NO_ANCESTRY,
                    bool(seen(("open", id(info)))),
                    attributes.get(id(info), {}),
                )

    def _result(self, what: str, unit: Unit, is_assumed: bool) -> Any:
        found = self._state.seen((what, id(unit), is_assumed))
        return found if found is not None else () if what == "receivers" else UNBOUND

    def evaluate(self, task: Task) -> None:
        """Run the body of a unit on what is known of its parameters."""
        self._pause()
        if task in self._active:
            return
        before, unit = self._state.begin(task), task.unit
        run = self._state.run
        saved = self.unit, self.loops, self.frames, self.environment, self.binds_outside
        self.unit, self.loops, self.frames = unit, [], []
        self.binds_outside = unit.scope.binds_outside
        self.values, self.callees, self.uses = run.values, run.callees, run.uses
        self._active.add(task)
        environment = self._parameters(unit)
        node = unit.node
        if isinstance(node, cst.Lambda):
            self.give_result("returns", self.value(node.body, environment))
        elif isinstance(node, cst.Module):
            statements.run_block(self, node.body, environment)
        else:
            end = statements.run_block(self, node.body.body, environment)
            if not run.is_waiting and self._state.cell(self._key("returns", unit)) not in run.given:
                self.give_result("returns", UNKNOWN if end is None else NONE)
        self._active.discard(task)
        self._state.end(before)
        self.unit, self.loops, self.frames, self.environment, self.binds_outside = saved
        self.values, self.callees, self.uses = before.values, before.callees, before.uses

    def _parameters(self, unit: Unit) -> Environment:
        environment: Environment = {}
        decoration = self.decoration(unit)
        for index, parameter in enumerate(unit.parameters):
            receivers: tuple[ClassInfo, ...] = ()
            if decoration.method is MethodKind.CLASS and index == 0:
                receivers = self._receivers(unit)
            value = self._state.read(("parameter", id(parameter), self._state.run.task.is_assumed))
            if decoration.is_method and index == 0 and unit.class_ is not None:
                value = self.instance(unit.class_)._replace(name=SELF)
            elif receivers:
                value = join_all([Value(Kind.CLASS, class_=info) for info in receivers])
            elif value is None and index == 1 and self._is_schedule(unit):
                # The optimizer hands over the number of its updates.
                value = TENSOR
            elif value is None:
                value = self.annotated(parameter.node)
                if parameter.form == "*":
                    value = list_of(UNKNOWN, Kind.TUPLE)
                elif parameter.form == "**":
                    value = list_of(UNKNOWN, Kind.DICT)
            elif _is_bare(value) and parameter.node.annotation is not None:
                value = self._as_annotated(parameter.node, value)
            if parameter.name == TRAINING and self._is_called_by_keras(unit):
                value = Value(Kind.BOOL)
            environment[parameter.name] = value
            self._remember(unit.scope, parameter.name, value)
        return environment

    def _is_schedule(self, unit: Unit) -> bool:
        """Whether optimizers call a function for the learning rate of a step."""
        info = unit.class_ if unit.name == "__call__" else None
        return info is not None and self.ancestry(info).role is Kind.SCHEDULE

    def _is_called_by_keras(self, unit: Unit) -> bool:
        """Whether Keras itself says to a function if it trains, whatever the calls in sight say."""
        info = unit.class_ if unit.name == "call" else None
        return info is not None and self.ancestry(info).role in (Kind.LAYER, Kind.MODEL)

    def _as_annotated(self, parameter: cst.Param, given: Value) -> Value:
        """What is said of a parameter that some call gives nobody knows what: a guess, no proof."""
        said = self.annotated(parameter)
        if not said.is_known:
            return given
        self._has_inferred = True
        return inferred(said._replace(maybe_none=said.maybe_none or given.maybe_none))

    def annotated(self, parameter: cst.Param) -> Value:
        """What a parameter's annotation says."""
        if parameter.annotation is None:
            return UNKNOWN
        return annotation(self, parameter.annotation.annotation)

    def value(self, node: cst.CSTNode, environment: Environment) -> Value:
        """The value of an expression, remembered for the rules."""
        syntax = type(node)
        handler: expressions.Handler = _EXPRESSIONS.get(syntax, expressions.parts)
        value = handler(self, node, environment)
        if value.kind in _UNTOLD:
            if self._is_by_use and (value.kind is not Kind.UNKNOWN or syntax in _THINGS):
                value = self._by_use(node, value)
        elif self._has_inferred and not value.by_use and syntax in PARTS:
            value = self._following(node, value)
        key, values = id(node), self.values
        old = values.get(key)
        if old is None:
            values[key] = value
        elif old is not value:
            values[key] = join(old, value)
        return value

    def _by_use(self, node: cst.CSTNode, value: Value) -> Value:
        """`value`, or what the use of a thing of which nothing is known says of it."""
        if value.kind is Kind.OBJECT:
            return self._with_unknown_base(node, value)
        is_unknown = value.kind is Kind.UNKNOWN
        if _is_bare(value) if is_unknown else _is_unset(node, value):
            found = self._use.of(node)
            if found is not None:
                self._has_inferred = True
                is_none = value.maybe_none or value.kind is Kind.NONE
                return found._replace(maybe_none=is_none) if is_none else found
        is_method = not is_unknown and value.kind is Kind.METHOD
        if is_method and self._has_inferred and type(node) in PARTS:
            return self._following(node, value)
        return value

    def _with_unknown_base(self, node: cst.CSTNode, value: Value) -> Value:
        """An object of the project's own, or the model that it is by its use: it may have that from
        a base of which nothing is known."""
        info = value.class_
        if info is None or not info.node.bases or not self.ancestry(info).may_trace:
            return value
        found = self._use.of(node)
        if found is None or found.kind not in (Kind.MODEL, Kind.MODULE):
            return value
        self._has_inferred = True
        return value._replace(kind=found.kind, by_use=True)

    def _following(self, node: cst.CSTNode, value: Value) -> Value:
        """`value`, marked where it follows from what is inferred from use."""
        for part in PARTS[type(node)](node):
            known = self.values.get(id(part))
            if known is not None and known.by_use:
                return inferred(value)
        return value


def _is_bare(value: Value) -> bool:
    return value.kind is Kind.UNKNOWN and value.name is None and not value.choices


def _is_unset(node: cst.CSTNode, value: Value) -> bool:
    """Whether a value is that of an attribute that is set nowhere, or to None only."""
    if type(node) is not cst.Attribute:
        return False
    if value.kind is Kind.METHOD:
        holder = value.receiver
        return value.unit is None and holder is not None and holder.class_ is not None
    return value.kind is Kind.NONE


def _met(ran: Value, assumed: Value) -> Value:
    """What a value is that the program is seen to make `ran`, and code that nobody calls `assumed`: where
    that says nothing of a model or its data, a guess is left, no proof."""
    is_guess = ran.kind in _GUESSED and assumed.kind is Kind.UNKNOWN
    return inferred(ran) if is_guess else join(ran, assumed)
