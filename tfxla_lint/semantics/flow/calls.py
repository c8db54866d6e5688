"""The call graph: who runs whom, at which node, with which arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.binding import bind
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.kinds.callees import Callee, Reception, Use
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Parameter, Unit, Units

if TYPE_CHECKING:
    from tfxla_lint.semantics.values import Tracing


class Passing(Enum):
    """How a parameter gets its value."""

    ARGUMENT = "an argument"
    DEFAULT = "its default"
    RECEIVER = "the object that the method is called on"
    MADE = "the object that the call makes"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Passed:
    """What a call passes for a parameter.

    `node` is the expression of an argument, a default or a receiver (for a MADE one the call
    itself); None where nothing is written out.
    """

    how: Passing
    node: cst.BaseExpression | None = None


_UNKNOWN = Passed(Passing.UNKNOWN)


@dataclass(eq=False)
class Edge:
    """`caller` runs `callee` at `node`, through `tf.function` where there is a `tracing`.

    `node` is a call, or where a function is handed over the call or expression that takes it; `how`
    is "call", or the way in which the receiver runs it (as of a `Use`). `skip` leading parameters
    are bound already: the receiver, and what a `functools.partial` gave. `is_relayed` says that the
    arguments at `node` are not those that the function gets.
    """

    caller: Unit
    callee: Unit
    node: cst.CSTNode
    tracing: Tracing | None = None
    skip: int = 0
    receiver: Passed = _UNKNOWN
    partial: tuple[cst.Arg, ...] = ()
    how: str = "call"
    is_relayed: bool = False

    @cached_property
    def arguments(self) -> Mapping[str, Passed]:
        """What each parameter is passed, by its name; parameters left out are unknown."""
        found: dict[str, Passed] = {}
        first = self.callee.signature.positional[:1]
        if self.receiver is not _UNKNOWN and first:
            found[first[0].name] = self.receiver
        if self.is_relayed or not isinstance(self.node, cst.Call):
            return found
        given = (*self.partial, *self.node.args)
        skip = self.skip - sum(1 for a in self.partial if a.keyword is None and not a.star)
        bound = bind(self.callee, ((_keyword(a), a) for a in given), skip)
        for name, argument in bound.single.items():
            found[name] = Passed(Passing.ARGUMENT, argument.value)
        for parameter in () if bound.is_open else bound.missing:
            if parameter.node.default is not None and parameter.name not in found:
                found[parameter.name] = Passed(Passing.DEFAULT, parameter.node.default)
        return found

    def passed(self, name: str) -> Passed:
        """What the parameter `name` gets."""
        return self.arguments.get(name, _UNKNOWN)

    def argument(self, name: str) -> cst.BaseExpression | None:
        """The expression that the call writes for a parameter, its receiver included."""
        found = self.passed(name)
        return found.node if found.how in (Passing.ARGUMENT, Passing.RECEIVER) else None

    def parameter(self, argument: cst.Arg) -> Parameter | None:
        """The parameter that an argument of the call feeds; None for starred and gathered ones."""
        for name, passed in self.arguments.items():
            if passed.node is argument.value and passed.how is Passing.ARGUMENT:
                return self.callee.parameter(name)
        return None


def _keyword(argument: cst.Arg) -> str | None:
    return argument.keyword.value if argument.keyword is not None else argument.star or None


class Calls:
    """The edges between the units of all modules.

    `handed` are the edges of functions that are handed to what runs them.
    """

    def __init__(
        self,
        binders: Sequence[Binder],
        units: Units,
        callees: Mapping[int, Sequence[Callee]],
        handed: Iterable[Edge] = (),
    ) -> None:
        self._into: dict[int, list[Edge]] = {}
        self._out: dict[int, list[Edge]] = {}
        self._at: dict[int, list[Edge]] = {}
        self._callees: dict[int, list[Unit]] = {}
        self._handed: dict[int, list[Edge]] = {}
        self._untraced: dict[int, list[Edge]] = {}
        for call in (call for binder in binders for call in binder.nodes(cst.Call)):
            for callee in callees.get(id(call), ()):
                self._add(_edge(units.containing(call), call, callee))
        self._handed_at: dict[int, list[Edge]] = {}
        for edge in handed:
            self._handed.setdefault(id(edge.callee), []).append(edge)
            self._handed_at.setdefault(id(edge.node), []).append(edge)
            if edge.how in ("inherits", "eager"):
                self._link(edge, is_traced=False)

    def _add(self, edge: Edge) -> None:
        self._link(edge, is_traced=edge.tracing is not None)
        self._at.setdefault(id(edge.node), []).append(edge)

    def _link(self, edge: Edge, *, is_traced: bool) -> None:
        self._into.setdefault(id(edge.callee), []).append(edge)
        self._out.setdefault(id(edge.caller), []).append(edge)
        if not is_traced:
            self._untraced.setdefault(id(edge.callee), []).append(edge)

    def callers(self, unit: Unit) -> Sequence[Edge]:
        """What runs `unit`, in all modules: calls, and what it is handed to that runs it here."""
        return self._into.get(id(unit), ())

    def untraced(self, unit: Unit) -> Sequence[Edge]:
        """Those of `callers` that run `unit` in their own context, not through `tf.function`."""
        return self._untraced.get(id(unit), ())

    def handed(self, unit: Unit) -> Sequence[Edge]:
        """Where `unit` is handed to something that may run it."""
        return self._handed.get(id(unit), ())

    def direct(self, unit: Unit) -> list[Edge]:
        """The calls that run `unit`, through `tf.function` or not, in all modules."""
        return [edge for edge in self.callers(unit) if edge.how == "call"]

    def from_others(self, unit: Unit) -> list[Edge]:
        """The places that run `unit` in their own context, each once, but for those in itself."""
        places = {id(e.node): e for e in self.untraced(unit) if e.caller is not unit}
        return list(places.values())

    def every_handed(self) -> Iterator[Edge]:
        """Where any function is handed to something that may run it."""
        for edges in self._handed.values():
            yield from edges

    def untraced_by(self, unit: Unit) -> Iterator[Edge]:
        """What the code of `unit` runs in its own context."""
        return (e for e in self.made_by(unit) if e.how != "call" or e.tracing is None)

    def handed_at(self, node: cst.CSTNode) -> Sequence[Edge]:
        """The functions that are handed over at a node."""
        return self._handed_at.get(id(node), ())

    def made_by(self, unit: Unit) -> Sequence[Edge]:
        """The calls that the code of `unit` makes."""
        return self._out.get(id(unit), ())

    def leading_to(self, unit: Unit) -> Iterator[Edge]:
        """What runs `unit` in its own context, and what runs the callers so, through any depth."""
        for runner in closure([unit], lambda u: (edge.caller for edge in self.untraced(u))):
            yield from self.untraced(runner)

    def below(self, unit: Unit) -> Iterator[Unit]:
        """A function and those that it calls, through any depth."""
        return closure([unit], self._called_by)

    def run_by(self, nodes: Iterable[cst.CSTNode]) -> Iterator[Unit]:
        """The functions that some code calls, and those that these call, through any depth."""
        return closure(self._called_in(nodes), self._called_by)

    def bodies_run_by(self, nodes: Iterable[cst.CSTNode]) -> Iterator[cst.CSTNode]:
        """What the functions consist of that some code calls, through any depth."""
        return (root for unit in self.run_by(nodes) for root in unit.body)

    def _called_by(self, unit: Unit) -> list[Unit]:
        if id(unit) not in self._callees:
            self._callees[id(unit)] = list(self._called_in(unit.body))
        return self._callees[id(unit)]

    def _called_in(self, nodes: Iterable[cst.CSTNode]) -> Iterator[Unit]:
        edges = self._at
        for node in (inner for root in nodes for inner in walk(root)):
            for edge in edges.get(id(node), ()):
                yield edge.callee

    def at(self, node: cst.CSTNode) -> Sequence[Edge]:
        """The edges of one call: several where it may run several functions."""
        return self._at.get(id(node), ())


def _edge(caller: Unit, call: cst.Call, callee: Callee) -> Edge:
    return Edge(
        caller,
        callee.unit,
        call,
        callee.tracing,
        skip=callee.skip,
        receiver=_receiver(call, callee.reception),
        partial=callee.partial,
        is_relayed=callee.reception is Reception.RELAYED,
    )


def _receiver(call: cst.Call, reception: Reception) -> Passed:
    if reception is Reception.MADE:
        return Passed(Passing.MADE, call)
    if reception is Reception.CALLED:
        return Passed(Passing.RECEIVER, call.func)
    if reception is Reception.DOTTED and isinstance(call.func, cst.Attribute):
        return Passed(Passing.RECEIVER, call.func.value)
    return _UNKNOWN


def handed_over(uses: Iterable[Use], units: Units) -> Iterator[Edge]:
    """The edges of functions that are handed to what runs them, in the way that `how` tells.

    What leaves the trace of its caller runs as the module's own code does.
    """
    for use in uses:
        caller = units.containing(use.node)
        if use.how == "eager":
            caller = units.module_of(caller)
        yield Edge(caller, use.unit, use.node, use.tracing, how=use.how, is_relayed=True)
