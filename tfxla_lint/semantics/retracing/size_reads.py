"""Where code asks Python for the size of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.syntax import walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_READERS = behaviour.names(Trait.READS_SIZE)


def size_read(
    model: Answers, statements: Sequence[cst.CSTNode], names: set[str]
) -> cst.CSTNode | None:
    """Where statements ask Python for the size of what comes of one of `names`, or None."""
    known = set(names)
    for _ in range(3):
        for root in statements:
            for node in walk(root, into_scopes=False):
                if isinstance(node, cst.Assign) and _mentions(node.value, known):
                    targets = (n for t in node.targets for n in walk(t.target))
                    known |= {n.value for n in targets if isinstance(n, cst.Name)}
    nodes = (node for root in statements for node in walk(root))
    return next((node for node in nodes if _reads_size(model, node, known)), None)


def _mentions(node: cst.CSTNode, names: set[str]) -> bool:
    return any(isinstance(n, cst.Name) and n.value in names for n in walk(node))


def _reads_size(model: Answers, node: cst.CSTNode, names: set[str]) -> bool:
    if isinstance(node, cst.Attribute) and node.attr.value in ("shape", "get_shape"):
        return _mentions(node.value, names)
    if not isinstance(node, cst.Call) or not any(_mentions(a.value, names) for a in node.args):
        return False
    if model.names.of(node.func) & _READERS:
        return True
    return any(model.ask(Safety).reads_static_shape(c.unit.body) for c in model.callees(node))
