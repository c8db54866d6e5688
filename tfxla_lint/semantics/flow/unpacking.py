"""Which expression a binding takes its value from, and which member of it."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.scopes import Binding, BindingKind


@dataclass(frozen=True, slots=True)
class Taken:
    """`node` is the expression whose value a binding takes; `path` leads to the member it gets.

    For `(a, b), c = value` the path of `b` is `(0, 1)`. `is_item` says that it gets the items of
    `node` one after the other (a loop's target), or the members of them on that path.
    """

    node: cst.BaseExpression
    path: tuple[int, ...] = ()
    is_item: bool = False


def taken(binder: Binder, binding: Binding) -> Taken | None:
    """Where a binding's value comes from; None where no expression gives it whole."""
    if binding.value is not None and binding.kind is not BindingKind.WITH:
        return Taken(binding.value)
    child: cst.CSTNode = binding.node
    parent = binder.parent(child)
    path: tuple[int, ...] = ()
    while isinstance(parent, (cst.Element, cst.Tuple, cst.List)):
        if isinstance(parent, (cst.Tuple, cst.List)):
            if any(isinstance(element, cst.StarredElement) for element in parent.elements):
                return None
            path = (next(i for i, e in enumerate(parent.elements) if e is child), *path)
        child, parent = parent, binder.parent(parent)
    if isinstance(parent, cst.AssignTarget):
        statement = binder.parent(parent)
        return Taken(statement.value, path) if isinstance(statement, cst.Assign) else None
    if isinstance(parent, (cst.For, cst.CompFor)) and parent.target is child:
        return Taken(parent.iter, path, is_item=True)
    return None


def member(node: cst.BaseExpression, path: tuple[int, ...]) -> cst.BaseExpression | None:
    """The expression at a path of members of a tuple or list that is written out."""
    for index in path:
        if not isinstance(node, (cst.Tuple, cst.List)) or index >= len(node.elements):
            return None
        if any(isinstance(element, cst.StarredElement) for element in node.elements):
            return None
        node = node.elements[index].value
    return node
