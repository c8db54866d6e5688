"""Origins: where values come from, followed back over names, arguments, attributes and returns.

A question is a table of what it looks through, and a judge of what it meets on the way. Each
expression is judged once in each context; a way that leads back into itself adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, cast

import libcst as cst

from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.unpacking import Path, members, taken
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.flow.flow import Flow

_Answer = TypeVar("_Answer")

#: So many expressions are judged for one question, and so many of them each on the way from the
#: one before, and so often a way may lead back to what is being answered; what takes more is not known.
_MOST, _DEEPEST, _MOST_BACK = 5_000, 150, 100_000
#: Deeper down than that, nothing looks into what a question further out is about to look into: of the
#: bindings of a name in a loop each would lead on to the next one, and all of them below each other.
_DEEP = _DEEPEST // 2
#: A read that so many bindings may reach is of nothing that is known: of a thousand loops that each may
#: bind a name no code decides which did.
_MOST_BINDINGS = 100


class Look(Enum):
    """What a judge says of an expression that it wants looked through."""

    THROUGH = "through"


THROUGH = Look.THROUGH


class Agree(Enum):
    """Which of several origins need an answer: any, every (the first's is given), all the same.

    Of a question about sets, ALL gives all that is found: the union.
    """

    ANY = "any"
    EVERY = "every"
    ONE = "one"
    ALL = "all"


Callers: TypeAlias = "Callable[[Unit], Sequence[Edge]]"
Judge: TypeAlias = "Callable[[cst.CSTNode, Path], _Answer | Look | None]"


@dataclass(frozen=True, slots=True)
class Through:
    """What a question looks through; names that the code binds itself always are.

    `callers` gives the calls whose arguments a parameter takes, `returns` says of a call whether to
    look at what the function returns, `attributes` follows those of first-party objects to where
    they are written, `members` an index to what it picks, `items` a loop's target to what the
    loop goes through. `agree` says what is asked of several origins of one value.
    """

    callers: Callers | None = None
    returns: Callable[[Edge], bool] | None = None
    attributes: bool = False
    members: bool = False
    items: bool = False
    agree: Agree = Agree.EVERY


#: What stands between a name and the statement or clause that binds it.
_TARGETS = (cst.Name, cst.Attribute, cst.Tuple, cst.List, cst.Element, cst.StarredElement,
            cst.AsName, cst.AssignTarget)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a value comes from: a member of `node`, within the calls `edges` that lead there."""

    node: cst.CSTNode
    path: Path = ()
    edges: tuple[Edge, ...] = ()


#: What ways that lead back to a question took for its answer while it had none: that there is none,
#: that it agrees with the others.
_NONE, _SAME = 1, 2


class _Way:
    """Where a walk is: the questions that are being answered, outermost first, and the calls that
    led into the function at hand."""

    def __init__(self) -> None:
        self.active: dict[tuple[object, ...], int] = {}
        #: What some of them are about to look into, deep down, with the depth of the one that is.
        self.ahead: dict[tuple[object, ...], int] = {}
        self.edges: tuple[Edge, ...] = ()
        self.call: Edge | None = None
        self.steps = 0
        self.led_back = 0
        #: Whether a limit has cut a way short.
        self.is_cut = False
        #: The outermost of the active ones that some way led back to: until that one is answered,
        #: what was found below it is not the last word.
        self.open_from = _DEEPEST + 1
        #: What was found below it: that holds for this walk, and for later ones where the answer
        #: comes out as those ways, by the depth that they led back to, took it.
        self.found: dict[tuple[object, ...], tuple[Origins[Any], Any]] = {}
        self.taken: dict[int, int] = {}

    def begin(self) -> None:
        """Forget what the walk before may have left."""
        self.steps, self.edges, self.open_from, self.is_cut = 0, (), _DEEPEST + 1, False
        self.led_back = 0
        self.found.clear()
        self.taken.clear()

    def lead_back(self, depth: int, taken: int) -> None:
        """A way has led back to the question of that depth."""
        self.led_back += 1
        self.open_from = min(self.open_from, depth)
        self.taken[depth] = self.taken.get(depth, 0) | taken

    def settle(self, depth: int, since: int, answer: object) -> None:
        """Forget what was found below a question, but for what its answer bears out."""
        taken = self.taken.pop(depth, 0)
        if not taken or (taken == _NONE and answer is None):
            return
        for key in list(islice(self.found, since, None)):
            if taken == _NONE or answer is None or self.found[key][1] != answer:
                del self.found[key]


class Origins(Generic[_Answer]):
    """The answers to one question, or to several that ask each other (`beside`).

    `judge` is shown each expression on the way, and the path to the member of it that is asked for;
    it answers, with None or False for no, or says `THROUGH`. Of what it knows how to look through
    itself (operators, calls) it asks `of` again. Where a binding has no expression that gives its
    value, the judge is shown what binds: a `Param`, an `AugAssign`, a `For`, an import, a `def`.
    """

    def __init__(
        self,
        flow: Flow,
        through: Through,
        judge: Judge[_Answer],
        beside: Origins[Any] | None = None,
    ) -> None:
        self._flow = flow
        self._through = through
        self._judge = judge
        self._known: dict[tuple[object, ...], _Answer | None] = {}
        self._way: _Way = beside._way if beside is not None else _Way()

    def of(self, node: cst.CSTNode | None, path: Path = ()) -> _Answer | None:
        """The answer for (a member of) an expression, in the context of the one being judged."""
        if node is None:
            return None
        if not self._way.active:
            self._way.begin()
        return self._of(_Origin(node, path, self._way.edges))

    @property
    def call(self) -> Edge | None:
        """The call that hands over what is being judged: the last one that was asked `handed`."""
        return self._way.call

    def handed(self, call: Edge, node: cst.CSTNode | None) -> _Answer | None:
        """The answer for an expression that a call hands over, judged as of this very call."""
        way = self._way
        around, way.call, edges, way.edges = way.call, call, way.edges, ()
        try:
            return self.of(node)
        finally:
            way.call, way.edges = around, edges

    def any(self, nodes: Iterable[cst.CSTNode]) -> _Answer | None:
        """The first answer for one of several expressions."""
        return next((found for node in nodes if (found := self.of(node)) is not None), None)

    def _of(self, origin: _Origin) -> _Answer | None:
        key = self._key(origin)
        if key in self._known:
            return self._known[key]
        way = self._way
        if key in way.found:
            return cast("_Answer | None", way.found[key][1])
        depth = len(way.active)
        back = way.active.get(key)
        if back is None and way.ahead.get(key, depth) < depth - 1:
            back = way.ahead[key]
        if back is not None:
            way.lead_back(back, _NONE)
            return None
        way.steps += 1
        if depth == _DEEPEST or way.steps > _MOST or way.led_back > _MOST_BACK:
            way.open_from, way.is_cut = 0, True
            return None
        way.active[key] = depth
        since = len(way.found)
        around, way.edges = way.edges, origin.edges
        try:
            judged = self._judge(origin.node, origin.path)
            found = self._looked(origin) if judged is THROUGH else judged
        finally:
            way.edges = around
            del way.active[key]
        answer = None if found is False or isinstance(found, Look) else found
        way.settle(depth, since, answer)
        if depth > way.open_from:
            way.found[key] = self, answer
            return answer
        self._known[key] = answer
        for each, (origins, below) in way.found.items():
            # Where one of several is enough, what was cut short stays unknown: all that follows from
            # it would be cut short again.
            if not way.is_cut or origins._through.agree is Agree.ANY:
                origins._known[each] = below
        way.found.clear()
        way.open_from = _DEEPEST + 1
        return answer

    def _key(self, origin: _Origin) -> tuple[object, ...]:
        call = self._way.call
        return id(self), id(origin.node), id(call), origin.path, *map(id, origin.edges)

    def _looked(self, origin: _Origin) -> _Answer | None:
        agree, way = self._through.agree, self._way
        depth = len(way.active) - 1
        if depth < _DEEP or agree not in (Agree.ANY, Agree.ALL):
            return self._agreed(self._origins(origin))
        origins = list(self._origins(origin))
        keys = {self._key(each) for each in origins if each is not None} - way.ahead.keys()
        way.ahead.update(dict.fromkeys(keys, depth))
        try:
            return self._agreed(origins)
        finally:
            for key in keys:
                del way.ahead[key]

    def _agreed(self, origins: Iterable[_Origin | None]) -> _Answer | None:
        agree = self._through.agree
        answer: _Answer | None = None
        for each in origins:
            if each is not None and agree is not Agree.ANY:
                back = self._way.active.get(self._key(each))
                if back is not None:
                    self._way.lead_back(back, _SAME)
                    continue
            found = self._of(each) if each is not None else None
            if agree is Agree.ALL:
                answer = _union(answer, found)
                continue
            if agree is Agree.ANY and found is not None:
                return found
            if agree is not Agree.ANY and found is None:
                return None
            if agree is Agree.ONE and answer is not None and found != answer:
                return None
            answer = answer if answer is not None else found
        return answer

    def _origins(self, origin: _Origin) -> Iterator[_Origin | None]:
        """Where a value may come from; None for what is not known."""
        node, path, edges = origin.node, origin.path, origin.edges
        if isinstance(node, cst.Name):
            bindings = self._flow.reached(node).bindings
            if len(bindings) > _MOST_BINDINGS:
                self._way.is_cut = True
                yield None
                return
            for binding in bindings or self._flow.starred(node):
                if binding.kind not in (BindingKind.DELETE, BindingKind.ANNOTATION):
                    yield from self._bound(binding, path, edges)
        elif isinstance(node, cst.Attribute) and self._through.attributes:
            for binding in self._flow.elsewhere(self._flow.names.member(node)):
                yield from self._bound(binding, path, ())
            yield from self._written(node, path, edges)
        elif isinstance(node, cst.Call) and self._through.returns is not None:
            yield from self._returned(node, path, edges)
        elif isinstance(node, cst.IfExp):
            yield from (_Origin(side, path, edges) for side in (node.body, node.orelse))
        elif isinstance(node, cst.BooleanOperation):
            yield from (_Origin(side, path, edges) for side in (node.left, node.right))
        elif isinstance(node, cst.NamedExpr):
            yield _Origin(node.value, path, edges)
        elif isinstance(node, cst.Subscript) and self._through.members:
            yield _Origin(node.value, (self._place(node), *path), edges)
        elif path and isinstance(node, (cst.Tuple, cst.List, cst.Set)):
            found = members(node, path[:1])
            yield from (_Origin(each, path[1:], edges) for each in found or ())
            if found is None:
                yield None
        elif path and isinstance(node, (cst.ListComp, cst.SetComp, cst.GeneratorExp)):
            yield _Origin(node.elt, path[1:], edges)

    def _bound(
        self, binding: Binding, path: Path, edges: tuple[Edge, ...]
    ) -> Iterator[_Origin | None]:
        if binding.kind is BindingKind.PARAMETER:
            yield from self._passed(binding, path, edges)
            return
        if binding.kind is BindingKind.IMPORT:
            elsewhere = self._flow.elsewhere(self._flow.names.target(binding))
            for each in elsewhere:
                yield from self._bound(each, path, ())
            if elsewhere:
                return
        if binding.scope.parent is None:
            edges = ()
        source = taken(self._flow.binder, binding)
        if source is not None and (self._through.items or binding.kind is not BindingKind.FOR):
            yield _Origin(source.node, (*source.path, *path), edges)
            return
        holder = binding.node
        while isinstance(holder, _TARGETS):
            holder = self._flow.parent(holder) or self._flow.binder.module
        yield _Origin(holder, (*(source.path if source is not None else ()), *path), edges)

    def _passed(
        self, binding: Binding, path: Path, edges: tuple[Edge, ...]
    ) -> Iterator[_Origin | None]:
        """What the call that led here, or else every caller, gives a parameter."""
        unit = self._flow.unit(binding.scope)
        calls: Sequence[Edge] = ()
        outer: tuple[Edge, ...] = ()
        if unit is not None and edges and edges[-1].callee is unit:
            calls, outer = edges[-1:], edges[:-1]
        elif unit is not None and self._through.callers is not None:
            calls = self._through.callers(unit)
        if not calls:
            yield _Origin(binding.node, path)
        for edge in calls:
            given = edge.passed(binding.name).node
            yield _Origin(given, path, outer) if given is not None else None

    def _written(
        self, node: cst.Attribute, path: Path, edges: tuple[Edge, ...]
    ) -> Iterator[_Origin | None]:
        latest = self._flow.latest.before(node)
        if latest is not None:
            for write in latest:
                yield _Origin(write.value, path, edges) if write.value is not None else None
            return
        info = self._flow.value(node.value).class_
        for write in self._flow.attributes.written(info, node.attr.value) if info else ():
            yield _Origin(write.value, path) if write.value is not None else None

    def _returned(
        self, call: cst.Call, path: Path, edges: tuple[Edge, ...]
    ) -> Iterator[_Origin | None]:
        assert self._through.returns is not None
        for edge in self._flow.calls.at(call):
            if edge in edges or not self._through.returns(edge):
                yield None
                continue
            for value in self._flow.returns(edge.callee):
                yield _Origin(value, path, (*edges, edge)) if value is not None else None

    def _place(self, node: cst.Subscript) -> int | None:
        index = node.slice[0].slice
        if len(node.slice) > 1 or not isinstance(index, cst.Index):
            return None
        constant = self._flow.value(index.value).constant
        return constant if type(constant) is int and constant >= 0 else None


def _union(first: Any, second: Any) -> Any:
    return first | second if first is not None and second is not None else second or first


#: What hands on one of the objects that it names.
PASSING = (cst.Name, cst.Attribute, cst.IfExp, cst.BooleanOperation, cst.NamedExpr)


def makers(
    flow: Flow, node: cst.BaseExpression, callers: Callers | None = None
) -> list[cst.BaseExpression]:
    """The expressions that make the object which an expression names; empty where one is unknown.

    They are found through names, attributes and what functions return; with `callers`, through
    parameters and the targets of loops as well.
    """
    found: list[cst.BaseExpression] = []

    def judge(made: cst.CSTNode, path: Path) -> cst.BaseExpression | Look | None:
        is_call = isinstance(made, cst.Call) and any(flow.calls.at(made))
        if isinstance(made, PASSING) or (is_call and _runs_function(flow, made)):
            return THROUGH
        if path or not isinstance(made, cst.BaseExpression):
            return THROUGH if path else None
        found.append(made)
        return made

    items = callers is not None
    question = Through(callers, lambda edge: True, attributes=True, items=items)
    return found if Origins(flow, question, judge).of(node) is not None else []


def _runs_function(flow: Flow, call: cst.CSTNode) -> bool:
    function = cst.ensure_type(call, cst.Call).func
    return flow.value(function).kind in (Kind.FUNCTION, Kind.METHOD)
