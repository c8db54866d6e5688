"""Annotations that do more than to name a type: AutoGraph defines a function anew, and evaluates what
is annotated once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.safety.settled import is_settled
from tfxla_lint.semantics.scopes import ScopeKind
from tfxla_lint.semantics.syntax import walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.units import Unit

#: What annotations consist of that do nothing but name types.
_NAMING = (
    cst.Attribute, cst.Subscript, cst.Tuple, cst.List, cst.Ellipsis, cst.Integer, cst.SimpleString,
)  # fmt: skip


def evaluated_again(model: Answers, unit: Unit) -> Iterator[tuple[cst.CSTNode, str]]:
    """The annotations of a function that may do something, or fail, where AutoGraph evaluates them."""
    written = [parameter.node.annotation for parameter in unit.parameters]
    if isinstance(unit.node, cst.FunctionDef):
        written.append(unit.node.returns)
    for annotation in filter(None, written):
        if not all(_names_type(model, node) for node in walk(annotation)):
            yield annotation, f"`{model.code(annotation.annotation)}` is evaluated again"


def _names_type(model: Answers, node: cst.CSTNode) -> bool:
    """Whether this part of an annotation only names something, which a module has all the time."""
    if isinstance(node, cst.Name):
        home = model.binder.scope(node).home(node.value)
        return home is None or (home.kind is ScopeKind.MODULE and is_settled(model, node))
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, cst.BitOr)
    return not isinstance(node, cst.BaseExpression) or isinstance(node, _NAMING)
