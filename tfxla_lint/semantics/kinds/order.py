"""The order in which functions are evaluated that no module's own code runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.units import Unit, Units


def callers_first(modules: Sequence[tuple[Binder, Units]]) -> list[Unit]:
    """The functions of some modules, each behind those that call something of its name or hold it.

    So the arguments of its calls, and what it closes over, are known when it is evaluated. Where
    functions call each other in a circle, and otherwise, the order is that of the files.
    """
    every = [unit for _, units in modules for unit in units.all[1:]]
    by_name: dict[str, list[Unit]] = {}
    for unit in every:
        name = unit.name
        if name == "__init__" and unit.class_ is not None:
            name = unit.class_.node.name.value
        by_name.setdefault(name, []).append(unit)
    called: dict[int, list[Unit]] = {id(unit): [] for unit in every}
    for binder, units in modules:
        for call in binder.nodes(cst.Call):
            callees = by_name.get(_name(call.func))
            if callees is not None:
                unit = units.containing(call)
                if not unit.is_module:
                    called[id(unit)] += callees
    found: list[Unit] = []
    seen: set[int] = set()
    for root in reversed(every):
        if id(root) in seen:
            continue
        seen.add(id(root))
        stack = [(root, iter(called[id(root)]))]
        while stack:
            unit, below = stack[-1]
            callee = next((u for u in below if id(u) not in seen), None)
            if callee is None:
                found.append(unit)
                stack.pop()
            else:
                seen.add(id(callee))
                stack.append((callee, iter(called[id(callee)])))
    found.reverse()
    return list(_holders_first(found))


def _name(function: cst.BaseExpression) -> str:
    if type(function) is cst.Attribute:
        function = function.attr
    return function.value if type(function) is cst.Name else ""


def _holders_first(units: Sequence[Unit]) -> Iterator[Unit]:
    """The units, each behind the one that it closes over."""
    seen: set[int] = set()
    for unit in units:
        chain: list[Unit] = []
        holder: Unit | None = unit
        while holder is not None and not holder.is_module and id(holder) not in seen:
            seen.add(id(holder))
            chain.append(holder)
            holder = holder.parent
        yield from reversed(chain)
