"""Functions with which code does more than to call them: who calls them then is not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def passed_on(model: Answers) -> frozenset[int]:
    """The units that code does more with than to call them: stores them, hands them on."""
    return frozenset(id(unit) for unit, _ in model.ask(uses))


def uses(model: Answers) -> list[tuple[Unit, cst.CSTNode]]:
    """The functions that code does more with than to call them, and where."""
    found: list[tuple[Unit, cst.CSTNode]] = []
    for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)):
        unit = model.value(node).unit
        if unit is not None:
            holder = model.parent(node)
            is_named = isinstance(holder, (cst.FunctionDef, cst.ImportAlias))
            is_part = isinstance(holder, cst.Attribute) and holder.attr is node
            if not (is_called(model, node) or is_named or is_part):
                found.append((unit, node))
    return found


def is_called(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an expression is what a call calls."""
    call = model.parent(node)
    return isinstance(call, cst.Call) and call.func is node


def is_left_alone(model: Answers, unit: Unit) -> bool:
    """Whether nothing of the world runs a function: it neither calls it nor hands it on."""
    node = unit.node
    is_plain = isinstance(node, cst.FunctionDef) and not node.decorators and not unit.is_method
    is_run = model.calls.callers(unit) or id(unit) in model.ask(passed_on)
    return is_plain and not is_run
