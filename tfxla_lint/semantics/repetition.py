"""How often a program is seen to run code: a function, or a node of it.

Calls that are not seen count for nothing: a function that nothing calls here is run once as far as
anybody can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.semantics.flow.closure import folded
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: What runs so often, in all, is not worth a trace, if it trains nothing.
FEW_RUNS = 10
#: Of more calls than these it is not asked which of them exclude each other.
_COMPARED = 40
_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
Repeating: TypeAlias = "cst.For | cst.While | cst.BaseComp"


def repeating(model: Answers, node: cst.CSTNode) -> list[Repeating]:
    """The loops and comprehensions of its own function that run `node` again, innermost first."""
    found: list[Repeating] = []
    child, parent = node, model.parent(node)
    while parent is not None and not isinstance(parent, _SCOPES):
        if isinstance(parent, (cst.For, cst.While)):
            runs_it = child is parent.body or (child is getattr(parent, "test", None))
            if runs_it and model.loops.info(parent).turns != 1:
                found.append(parent)
        elif isinstance(parent, cst.BaseComp) and not _is_first_source(parent, child):
            found.append(parent)
        child, parent = parent, model.parent(parent)
    return found


def runs_few_times(model: Answers, node: cst.CSTNode, few: int = FEW_RUNS) -> bool:
    """Whether a program surely runs a node so few times in all that a trace does not pay."""
    runs = most_runs(model, node)
    return runs is not None and runs <= few


def is_turned(model: Answers, node: cst.CSTNode, unit: Unit) -> bool:
    """Whether loops run a node: around it, or around the function that runs it."""
    return bool(model.loops.around(node, unit) or model.contexts.hot_loops(unit))


def most_runs(model: Answers, node: cst.CSTNode) -> int | None:
    """How often a program surely runs a node at most; None where that is not known."""
    turns = _turns(model, node)
    runs = model.ask(_Runs).of(model.unit(node)) if turns is not None else None
    return turns * runs if turns is not None and runs is not None else None


def _turns(model: Answers, node: cst.CSTNode) -> int | None:
    """How often a node is run at most whenever its function is."""
    turns = 1
    for around in repeating(model, node):
        most = None if isinstance(around, cst.BaseComp) else model.loops.info(around).most
        if most is None:
            return None
        turns *= most
    return turns


class _Runs:
    """How often a program surely runs each function at most; None where that is not known."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._known: dict[int, int | None] = {}

    def of(self, unit: Unit) -> int | None:
        """The runs of one function."""
        return folded(unit, self._callers, self._sum, self._known, None)

    def _callers(self, unit: Unit) -> list[Unit]:
        return [self._model.unit(edge.node) for edge in self._model.calls.untraced(unit)]

    def _sum(self, unit: Unit) -> int | None:
        edges = self._model.calls.untraced(unit)
        if unit.is_module:
            return 1
        if self._model.calls.handed(unit) or (not edges and unit.name != "main"):
            return None
        if not edges:
            return 1
        found: list[tuple[cst.CSTNode, int]] = []
        for edge in edges:
            turns, runs = (
                _turns(self._model, edge.node),
                self._known[id(self._model.unit(edge.node))],
            )
            if turns is None or runs is None:
                return None
            found.append((edge.node, turns * runs))
        if len(found) > _COMPARED:
            return sum(count for _, count in found)
        return max(self._beside(node, found) for node, _ in found)

    def _beside(self, node: cst.CSTNode, calls: Sequence[tuple[cst.CSTNode, int]]) -> int:
        """The runs by a call, and by all others that one program may make as well."""
        return sum(
            count
            for other, count in calls
            if other is node or not exclude(self._model, node, other)
        )


def _is_first_source(comprehension: cst.BaseComp, child: cst.CSTNode) -> bool:
    """Whether a part of a comprehension is its outermost `for`, whose iterable runs once."""
    return child is comprehension.for_in and comprehension.for_in.inner_for_in is None


def is_repeated(model: Answers, unit: Unit, within: Unit | None = None) -> bool:
    """Whether the calls seen run a unit more than once.

    Asked of the time in which one object of the function `within` lives, where that is given: the
    runs of a function that it stands in make another one each.
    """
    pending, seen = [unit], set[int]()
    while pending:
        current = pending.pop()
        if current.is_module or id(current) in seen:
            continue
        if within is not None and is_around(current, within):
            continue
        seen.add(id(current))
        edges = model.calls.from_others(current)
        if _is_handed_over(model, current) or _calls_itself(model, current):
            return True
        if any(not exclude(model, a.node, b.node) for i, a in enumerate(edges) for b in edges[:i]):
            return True
        if any(around_call(model, edge.node, within) for edge in edges):
            return True
        pending += [edge.caller for edge in edges]
    return False


def _calls_itself(model: Answers, unit: Unit) -> bool:
    edges = model.calls.untraced(unit)
    return any(edge.caller is unit for edge in edges)


def _is_handed_over(model: Answers, unit: Unit) -> bool:
    """Whether code that is not seen is given the function, to run it as often as it likes."""
    takers = [edge.node for edge in model.calls.handed(unit)]
    return any(
        isinstance(taker, cst.Call)
        and not any(name.startswith("tensorflow.") for name in model.names.of(taker.func))
        for taker in takers
    )


def around_call(model: Answers, node: cst.CSTNode, within: Unit | None = None) -> list[Repeating]:
    """What repeats a node, but for the loops in which the function `within` is made anew."""
    outside = {id(n) for n in model.ancestors(within.node)} if within is not None else set()
    return [loop for loop in repeating(model, node) if id(loop) not in outside]


def is_around(outer: Unit, inner: Unit) -> bool:
    """Whether a function stands in another one."""
    parent = inner.parent
    while parent is not None:
        if parent is outer:
            return True
        parent = parent.parent
    return False


def exclude(
    model: Answers, first: cst.CSTNode, second: cst.CSTNode, *, of_try: bool = False
) -> bool:
    """Whether two places stand on branches of one statement of which only one is run, or in programs
    of which each is a process of its own.

    With `of_try`, the parts of a `try` are such branches as well: a name is bound in its body or,
    where that fails, in a handler.
    """
    if model.world.in_other_programs(first, second):
        return True
    above = [second, *model.ancestors(second)]
    positions = {id(node): index for index, node in enumerate(above)}
    child = first
    for parent in model.ancestors(first):
        if id(parent) in positions:
            other = above[positions[id(parent)] - 1]
            if isinstance(parent, (cst.If, cst.IfExp)):
                return parent.test not in (child, other)
            if not of_try or not isinstance(parent, (cst.Try, cst.TryStar)):
                return False
            has_handler = any(part in parent.handlers for part in (child, other))
            return has_handler and parent.finalbody not in (child, other)
        child = parent
    return False
