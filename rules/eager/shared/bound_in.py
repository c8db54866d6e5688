"""Whether the turns of a loop, or a statement, bind a name anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.syntax import walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


def is_bound_in(model: SemanticModel, name: cst.Name, within: cst.CSTNode) -> bool:
    """Whether something within a node may bind what a name reads."""
    inside = {id(node) for node in walk(within)}
    return any(id(binding.node) in inside for binding in model.flow.reached(name).bindings)
