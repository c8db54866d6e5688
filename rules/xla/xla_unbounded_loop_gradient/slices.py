"""Backward slices: the names, attributes and calls of a function that a value is computed from.

What is not in a slice has no influence but through objects that change in place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Scope
from tfxla_lint.semantics.syntax import dotted, walk


@dataclass(slots=True)
class Slice:
    """`names` holds plain names and dotted ones (`self.w`, and `self` itself), but no imports."""

    names: set[str] = field(default_factory=set)
    calls: list[cst.Call] = field(default_factory=list)

    def holds(self, call: cst.CSTNode) -> bool:
        """Whether the value of a call goes into it."""
        return any(known is call for known in self.calls)


def backward_slice(model: SemanticModel, nodes: Iterable[cst.CSTNode], scope: Scope) -> Slice:
    """What expressions are computed from, within the function whose scope is given."""
    found = Slice()

    def judge(node: cst.CSTNode, path: Path) -> Look | None:
        if path and isinstance(node, (cst.Tuple, cst.List)):
            return THROUGH
        if not isinstance(node, (cst.BaseExpression, cst.AugAssign)):
            return None
        for part in walk(node):
            if isinstance(part, cst.Call) and not found.holds(part):
                found.calls.append(part)
            name = dotted(part)
            if name is not None and not model.names.of(part):
                found.names.add(name)
            if isinstance(part, cst.Name) and part is not node:
                origins.of(part)
        is_local = isinstance(node, cst.Name) and model.binder.scope(node).home(node.value) is scope
        return THROUGH if is_local else None

    origins = Origins[Look](model.flow, Through(items=True, agree=Agree.ANY), judge)
    origins.any(nodes)
    return found
