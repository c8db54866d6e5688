"""Statements: the one that holds a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def statement_of(model: Answers, node: cst.CSTNode) -> cst.CSTNode:
    """The statement line or compound statement that holds `node` (or is it)."""
    current: cst.CSTNode | None = node
    while current is not None:
        if isinstance(current, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return current
        current = model.parent(current)
    return node
