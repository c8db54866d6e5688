"""Whether what an expression gives is surely asked for, whichever way the code goes on.

A graph computes what its results, its conditions and its changes of variables need. Eager code computes
all, and what it computes may raise: an index that is out of range, sizes that do not fit. So a value
counts as asked for only where every way from its expression leads to something that a graph keeps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import IntEnum
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.graph import FlowGraph
from tfxla_lint.semantics.flow.uses import bindings_in, running_scope
from tfxla_lint.semantics.values import PYTHON_SCALARS, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.scopes import Scope


class Asked(IntEnum):
    """What becomes of a value, the least that any way makes of it."""

    NOT = 0  #: nothing, for all that is known
    IN_PART = 1  #: some of its members are used
    BY_GRADIENT = 2  #: its gradients are taken, which may do without the value itself
    ALL = 3


_VALUE_FREE = behaviour.names(Trait.VALUE_FREE)
_INSPECTING = behaviour.names(Trait.INSPECTS)
_GOING_THROUGH = behaviour.names(Trait.GOES_THROUGH)
_GROWING = behaviour.methods(Effect.MUTATES) - behaviour.methods(Trait.READS)
_LINEAR = behaviour.names(Trait.LINEAR) | behaviour.names(Trait.MOVES)
#: Whose gradients need what they are given, or what they give.
_CURVED = (
    behaviour.names(Trait.EVEN) | behaviour.names(Trait.SHARP) | behaviour.names(Trait.RAISES)
    | behaviour.names(Trait.LOGARITHM) | behaviour.names(Trait.GIVES_SHARES)
) - _LINEAR  # fmt: skip
_CURVED_KINDS = frozenset({Kind.LOSS, Kind.MODEL, Kind.LAYER})
#: What takes values in, and keeps what it makes of them.
_TAKING = frozenset({Kind.METRIC, Kind.OPTIMIZER, Kind.VARIABLE, *_CURVED_KINDS})
_TENSORS = frozenset({Kind.TENSOR, Kind.VARIABLE, Kind.TENSOR_ARRAY})
_MEASURES = frozenset({Kind.SHAPE, Kind.DTYPE, Kind.NONE, *PYTHON_SCALARS})
_CONTAINERS = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.ITERATOR})
_BRANCHING = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.ListComp, cst.GeneratorExp)
#: What decides, what surrounds, and what is given back: the call is another expression.
_KEEPING = (cst.If, cst.While, cst.CompIf, cst.WithItem, cst.Return, cst.Lambda)
_Place = cst.BaseExpression | cst.AugAssign | cst.Param


class Consumption:
    """Answers for functions that are traced, and for the statements `roots` that become one, of which
    `given_back` are the names that they hand to the code around them."""

    def __init__(
        self, model: Answers, roots: Sequence[cst.CSTNode] = (), given_back: Collection[str] = ()
    ) -> None:
        self._model = model
        self._given_back = given_back
        self._inside: range | None = None
        if roots:
            graph = model.flow.graph(running_scope(model.binder.scope(roots[0])))
            # What stays of the statements in between runs behind them, and reads what they give back.
            inside = [index for root in roots for index in graph.inside(root)]
            self._inside = range(min(inside, default=0), max(inside, default=-1) + 1)
            self._home = graph.scope
        self._known: dict[int, Asked] = {}
        #: What is to be judged, each once, as what rests on something is: what was asked last first, so
        #: that what many things are asked for is judged when all of these are.
        self._pending: list[tuple[int, _Place]] = []
        self._waiting: set[int] = set()
        self._ranks: dict[int, int] = {}
        #: What is judged now, and by what is asked what rests on it.
        self._judged: _Place | None = None
        self._resting: dict[int, dict[int, _Place]] = {}

    def of(self, node: _Place) -> Asked:
        """What surely becomes of the value of an expression."""
        self._ask(node)
        while self._pending:
            _, place = heappop(self._pending)
            self._waiting.discard(id(place))
            self._judged = place
            found = min(self._known[id(place)], self._judge(place))
            if found is not self._known[id(place)]:
                self._known[id(place)] = found
                for resting in self._resting.get(id(place), {}).values():
                    self._wait(resting)
        self._judged = None
        return self._known[id(node)]

    def _ask(self, node: _Place) -> Asked:
        """What is known so far: the most, until what it hangs on says less."""
        if id(node) not in self._known:
            self._known[id(node)] = Asked.ALL
            self._ranks[id(node)] = -len(self._known)
            self._wait(node)
        if self._judged is not None:
            self._resting.setdefault(id(node), {})[id(self._judged)] = self._judged
        return self._known[id(node)]

    def _wait(self, node: _Place) -> None:
        if id(node) not in self._waiting:
            self._waiting.add(id(node))
            heappush(self._pending, (self._ranks[id(node)], node))

    def _judge(self, node: _Place) -> Asked:
        if isinstance(node, cst.Param):
            return self._of_name(node.name, FlowGraph.ENTRY)
        if isinstance(node, cst.AugAssign):
            return self._of_target(node.target)
        holder = self._model.parent(node)
        if isinstance(holder, cst.Arg):
            return self._of_argument(holder)
        if isinstance(holder, (cst.Assign, cst.AnnAssign, cst.NamedExpr)):
            return self._of_assignment(holder)
        if isinstance(holder, (cst.Element, cst.StarredElement, cst.DictElement)):
            return self._of_member(holder)
        if isinstance(holder, (cst.For, cst.CompFor)):
            return self._of_loop(node, holder)
        if isinstance(holder, cst.Attribute):
            return self._of_attribute(holder)
        if isinstance(holder, cst.Subscript):
            return self._of_subscript(node, holder)
        if isinstance(holder, (cst.Index, cst.Slice)):
            return self._of_operand(self._around(holder, cst.Subscript))
        if isinstance(holder, cst.ComparisonTarget):
            return self._of_compared(self._around(holder, cst.Comparison))
        if isinstance(holder, cst.Comparison):
            return self._of_compared(holder)
        if isinstance(holder, (cst.BinaryOperation, cst.UnaryOperation, cst.AugAssign)):
            return self._of_operand(holder)
        if isinstance(holder, _KEEPING):
            return Asked.ALL
        if isinstance(holder, cst.IfExp) and holder.test is node:
            return Asked.ALL
        if isinstance(holder, cst.BooleanOperation) and holder.left is node:
            return Asked.ALL
        if isinstance(holder, (cst.IfExp, cst.BooleanOperation, cst.ListComp, cst.GeneratorExp)):
            return self._ask(holder)
        return Asked.NOT

    def _around(self, node: cst.CSTNode, kind: type[cst.BaseExpression]) -> cst.BaseExpression:
        return next(a for a in self._model.ancestors(node) if isinstance(a, kind))

    def _kind(self, node: cst.CSTNode) -> Kind:
        return self._model.value(node).kind

    # Operations: they need what they are given, if they are computed

    def _of_operand(self, operation: cst.BaseExpression | cst.AugAssign) -> Asked:
        """What an operation makes of its operands: one that only a gradient asks for need not run,
        but its own gradient may need them."""
        if self._ask(operation) is not Asked.BY_GRADIENT or self._is_curved(operation):
            return Asked.ALL
        return Asked.BY_GRADIENT

    def _is_curved(self, operation: cst.BaseExpression | cst.AugAssign) -> bool:
        if isinstance(operation, (cst.BinaryOperation, cst.AugAssign)):
            return isinstance(operation.operator, (cst.Power, cst.PowerAssign))
        if not isinstance(operation, cst.Call):
            return False
        names = self._model.names.of(operation.func)
        return names <= _CURVED if names else self._kind(operation.func) in _CURVED_KINDS

    def _of_compared(self, comparison: cst.BaseExpression) -> Asked:
        targets = cst.ensure_type(comparison, cst.Comparison).comparisons
        is_told = any(isinstance(target.operator, (cst.Is, cst.IsNot)) for target in targets)
        return Asked.NOT if is_told else self._of_operand(comparison)

    def _of_attribute(self, holder: cst.Attribute) -> Asked:
        call = self._model.parent(holder)
        found: cst.BaseExpression = holder
        if isinstance(call, cst.Call) and call.func is holder:
            found = call
            if holder.attr.value in _GROWING:
                return Asked.NOT
        is_measured = self._kind(found) in _MEASURES
        return Asked.NOT if is_measured else self._of_operand(found)

    def _of_subscript(self, node: cst.BaseExpression, holder: cst.Subscript) -> Asked:
        if self._kind(node) in _TENSORS:
            return self._of_operand(holder)
        return min(self._ask(holder), Asked.IN_PART)

    # Calls

    def _of_argument(self, argument: cst.Arg) -> Asked:
        call = self._model.parent(argument)
        if not isinstance(call, cst.Call):
            return Asked.NOT
        names = self._model.names.of(call.func)
        edges = self._model.calls.at(call)
        if names:
            return self._of_named(call, names)
        if edges:
            fed = [edge.parameter(argument) for edge in edges]
            return min(self._ask(p.node) if p is not None else Asked.NOT for p in fed)
        holder = self._model.value(call.func).holder.kind
        if holder is Kind.TAPE:
            return self._of_taped(call, argument)
        if holder in _TAKING or holder in _TENSORS:
            return self._of_operand(call)
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _GROWING:
            return self._of_container(call.func.value)
        return Asked.NOT

    def _of_named(self, call: cst.Call, names: frozenset[str]) -> Asked:
        if names & (_VALUE_FREE | _INSPECTING):
            return Asked.NOT
        if names <= _GOING_THROUGH or self._kind(call) in _CONTAINERS:
            return self._ask(call)
        is_operation = all(map(api.is_tensorflow, names))
        if self._kind(call) in _MEASURES or not (is_operation or self._kind(call) in _TENSORS):
            return Asked.NOT
        return self._of_operand(call)

    def _of_taped(self, call: cst.Call, argument: cst.Arg) -> Asked:
        """What a tape is told to watch is computed for nothing; of what it differentiates the values
        may not be needed."""
        method = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
        if method == "watch":
            return Asked.NOT
        name = argument.keyword.value if argument.keyword is not None else None
        is_target = name == "target" or (name is None and call.args[0] is argument)
        return min(self._ask(call), Asked.BY_GRADIENT) if is_target else Asked.ALL

    # Names and containers

    def _of_assignment(self, holder: cst.Assign | cst.AnnAssign | cst.NamedExpr) -> Asked:
        if isinstance(holder, cst.Assign):
            return max(self._of_unpacked(target.target) for target in holder.targets)
        asked = self._of_target(holder.target)
        return max(asked, self._ask(holder)) if isinstance(holder, cst.NamedExpr) else asked

    def _of_unpacked(self, target: cst.BaseExpression) -> Asked:
        if not isinstance(target, (cst.Tuple, cst.List)):
            return self._of_target(target)
        found = [self._of_unpacked(element.value) for element in target.elements]
        if not found:
            return Asked.ALL
        return min(found) if min(found) == max(found) else Asked.IN_PART

    def _of_target(self, target: cst.BaseExpression) -> Asked:
        if isinstance(target, cst.Name):
            index = self._graph(target).point(target)
            return self._of_name(target, index) if index is not None else Asked.NOT
        if isinstance(target, cst.Subscript):
            return self._of_container(target.value)
        return Asked.NOT

    def _of_container(self, container: cst.BaseExpression) -> Asked:
        """What becomes of a container, and so of what is put into it here."""
        if not isinstance(container, cst.Name):
            return Asked.NOT
        index = self._graph(container).point(container)
        return self._of_name(container, index) if index is not None else Asked.NOT

    def _of_member(self, holder: cst.Element | cst.StarredElement | cst.DictElement) -> Asked:
        display = self._model.parent(holder)
        assert isinstance(display, cst.BaseExpression)
        assign = self._model.parent(display)
        if isinstance(assign, cst.Assign) and isinstance(display, (cst.Tuple, cst.List)):
            place = next(i for i, each in enumerate(display.elements) if each is holder)
            found = [_across(display, target.target, place) for target in assign.targets]
            if all(target is not None for target in found):
                return max(self._of_unpacked(target) for target in found if target)
        return self._ask(display)

    def _of_loop(self, node: cst.BaseExpression, loop: cst.For | cst.CompFor) -> Asked:
        """What a loop makes of the members that it runs over."""
        if self._kind(node) not in _CONTAINERS:
            return Asked.NOT
        found = [self._of_looped(loop, name) for name in _names(loop.target)]
        return min(found, default=Asked.NOT)

    def _of_looped(self, loop: cst.For | cst.CompFor, name: cst.Name) -> Asked:
        if self._kind(name) in (Kind.VARIABLE, *PYTHON_SCALARS):
            return Asked.ALL
        if isinstance(loop, cst.For):
            return self._of_target(name)
        reads = self._model.binder.scope(name).reads.get(name.value, ())
        return max((self._ask(r) for r in reads if self._is_sure(r, loop)), default=Asked.NOT)

    def _graph(self, name: cst.Name) -> FlowGraph:
        return self._model.flow.graph(running_scope(self._model.binder.scope(name)))

    def _of_name(self, name: cst.Name, start: int) -> Asked:
        """What becomes of what a name is bound to at a point, on all ways from there."""
        graph = self._graph(name)
        home = graph.scope
        if name.value in home.global_names | home.nonlocal_names:
            return Asked.NOT
        reading, bound = self._model.ask(_points_of, home, name.value)
        reads: dict[int, Asked] = {}
        # What no way leads to is not asked: code of many loops reads the same names in each.
        for index in self._reached(graph, start, bound) & reading.keys():
            for read in reading[index]:
                if self._is_sure(read, home.node):
                    reads[index] = max(reads.get(index, Asked.NOT), self._asks(read))
        levels = sorted({*reads.values(), Asked.ALL}, reverse=True)
        for level in levels:
            asking = {index for index, asked in reads.items() if asked >= level}
            if level and not self._is_lost(graph, name.value, start, asking, bound):
                return level
        return Asked.NOT

    def _asks(self, read: cst.Name) -> Asked:
        holder = self._model.parent(read)
        if isinstance(holder, cst.AugAssign) and holder.target is read:
            return self._of_operand(holder)
        return self._ask(read)

    def _is_lost(
        self, graph: FlowGraph, name: str, start: int, asking: set[int], bound: frozenset[int]
    ) -> bool:
        """Whether a way leads from a point past all that asks for a name to where it is gone."""
        for index in self._reached(graph, start, asking | bound):
            if self._is_outside(graph, index):
                if name not in self._given_back:
                    return True
            elif index not in asking and (index == FlowGraph.EXIT or index in bound):
                return True
        return False

    def _reached(self, graph: FlowGraph, start: int, ends: Collection[int]) -> set[int]:
        """The points that ways lead to from one, each way up to one of `ends`, or to the first behind
        the statements that become a function."""
        pending, seen = [*graph.points[start].successors], set[int]()
        while pending:
            index = pending.pop()
            if index not in seen:
                seen.add(index)
                if index not in ends and not self._is_outside(graph, index):
                    pending += graph.points[index].successors
        return seen

    def _is_outside(self, graph: FlowGraph, index: int) -> bool:
        inside = self._inside
        return inside is not None and graph.scope is self._home and index not in inside

    def _is_sure(self, read: cst.CSTNode, stop: cst.CSTNode) -> bool:
        """Whether a part of a statement is evaluated whenever the statement runs."""
        inner: cst.CSTNode = read
        for holder in self._model.ancestors(read):
            if holder is stop or isinstance(holder, (cst.BaseSmallStatement, cst.BaseSuite)):
                return True
            if isinstance(holder, _BRANCHING) and not _is_first(holder, inner):
                return isinstance(stop, cst.CompFor) and holder in self._model.ancestors(stop)
            inner = holder
        return True


def _points_of(
    answers: Answers, scope: Scope, name: str
) -> tuple[dict[int, list[cst.Name]], frozenset[int]]:
    """The points at which the code of a scope itself reads a name, and those that surely bind it."""
    graph = answers.flow.graph(scope)
    reads: dict[int, list[cst.Name]] = {}
    for read in answers.flow.reads(scope, name):
        index = graph.point(read)
        if index is not None and running_scope(answers.binder.scope(read)) is scope:
            reads.setdefault(index, []).append(read)
    bindings = bindings_in(answers.binder, graph, name)
    return reads, frozenset(index for _, index, is_certain in bindings if is_certain)


def _is_first(holder: cst.CSTNode, inner: cst.CSTNode) -> bool:
    """Whether what branches evaluates a part of itself in any case."""
    if isinstance(holder, cst.IfExp):
        return holder.test is inner
    if isinstance(holder, cst.BooleanOperation):
        return holder.left is inner
    return isinstance(holder, (cst.ListComp, cst.GeneratorExp)) and holder.for_in is inner


def _across(
    display: cst.Tuple | cst.List, target: cst.BaseExpression, place: int
) -> cst.BaseExpression | None:
    """The target that stands opposite a member of what is written out."""
    if not isinstance(target, (cst.Tuple, cst.List)):
        return None
    both: Iterable[cst.BaseElement] = (*display.elements, *target.elements)
    if len(display.elements) != len(target.elements):
        return None
    if any(isinstance(each, cst.StarredElement) for each in both):
        return None
    return target.elements[place].value


def _names(target: cst.BaseExpression) -> list[cst.Name]:
    if isinstance(target, cst.Name):
        return [target]
    elements = target.elements if isinstance(target, (cst.Tuple, cst.List)) else ()
    return [name for element in elements for name in _names(element.value)]
