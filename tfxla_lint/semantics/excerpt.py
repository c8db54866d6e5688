"""The code of a node as messages quote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.syntax import dotted

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_LONGEST = 60


def excerpt(model: Answers, node: cst.CSTNode) -> str:
    """The code on one line, without its outer parentheses, its end cut off where it is long."""
    name = dotted(node)
    if name is not None and len(name) <= _LONGEST:
        return name
    text = " ".join(model.code(_bare(node)).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 4].rstrip() + " ..."


def _bare(node: cst.CSTNode) -> cst.CSTNode:
    """A node without its outer parentheses; an empty tuple is nothing else."""
    if not isinstance(node, cst.BaseExpression) or (
        isinstance(node, cst.Tuple) and not node.elements
    ):
        return node
    return node.with_changes(lpar=[], rpar=[])
