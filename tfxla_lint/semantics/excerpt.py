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
    bare = node.with_changes(lpar=[], rpar=[]) if isinstance(node, cst.BaseExpression) else node
    text = " ".join(model.code(bare).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 4].rstrip() + " ..."
