"""Decisions: which tests of a loop say whether it goes on, and what they are made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import target_names, walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_OUT_OF_NEAREST = (cst.Break, cst.Continue)


class Decisions:
    """What one loop must know on a turn, to end that turn or to go on with the next.

    These are its own test, and those of `if` statements that hold a `break`, a `continue` or a
    `return` of it. A test that only raises can be made every few turns: nothing goes on then.
    """

    def __init__(self, model: SemanticModel, loop: Loop) -> None:
        self._model = model
        self._loop = loop
        self._known: dict[int, bool] = {}
        tests = [loop.test] if isinstance(loop, cst.While) else []
        inside = walk(loop.body, into_scopes=False)
        tests += [node.test for node in inside if isinstance(node, cst.If) and self._leaves(node)]
        named = (part for test in tests for part in walk(test))
        self._names = {part.value for part in named if isinstance(part, cst.Name)}

    def read(self, target: cst.BaseExpression) -> bool:
        """Whether such a test reads the name that a statement binds."""
        return isinstance(target, cst.Name) and target.value in self._names

    def rest_on(self, choice: cst.If | cst.IfExp) -> bool:
        """Whether the loop goes on, now or by a name that is bound here, as a test says."""
        if isinstance(choice, cst.IfExp):
            return False
        return self._leaves(choice) or bool(_bound(choice) & self._names)

    def end_by(self, node: cst.CSTNode) -> bool:
        """Whether a node is part of a test by which the loop comes to its end."""
        child, parent = node, self._model.parent(node)
        while isinstance(parent, (cst.BaseExpression, cst.ComparisonTarget, cst.Arg)):
            child, parent = parent, self._model.parent(parent)
        if parent is self._loop:
            return isinstance(self._loop, cst.While) and child is self._loop.test
        if not isinstance(parent, cst.If) or child is not parent.test or parent.orelse is not None:
            return False
        if self._model.loops.around(parent, self._model.unit(parent))[-1:] != [self._loop]:
            return False
        last = parent.body.body[-1] if parent.body.body else None
        small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else None
        return isinstance(small, (cst.Break, cst.Return))

    def _leaves(self, choice: cst.If) -> bool:
        known = self._known.get(id(choice))
        if known is None:
            rest = choice.orelse
            known = any(map(self._is_way_out, walk(choice.body, into_scopes=False)))
            if isinstance(rest, cst.If):
                known = known or self._leaves(rest)
            elif rest is not None:
                known = known or any(map(self._is_way_out, walk(rest, into_scopes=False)))
            self._known[id(choice)] = known
        return known

    def _is_way_out(self, node: cst.CSTNode) -> bool:
        if not isinstance(node, _OUT_OF_NEAREST):
            return isinstance(node, cst.Return)
        return self._model.loops.around(node, self._model.unit(node))[-1:] == [self._loop]


def _bound(choice: cst.If) -> set[str]:
    """The names to which the branches give values."""
    found: set[str] = set()
    for node in walk(choice, into_scopes=False):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign)):
            found.update(target_names(node.target))
    return found
