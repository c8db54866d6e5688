"""Whether the turns of a loop give an expression other meanings by binding what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def is_read(model: Answers, name: cst.Name) -> bool:
    """Whether a name reads a variable; attributes and keywords do not."""
    return any(read is name for read in model.binder.scope(name).reads.get(name.value, ()))


def is_bound_in(model: Answers, node: cst.CSTNode, loop: Loop) -> bool:
    """Whether the loop binds a name or an attribute that `node` reads."""
    inside = {id(inner) for inner in walk(loop)}
    for part in walk(node):
        if isinstance(part, cst.Name) and is_read(model, part):
            bindings = model.binder.scope(part).lookup(part.value)
            if any(id(binding.node) in inside for binding in bindings):
                return True
        if isinstance(part, cst.Attribute) and is_stored_in(part.attr.value, loop):
            return True
    return False


def is_stored_in(attribute: str, loop: Loop) -> bool:
    """Whether the body of a loop assigns an attribute of this name, of whatever object."""
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign)):
            target = node.target
            if isinstance(target, cst.Attribute) and target.attr.value == attribute:
                return True
    return False
