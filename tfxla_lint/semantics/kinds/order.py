"""The order in which functions are evaluated that no module's own code runs."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.semantics.units import Unit, Units


def callers_first(modules: Sequence[Units]) -> list[Unit]:
    """The functions of some modules, each behind those that call something of its name.

    So that the arguments of its calls are known when it is evaluated. Where functions call each
    other in a circle, and otherwise, the order is that of the files.
    """
    every = [unit for units in modules for unit in units.all[1:]]
    by_name: dict[str, list[Unit]] = {}
    for unit in every:
        name = unit.name
        if name == "__init__" and unit.class_ is not None:
            name = unit.class_.node.name.value
        by_name.setdefault(name, []).append(unit)
    called = {id(unit): _called(unit, by_name) for unit in every}
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
    return found


def _called(unit: Unit, by_name: dict[str, list[Unit]]) -> list[Unit]:
    """The units whose name is that of something which a unit calls."""
    found: dict[int, Unit] = {}
    for node in unit.nodes(into_scopes=False):
        if type(node) is cst.Call:
            function = node.func
            if type(function) is cst.Name:
                name = function.value
            elif type(function) is cst.Attribute:
                name = function.attr.value
            else:
                continue
            found.update((id(callee), callee) for callee in by_name.get(name, ()))
    return list(found.values())
