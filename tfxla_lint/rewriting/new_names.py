"""The names that a rewrite adds to a module, and where each is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import InsertAfter, InsertBefore, NodeEdit, ReplaceStatements, place_of
from tfxla_lint.findings import NewName
from tfxla_lint.rewriting.layout import Layout


def new_names(layout: Layout, edits: Sequence[NodeEdit]) -> tuple[NewName, ...]:
    """What the statements that are put in bind, functions and attributes of `self` above all."""
    found: dict[NewName, None] = {}
    for edit in edits:
        if not isinstance(edit, (InsertBefore, InsertAfter, ReplaceStatements)):
            continue
        known = _names_in(layout, edit) if isinstance(edit, ReplaceStatements) else set()
        for statement in edit.new:
            for name in _bound(statement):
                if name not in known:
                    found[_seen(layout, place_of(edit), name)] = None
    return tuple(found)


def _bound(statement: cst.CSTNode) -> Iterator[str]:
    """The names that a statement binds in the block that it stands in; attributes with a dot."""
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        yield statement.name.value
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        for target in small.targets if isinstance(small, cst.Assign) else ():
            if isinstance(target.target, cst.Name):
                yield target.target.value
            elif isinstance(target.target, cst.Attribute):
                yield f".{target.target.attr.value}"


def _names_in(layout: Layout, edit: ReplaceStatements) -> set[str]:
    """What the statements that are replaced bind."""
    siblings = list(getattr(layout.tree.parent(edit.first), "body", ()))
    first, last = siblings.index(edit.first), siblings.index(edit.last)
    return {name for statement in siblings[first : last + 1] for name in _bound(statement)}


def _seen(layout: Layout, place: cst.CSTNode, name: str) -> NewName:
    """Where a name is seen that is bound at `place`: in a function, or in methods of a class."""
    holder = layout.tree.parent(place)
    while holder is not None and not isinstance(holder, (cst.FunctionDef, cst.ClassDef)):
        holder = layout.tree.parent(holder)
    if isinstance(holder, cst.FunctionDef) and name.startswith("."):
        while holder is not None and not isinstance(holder, cst.ClassDef):
            holder = layout.tree.parent(holder)
    if isinstance(holder, cst.ClassDef):
        name = f".{name.strip('.')}"
        holder = holder if not _has_kin(layout.tree.module, holder) else None
    start, end = layout.whole(holder) if holder is not None else (0, len(layout.text))
    return NewName(name, start, end)


def _has_kin(module: cst.Module, node: cst.ClassDef) -> bool:
    """Whether a class of the module may share its methods with another one of it."""
    classes = [c for c in module.body if isinstance(c, cst.ClassDef)]
    names = {c.name.value for c in classes}
    bases = {id(c): {_name(b.value) for b in c.bases} for c in classes}
    mentioned = {name for found in bases.values() for name in found}
    return node.name.value in mentioned or bool(bases.get(id(node), names) & names)


def _name(node: cst.BaseExpression) -> str:
    return node.value if isinstance(node, cst.Name) else ""
