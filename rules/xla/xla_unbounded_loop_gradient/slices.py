"""Backward slices: the names, attributes and calls of a function that a value is computed from.

They ignore order and control flow, so they are wide: what is not in a slice has no influence but
through objects that change in place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.semantics.flow.unpacking import taken
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding, Scope
from tfxla_lint.semantics.syntax import dotted, walk


@dataclass(slots=True)
class Slice:
    """`names` holds plain names and dotted ones (`self.w`, and `self` itself), but no imports."""

    names: set[str] = field(default_factory=set)
    calls: list[cst.Call] = field(default_factory=list)

    def holds(self, call: cst.CSTNode) -> bool:
        """Whether the value of a call goes into it."""
        return any(known is call for known in self.calls)


def backward_slice(model: SemanticModel, node: cst.CSTNode, scope: Scope) -> Slice:
    """What an expression is computed from, within the function whose scope is given."""
    found = Slice()
    pending: list[cst.CSTNode] = [node]
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        for part in walk(current):
            if isinstance(part, cst.Call):
                found.calls.append(part)
            name = dotted(part)
            if name is not None and not model.names.of(part):
                found.names.add(name)
            if isinstance(part, cst.Name):
                for binding in scope.bindings.get(part.value, ()):
                    pending += _values(model, binding)
    return found


def _values(model: SemanticModel, binding: Binding) -> list[cst.CSTNode]:
    """The expressions that one binding of a name takes its value from."""
    statement = model.parent(binding.node)
    if isinstance(statement, cst.AugAssign):
        return [statement.value]
    source = taken(model.binder, binding)
    return [source.node] if source is not None else []
