"""Synchronisations: places of a loop where Python waits for a tensor's value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics.flow.attributes import may_be
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import Kind

from .decisions import Decisions
from .freshness import OF_MEMBERS, Freshness

if TYPE_CHECKING:
    from tfxla_lint.semantics.flow.calls import Edge
    from tfxla_lint.semantics.model import SemanticModel

_CONVERSIONS = behaviour.names(Trait.CONVERTS)
_TO_ARRAY = behaviour.names(Trait.TO_ARRAY)
#: What makes text of a tensor, with its value.
_SPELLING = frozenset({"builtins.str", "builtins.repr"})
_PASSING = behaviour.names(Trait.CONVERTS) | {"builtins.round"} | _SPELLING
_PASSING |= {"builtins.abs", "builtins.dict"} | OF_MEMBERS
_HOLDERS = (Kind.LIST, Kind.DICT, Kind.NDARRAY)
_GROWING = behaviour.methods(Trait.GROWS)
_WRITERS = behaviour.names(Effect.WRITES)
#: Methods that only record what they are given.
_RECORDING = behaviour.methods(Trait.RECORDS)
#: What makes objects that do nothing else.
_RECORDERS = behaviour.names(Trait.RECORDS)


@dataclass(frozen=True)
class Sync:
    """An expression that waits for `tensor`; `is_recorded` where the value is only logged,
    collected, summed up or compared, so that the loop could do without it; `ends` where it says
    whether the loop has come to its end."""

    node: cst.BaseExpression
    tensor: cst.BaseExpression
    is_recorded: bool
    ends: bool = False


class Syncs:
    """Finds the synchronisations in the body of one loop, or in that of a function that it calls."""

    def __init__(
        self,
        model: SemanticModel,
        loop: Loop,
        fresh: Freshness,
        run: Unit | None = None,
        *,
        is_below: bool = False,
    ) -> None:
        self._model = model
        self._is_below = is_below
        self._loop = loop
        self._fresh = fresh
        self._body = run.node if run is not None else loop.body
        self._inside = {id(node) for node in walk(self._body, into_scopes=False)}
        self._followed: set[str] = set()
        self._decisions = Decisions(model, loop)

    def find(self) -> Iterator[Sync]:
        """All synchronisations of fresh tensors: of the loop's own test, then in document order.

        Nothing needs the steps that an optimizer counts: a number that Python counts would do.
        """
        for sync in self._found():
            is_count = self._fresh.is_of_count(sync.tensor)
            ends = not sync.is_recorded and self._decisions.end_by(sync.node)
            yield replace(sync, is_recorded=sync.is_recorded or is_count, ends=ends)

    def _found(self) -> Iterator[Sync]:
        if isinstance(self._loop, cst.While) and self._body is self._loop.body:
            if self._fresh.source(self._loop.test) is not None:
                yield Sync(self._loop.test, self._loop.test, False)
        for node in walk(self._body, into_scopes=False):
            if isinstance(node, cst.Call):
                yield from self._of_call(node)
            elif isinstance(node, cst.FormattedStringExpression):
                if self._fresh.is_fresh(node.expression):
                    yield Sync(node.expression, node.expression, True)
            elif isinstance(node, (cst.If, cst.IfExp)):
                if self._fresh.is_fresh(node.test):
                    yield Sync(node.test, node.test, not self._decisions.rest_on(node))
            elif isinstance(node, cst.BinaryOperation):
                yield from self._of_percent(node)

    def _of_call(self, call: cst.Call) -> Iterator[Sync]:
        function, names = call.func, self._model.names.of(call.func)
        if isinstance(function, cst.Attribute) and function.attr.value == "numpy":
            if not call.args and self._fresh.is_fresh(function.value):
                yield Sync(call, function.value, self._is_recorded(call))
        elif names & (_CONVERSIONS | _SPELLING) and len(call.args) == 1:
            tensor = call.args[0].value
            if self._fresh.is_fresh(tensor):
                yield Sync(call, tensor, self._is_recorded(call))
        elif names & _TO_ARRAY:
            given = (part for argument in call.args for part in _listed(argument.value))
            read = next(filter(self._fresh.is_fresh, given), None)
            if read is not None:
                yield Sync(call, read, self._is_recorded(call))
        elif "builtins.print" in names or self._prints(function):
            for shown in (part for argument in call.args for part in self._members(argument.value)):
                if self._fresh.is_fresh(shown):
                    yield Sync(shown, shown, True)

    def _members(self, shown: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
        """What is shown of an argument: of a dict that is written there, each of its values."""
        if isinstance(shown, cst.Dict):
            yield from (each.value for each in shown.elements)
        elif isinstance(shown, cst.Call) and "builtins.dict" in self._model.names.of(shown.func):
            yield from (argument.value for argument in shown.args)
        else:
            yield shown

    def _prints(self, function: cst.BaseExpression) -> bool:
        """Whether a method makes text of its arguments: `"...".format`, a progress bar's."""
        if not isinstance(function, cst.Attribute):
            return False
        if function.attr.value == "format":
            return self._model.value(function.value).kind is Kind.STRING
        return function.attr.value in ("set_postfix", "info", "warning")

    def _of_percent(self, node: cst.BinaryOperation) -> Iterator[Sync]:
        if not isinstance(node.operator, cst.Modulo):
            return
        if self._model.value(node.left).kind is not Kind.STRING:
            return
        right = node.right
        parts = [e.value for e in right.elements] if isinstance(right, cst.Tuple) else [right]
        for part in parts:
            if self._fresh.is_fresh(part):
                yield Sync(part, part, True)

    def _is_recorded(self, node: cst.CSTNode) -> bool:
        """Whether the value of an expression goes nowhere but into logs, lists, sums and tests."""
        parent = self._model.parent(node)
        if isinstance(parent, cst.Arg):
            call = self._model.parent(parent)
            assert isinstance(call, cst.Call)
            if self._records(call) or self._puts_away(call, parent):
                return True
            return self._passes(call) and self._is_recorded(call)
        if isinstance(parent, cst.For):
            return parent.iter is node and all(map(self._is_bound, _values_of(parent)))
        if isinstance(parent, cst.If):
            return not self._decisions.rest_on(parent)
        if isinstance(parent, cst.AugAssign):
            return not self._decisions.read(parent.target) and self._only_adds(parent.target)
        if isinstance(parent, cst.Assert):
            return True
        if isinstance(parent, cst.Attribute):
            method = self._model.parent(parent)
            return isinstance(method, cst.Call) and self._is_recorded(method)
        if isinstance(parent, cst.Assign):
            return all(self._stored(target.target) for target in parent.targets)
        if isinstance(parent, cst.AnnAssign):
            return self._stored(parent.target)
        if isinstance(parent, (cst.Subscript, cst.BaseElement, cst.DictElement, *_PARTS)):
            return self._is_recorded(parent)
        if isinstance(parent, cst.CompFor):
            comprehension = next(
                a for a in self._model.ancestors(parent) if isinstance(a, cst.BaseComp)
            )
            return parent.iter is node and self._is_recorded(comprehension)
        if isinstance(parent, cst.BaseComp):
            # A member: a test or a source stands in a part of its own.
            return self._is_recorded(parent)
        return False

    def _records(self, call: cst.Call) -> bool:
        if "builtins.print" in self._model.names.of(call.func):
            return True
        if not isinstance(call.func, cst.Attribute):
            return False
        if call.func.attr.value in _RECORDING:
            return True
        if call.func.attr.value in _GROWING and self._keeps(call.func.value):
            return True
        made = makers(self._model.flow, call.func.value)
        calls = (each.func for each in made if isinstance(each, cst.Call))
        return any(self._model.names.of(func) & _RECORDERS for func in calls)

    def _puts_away(self, call: cst.Call, argument: cst.Arg) -> bool:
        """Whether a function of the project only records what a call passes there: a meter, a logger.

        What a loop that trains nothing puts away are samples to train with, which may be read.
        """
        if not self._trains or self._is_below:
            return False
        edges = list(self._model.calls.at(call))
        return bool(edges) and all(self._records_argument(edge, argument) for edge in edges)

    @cached_property
    def _trains(self) -> bool:
        """Whether each turn of the loop trains, itself or in what it calls."""
        works, calls = self._model.works, self._model.calls
        work = works.of_body(self._loop)
        units = [e.callee for call in work.traced_calls for e in calls.at(call)]
        below = (inner for unit in (*work.callees, *units) for inner in works.done_by(unit))
        return work.is_training_step or any(works.of_unit(u).is_training_step for u in below)

    def _records_argument(self, edge: Edge, argument: cst.Arg) -> bool:
        unit = edge.callee
        parameter = edge.parameter(argument) or _gathering(unit, argument)
        if parameter is None or edge.tracing is not None:
            return False
        reads = unit.scope.reads.get(parameter.name, [])
        inner = Syncs(self._model, self._loop, self._fresh, unit, is_below=True)
        return bool(reads) and all(map(inner._is_recorded, reads))

    def _passes(self, call: cst.Call) -> bool:
        names = self._model.names.of(call.func)
        if names & _PASSING or any(n.startswith(("numpy.", "math.")) for n in names):
            return True
        receiver = self._model.value(call.func).receiver
        return receiver is not None and receiver.kind is Kind.STRING

    def _keeps(self, holder: cst.BaseExpression) -> bool:
        """Whether an object only keeps what is put into it; what is not known may be a file."""
        kind = self._model.value(holder).kind
        if kind is Kind.UNKNOWN and self._is_below and isinstance(holder, cst.Subscript):
            return self._keeps(holder.value)
        if kind not in _HOLDERS:
            return False
        made = makers(self._model.flow, holder)
        calls = (each.func for each in made if isinstance(each, cst.Call))
        return not any(self._model.names.of(func) & _WRITERS for func in calls)

    def _only_adds(self, target: cst.BaseExpression) -> bool:
        """Whether the turns make nothing but records of what they add to a name."""
        if not isinstance(target, cst.Name) or target.value in self._followed:
            return True
        self._followed.add(target.value)
        reads = self._model.binder.scope(target).reads.get(target.value, [])
        inside = (read for read in reads if id(read) in self._inside and read is not target)
        return all(map(self._is_recorded, inside))

    def _stored(self, target: cst.BaseExpression) -> bool:
        if isinstance(target, cst.Subscript):
            return self._keeps(target.value)
        if isinstance(target, cst.Attribute):
            return self._is_noted(target)
        return isinstance(target, cst.Name) and self._is_bound(target)

    def _is_bound(self, target: cst.Name) -> bool:
        """Whether all that is read of a name is recorded."""
        if self._decisions.read(target):
            return False
        if target.value in self._followed:
            return True
        self._followed.add(target.value)
        reads = self._model.binder.scope(target).reads.get(target.value, [])
        if not reads:
            return False  # a wait that is meant, to take the time
        return all(self._is_recorded(read) for read in reads if id(read) in self._inside)

    def _is_noted(self, target: cst.Attribute) -> bool:
        """Whether all that reads an attribute of the project's own objects, wherever it stands, records
        it there and then: what is kept in a name elsewhere is not followed."""
        info = self._model.value(target.value).class_
        if info is None or info.role is not Kind.OBJECT:
            return False
        named, written = self._model.flow.attributes, list[cst.Attribute]()
        written += [write.target for write in named.writes(target.attr.value)]
        reads = [
            node
            for node in named.named(target.attr.value)
            if not any(node is each for each in written)
            and may_be(self._model.value(node.value).class_, info)
        ]
        return bool(reads) and all(self._is_shown(read) for read in reads)

    def _is_shown(self, read: cst.Attribute) -> bool:
        """Whether an expression goes at once to what shows or collects it."""
        node: cst.CSTNode = read
        parent = self._model.parent(node)
        while isinstance(parent, (cst.Arg, *_PARTS)):
            node, parent = parent, self._model.parent(parent)
        if not isinstance(node, cst.Arg) or not isinstance(parent, cst.Call):
            return False
        return self._records(parent) or (self._passes(parent) and self._is_recorded(parent))


def _gathering(unit: Unit, argument: cst.Arg) -> Parameter | None:
    """The `**kwargs` of a function that gathers an argument."""
    if argument.keyword is None or argument.star:
        return None
    return unit.signature.extra


def _values_of(loop: cst.For) -> Iterator[cst.Name]:
    """The names that a loop binds to what it goes through, but for the keys of a dict."""
    target: cst.BaseExpression = loop.target
    way = loop.iter.func if isinstance(loop.iter, cst.Call) else None
    if isinstance(way, cst.Attribute) and way.attr.value == "items":
        if isinstance(target, cst.Tuple):
            target = target.elements[-1].value
    return (node for node in walk(target) if isinstance(node, cst.Name))


def _listed(given: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What is passed in one argument: the members of a list that is written there."""
    if isinstance(given, (cst.List, cst.Tuple)):
        for element in given.elements:
            yield from _listed(element.value)
    else:
        yield given


_PARTS = (
    cst.Comparison,
    cst.ComparisonTarget,
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.BooleanOperation,
    cst.FormattedStringExpression,
    cst.FormattedString,
    cst.ConcatenatedString,
    cst.Tuple,
    cst.List,
    cst.Dict,
    cst.IfExp,
)
