"""Which code a rewrite changes, and whether all of it stands in the file of the finding."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import (
    Decorate,
    InsertArgument,
    NodeEdit,
    RemoveArgument,
    Replace,
    ReplaceDecorator,
    ReplaceStatements,
    Rewrite,
)
from tfxla_lint.semantics.model import SemanticModel


def place_elsewhere(model: SemanticModel, rewrite: Rewrite) -> cst.CSTNode | None:
    """The first node that a rewrite changes in another file, which no fix of this one can do."""
    places = (_place(edit) for edit in rewrite.edits)
    return next((place for place in places if not model.is_own(place)), None)


def _place(edit: NodeEdit) -> cst.CSTNode:
    if isinstance(edit, Replace):
        return edit.node
    if isinstance(edit, (InsertArgument, RemoveArgument)):
        return edit.call
    if isinstance(edit, ReplaceStatements):
        return edit.first
    if isinstance(edit, Decorate):
        return edit.function
    if isinstance(edit, ReplaceDecorator):
        return edit.decorator
    return edit.statement
