"""Which expression a binding takes its value from, and which member of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import libcst as cst

from tfxla_lint.semantics.binder import Places
from tfxla_lint.semantics.scopes import Binding, BindingKind

#: The way to a member of a value, from the outside in: the position of each, `None` for any.
Path: TypeAlias = "tuple[int | None, ...]"


@dataclass(frozen=True, slots=True)
class Taken:
    """`node` is the expression whose value a binding takes; `path` leads to the member it gets.

    For `(a, b), c = value` the path of `b` is `(0, 1)`; the target of a loop gets any member.
    """

    node: cst.BaseExpression
    path: Path = ()


def taken(binder: Places, binding: Binding) -> Taken | None:
    """Where a binding's value comes from; None where no expression gives it whole."""
    if binding.value is not None and binding.kind is not BindingKind.WITH:
        return Taken(binding.value)
    child: cst.CSTNode = binding.node
    parent = binder.parent(child)
    path: Path = ()
    while isinstance(parent, (cst.Element, cst.StarredElement, cst.Tuple, cst.List)):
        if isinstance(parent, (cst.Tuple, cst.List)) and not isinstance(child, cst.StarredElement):
            path = (_place(parent, child), *path)
        child, parent = parent, binder.parent(parent)
    if isinstance(parent, cst.AssignTarget):
        statement = binder.parent(parent)
        return Taken(statement.value, path) if isinstance(statement, cst.Assign) else None
    if isinstance(parent, (cst.For, cst.CompFor)) and parent.target is child:
        return Taken(parent.iter, (None, *path))
    return None


def _place(targets: cst.Tuple | cst.List, element: cst.CSTNode) -> int | None:
    """Which member an element of some targets gets; None behind a starred one."""
    for place, other in enumerate(targets.elements):
        if isinstance(other, cst.StarredElement):
            return None
        if other is element:
            return place
    return None


def members(node: cst.BaseExpression, path: Path) -> list[cst.BaseExpression] | None:
    """The expressions at a path of members of what is written out; None where it is not."""
    found = [node]
    for place in path:
        inner: list[cst.BaseExpression] = []
        for holder in found:
            if not isinstance(holder, (cst.Tuple, cst.List, cst.Set)):
                return None
            if any(isinstance(element, cst.StarredElement) for element in holder.elements):
                return None
            values = [element.value for element in holder.elements]
            inner += values if place is None else values[place : place + 1]
        found = inner
    return found


def member(binder: Places, binding: Binding) -> cst.BaseExpression | None:
    """The one expression that a binding surely gets: `x = value`, `a, x = y, value`."""
    source = taken(binder, binding)
    found = members(source.node, source.path) if source is not None else None
    if source is None or found is None or None in source.path:
        return None
    return found[0] if len(found) == 1 else None
