"""Whether code changes something between two runs of other code: a model that is loaded, and then
asked in a loop, is not loaded on its turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.project.layout import Place
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.turns import is_run_once
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


#: A place that changes something, with what it does.
Change = tuple[cst.CSTNode, str]
_Numbered = tuple[int, Change]


def may_come_between(model: Answers, change: cst.CSTNode, read: cst.CSTNode) -> bool:
    """Whether a change may take place after one run of a read, and before another one.

    Seen are changes that start in one function, or one module's own code, that runs once.
    """
    unit = model.unit(change)
    places = _places(model, unit, read)
    if isinstance(places, bool):
        return places
    return model.flow.changes.lie_between(unit.scope, change, places)


def coming_between(
    model: Answers, changes: Callable[[Answers], Iterable[Change]], read: cst.CSTNode
) -> list[Change]:
    """Those of the changes that a question names which may come between two runs of a read."""
    found: list[_Numbered] = []
    for unit, on_circles in model.ask(_by_unit, changes).items():
        places = _places(model, unit, read)
        if places is False:
            continue
        circle = model.flow.changes.circle
        circles = {circle(unit.scope, place) for place in places} if places is not True else {None}
        if None not in circles and len(circles) == 1:
            # From a place on the circle, past the change, to one on it again.
            found += on_circles.get(None, [])
            found += on_circles.get(next(iter(circles)), [])
        else:
            every = (each for group in on_circles.values() for each in group)
            found += (each for each in every if may_come_between(model, each[1][0], read))
    return [change for _, change in sorted(found, key=itemgetter(0))]


def _by_unit(
    model: Answers, changes: Callable[[Answers], Iterable[Change]]
) -> dict[Unit, dict[int | None, list[_Numbered]]]:
    """The changes that a question names, by the unit that makes them and by its circles of ways."""
    found: dict[Unit, dict[int | None, list[_Numbered]]] = {}
    for number, change in enumerate(model.ask(changes)):
        unit = model.unit(change[0])
        circle = model.flow.changes.circle(unit.scope, change[0])
        found.setdefault(unit, {}).setdefault(circle, []).append((number, change))
    return found


def _places(model: Answers, unit: Unit, read: cst.CSTNode) -> list[cst.CSTNode] | bool:
    """Where a unit runs `read`, or what leads there, if what it changes comes in between by their
    order; else whether all, or nothing, that it changes may."""
    reader = model.unit(read)
    if unit.is_module and _imports(model, reader.scope.module, unit.scope):
        return _imports(model, unit.scope, reader.scope.module)
    if model.ask(_is_start, unit):
        places = [read] if reader is unit else model.ask(_leading, unit, reader)
        return places or True
    edges = model.calls.callers(unit)
    return (
        model.flow.runs_unseen(unit)
        or not edges
        or any(
            not model.ask(_is_start, edge.caller)
            or _is_between(model, edge.caller, edge.node, read)
            for edge in edges
        )
    )


def _imports(model: Answers, importing: Scope, imported: Scope) -> bool:
    """Whether a module imports another one, itself or through others: that one's code runs first."""
    return id(imported) in model.ask(_imported_by, importing)


def _imported_by(model: Answers, importing: Scope) -> frozenset[int]:
    """The scopes of the modules that a module imports, itself or through others, by identity."""
    pending, found = [importing], set[int]()
    while pending:
        for bindings in pending.pop().bindings.values():
            for binding in bindings:
                target = model.names.target(binding) if binding.imported is not None else None
                scope = target.scope if isinstance(target, Member) else None
                if isinstance(target, Place):
                    scope = model.names.scope_of(target)
                if scope is not None and id(scope) not in found:
                    found.add(id(scope))
                    pending.append(scope)
    return frozenset(found)


def _is_start(model: Answers, unit: Unit) -> bool:
    """Whether a unit runs at most once, as a program does on its way."""
    is_plain = unit.is_module or not (unit.is_method or unit.is_lambda)
    return is_plain and is_run_once(model, unit)


def _is_between(model: Answers, start: Unit, change: cst.CSTNode, read: cst.CSTNode) -> bool:
    """Whether ways in `start` lead from `read`, or a call that leads there, past `change` to one.

    True where anything else leads to `read`.
    """
    unit = model.unit(read)
    places = [read] if unit is start else model.ask(_leading, start, unit)
    return not places or model.flow.changes.lie_between(start.scope, change, places)


def _leading(model: Answers, start: Unit, unit: Unit) -> list[cst.CSTNode] | None:
    """The calls in `start` that lead to `unit`; None where anything else does, too."""
    places: list[cst.CSTNode] = []
    for runner in closure([unit], partial(_callers_but, model, start)):
        edges = model.calls.callers(runner)
        if not edges:
            return None
        places += [edge.node for edge in edges if edge.caller is start]
    return places


def _callers_but(model: Answers, start: Unit, unit: Unit) -> list[Unit]:
    callers = (edge.caller for edge in model.calls.callers(unit))
    return [caller for caller in callers if caller is not start]
