"""Attributes: where in all modules each name of an attribute is written, and where it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.binder import Binder, Places
from tfxla_lint.semantics.units import ClassInfo
from tfxla_lint.semantics.values import Value


@dataclass(frozen=True, slots=True)
class Write:
    """One place that binds an attribute.

    `target` is the attribute, `statement` what binds it (an assignment, a loop, a `with`), `value`
    the expression assigned where the attribute gets the whole of it.
    """

    target: cst.Attribute
    statement: cst.CSTNode
    value: cst.BaseExpression | None = None


class Attributes:
    """The attributes of all modules, by name. `kind` tells what an expression can be."""

    def __init__(self, binders: Sequence[Binder], kind: Callable[[cst.CSTNode], Value]) -> None:
        self._kind = kind
        self._places: Places = binders[0]
        self._nodes: dict[str, list[cst.Attribute]] = {}
        self._writes: dict[str, list[Write]] = {}
        for binder in binders:
            for node in binder.nodes(cst.Attribute):
                self._nodes.setdefault(node.attr.value, []).append(node)

    def named(self, name: str) -> Sequence[cst.Attribute]:
        """Every attribute of this name, read or written."""
        return self._nodes.get(name, ())

    def writes(self, name: str) -> Sequence[Write]:
        """Every place that binds an attribute of this name, of whatever object."""
        found = self._writes.get(name)
        if found is None:
            written = (_write(self._places, node) for node in self.named(name))
            found = self._writes[name] = [write for write in written if write is not None]
        return found

    def written(self, info: ClassInfo, name: str) -> Iterator[Write]:
        """The places that may bind an attribute of the instances of a class."""
        for write in self.writes(name):
            if may_be(self._kind(write.target.value).class_, info):
                yield write


def may_be(holder: ClassInfo | None, info: ClassInfo) -> bool:
    """Whether an object can be an instance of a class, of its bases or of what derives from it."""
    return holder is None or holder in info.lineage() or info in holder.lineage()


def _write(binder: Places, node: cst.Attribute) -> Write | None:
    """How an attribute is bound, None where it is read."""
    child: cst.CSTNode = node
    parent = binder.parent(node)
    is_whole = True
    while isinstance(parent, (cst.Element, cst.StarredElement, cst.Tuple, cst.List)):
        child, parent, is_whole = parent, binder.parent(parent), False
    if isinstance(parent, cst.AssignTarget):
        statement = binder.parent(parent)
        assert isinstance(statement, cst.Assign)
        return Write(node, statement, statement.value if is_whole else None)
    if isinstance(parent, (cst.AnnAssign, cst.AugAssign)) and parent.target is child:
        value = parent.value if isinstance(parent, cst.AnnAssign) else None
        has_value = isinstance(parent, cst.AugAssign) or value is not None
        return Write(node, parent, value) if has_value else None
    if isinstance(parent, (cst.For, cst.CompFor)) and parent.target is child:
        return Write(node, parent)
    if isinstance(parent, cst.AsName):
        return Write(node, parent)
    if isinstance(parent, cst.Del):
        return Write(node, parent)
    return None
