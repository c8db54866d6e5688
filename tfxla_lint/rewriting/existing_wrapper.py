"""Wrappers that the code makes already, so that a rewrite need not make another one."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk

#: Attributes of a model that tell of it, or set values but no layers.
_HARMLESS = behaviour.methods(Trait.TELLS, "model")


def made_already(
    model: SemanticModel, lines: Sequence[cst.CSTNode], wrapped: str, times: int = 1
) -> str | None:
    """What one of the lines calls just such a wrapper, if nothing else is called so.

    `times` says in how many places the wrapper is made.
    """
    for line in lines:
        if not is_plain(line):
            continue
        assert isinstance(line, cst.SimpleStatementLine)
        assignment = line.body[0]
        assert isinstance(assignment, cst.Assign)
        target = assignment.targets[0].target
        if model.code(assignment.value) == wrapped and _is_set(model, target, times):
            return model.code(target)
    return None


def _is_set(model: SemanticModel, target: cst.BaseExpression, times: int) -> bool:
    """Whether a name is bound so many times, an attribute of that name in all that is analysed."""
    if isinstance(target, cst.Name):
        scope = model.binder.scope(target)
        return len(scope.lookup(target.value)) == times
    if not isinstance(target, cst.Attribute):
        return False
    return len(model.flow.attributes.writes(target.attr.value)) == times


def is_plain(statement: cst.CSTNode) -> bool:
    """Whether a statement is a line of its own that assigns one thing."""
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    assignment = statement.body[0]
    return isinstance(assignment, cst.Assign) and len(assignment.targets) == 1


def between(
    model: SemanticModel, first: cst.CSTNode, last: cst.CSTNode, name: str
) -> Sequence[cst.CSTNode]:
    """The statements of the block of `last` that stand above it, and below `first` if it is there.

    Only those from the last one on that may change the layers of what is called `name`: a trace
    from before does not see that.
    """
    siblings = list(getattr(model.parent(last), "body", ()))
    start = siblings.index(first) + 1 if first in siblings else 0
    lines = siblings[start : siblings.index(last)]
    changing = [i for i, line in enumerate(lines) if not _leaves_alone(model, line, name)]
    return lines[changing[-1] :] if changing else lines


def _leaves_alone(model: SemanticModel, line: cst.CSTNode, name: str) -> bool:
    """Whether code does nothing with an object but call it, and ask for its variables."""
    for node in walk(line):
        if isinstance(node, cst.Name) and node.value == name:
            parent = model.parent(node)
            is_called = isinstance(parent, cst.Call) and parent.func is node
            asked = parent.attr.value if isinstance(parent, cst.Attribute) else ""
            if not is_called and asked not in _HARMLESS:
                return False
    return True
