"""The paths of a function on which one gradient tape is asked more than once."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.semantics.syntax import children, target_names

#: What may have used the tape up: calls, or None where nothing has; empty where there is no tape.
State = frozenset["cst.Call | None"]

_NOWHERE: State = frozenset()


class Paths:
    """Walks the statements of a function and collects pairs of calls on one tape.

    The tape is the one that `opening` binds to `name`; `asking` are the identities of the calls
    that use a tape of this name up, `asked_in` and `opened_in` those of what holds these calls and
    the opening.
    """

    def __init__(
        self,
        opening: cst.With,
        name: str,
        asking: set[int],
        asked_in: set[int],
        opened_in: set[int],
    ) -> None:
        self.pairs: list[tuple[cst.Call, cst.Call]] = []
        self._opening = opening
        self._name = name
        self._asking = asking
        self._asked_in = asked_in
        self._opened_in = opened_in
        self._continues: list[State] = []
        self._breaks: list[State] = []

    def block(self, body: Sequence[cst.CSTNode], state: State) -> State:
        """The state after the statements of a block."""
        for statement in body:
            state = self._statement(statement, state)
        return state

    def _statement(self, node: cst.CSTNode, state: State) -> State:
        if not state and id(node) not in self._opened_in:
            return state
        if isinstance(node, cst.SimpleStatementLine):
            return self.block(node.body, state)
        if isinstance(node, cst.If):
            return self._if(node, state)
        if isinstance(node, (cst.For, cst.While)):
            return self._loop(node, state)
        if isinstance(node, cst.With):
            return self._with(node, state)
        if isinstance(node, (cst.Try, cst.TryStar)):
            return self._try(node, state)
        if isinstance(node, cst.Match):
            return self._match(node, state)
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return state
        return self._small(node, state)

    def _small(self, node: cst.CSTNode, state: State) -> State:
        state = self._expression(node, state)
        if isinstance(node, (cst.Return, cst.Raise)):
            return _NOWHERE
        if isinstance(node, (cst.Break, cst.Continue)):
            jumps = self._breaks if isinstance(node, cst.Break) else self._continues
            jumps[-1] = jumps[-1] | state
            return _NOWHERE
        if isinstance(node, cst.Assign):
            targets = [name for t in node.targets for name in target_names(t.target)]
            return _NOWHERE if self._name in targets else state
        if isinstance(node, (cst.AnnAssign, cst.Del)):
            return _NOWHERE if self._name in target_names(node.target) else state
        return state

    def _if(self, node: cst.If, state: State) -> State:
        state = self._expression(node.test, state)
        then = self.block(node.body.body, state)
        if isinstance(node.orelse, cst.If):
            return then | self._if(node.orelse, state)
        if isinstance(node.orelse, cst.Else):
            return then | self.block(node.orelse.body.body, state)
        return then | state

    def _loop(self, node: cst.For | cst.While, state: State) -> State:
        if isinstance(node, cst.For):
            state = self._expression(node.iter, state)
        self._continues.append(_NOWHERE)
        self._breaks.append(_NOWHERE)
        for _ in range(2):
            state = state | self._turn(node, state) | self._continues[-1]
        self._continues.pop()
        state = state | self._breaks.pop()
        if isinstance(node.orelse, cst.Else):
            return self.block(node.orelse.body.body, state)
        return state

    def _turn(self, node: cst.For | cst.While, state: State) -> State:
        if isinstance(node, cst.While):
            state = self._expression(node.test, state)
        elif self._name in target_names(node.target):
            state = _NOWHERE
        return self.block(node.body.body, state)

    def _with(self, node: cst.With, state: State) -> State:
        for item in node.items:
            state = self._expression(item.item, state)
            if item.asname is not None and self._name in target_names(item.asname.name):
                state = frozenset({None}) if node is self._opening else _NOWHERE
        return self.block(node.body.body, state)

    def _try(self, node: cst.Try | cst.TryStar, state: State) -> State:
        after = self.block(node.body.body, state)
        if node.orelse is not None:
            after = self.block(node.orelse.body.body, after)
        for handler in node.handlers:
            after = after | self.block(handler.body.body, state)
        if node.finalbody is not None:
            after = self.block(node.finalbody.body.body, after)
        return after

    def _match(self, node: cst.Match, state: State) -> State:
        state = self._expression(node.subject, state)
        after = state
        for case in node.cases:
            after = after | self.block(case.body.body, state)
        return after

    def _expression(self, node: cst.CSTNode, state: State) -> State:
        """The state after what a node evaluates."""
        if not state or id(node) not in self._asked_in or isinstance(node, cst.Lambda):
            return state
        if isinstance(node, cst.IfExp):
            state = self._expression(node.test, state)
            return self._expression(node.body, state) | self._expression(node.orelse, state)
        if isinstance(node, cst.BooleanOperation):
            state = self._expression(node.left, state)
            return state | self._expression(node.right, state)
        if isinstance(node, cst.BaseComp):
            return self._comprehension(node, state)
        for child in children(node):
            state = self._expression(child, state)
        if id(node) in self._asking and isinstance(node, cst.Call):
            return self._ask(node, state)
        return state

    def _comprehension(self, node: cst.BaseComp, state: State) -> State:
        state = self._expression(node.for_in.iter, state)
        for _ in range(2):
            for child in children(node):
                if child is not node.for_in:
                    state = self._expression(child, state)
        return state

    def _ask(self, call: cst.Call, state: State) -> State:
        for earlier in state:
            if earlier is not None and (earlier, call) not in self.pairs:
                self.pairs.append((earlier, call))
        return frozenset({call}) if state else state
