"""Liveness: which names a block of statements reads, binds, and leaves alive.

Structured and conservative: a name read on any path is alive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.scopes import Scope, ScopeKind
from tfxla_lint.semantics.syntax import target_names, walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


class Liveness:
    """Liveness of the names of one scope (a function's or the module's)."""

    def __init__(self, model: SemanticModel, scope: Scope) -> None:
        self._model = model
        self._scope = scope
        #: What is alive where a `break`, a `continue` or an exception may go on.
        self._elsewhere: set[str] = set()

    def always_live(self) -> set[str]:
        """Names that other functions may read at any time: those defined in the scope, and those
        that it shares what it binds by `global` and `nonlocal` with."""
        found: set[str] = set()
        for inner in self._model.binder.inner_scopes.values():
            if inner.kind is ScopeKind.COMPREHENSION or inner is self._scope:
                continue
            for name in inner.reads:
                if inner.home(name) is self._scope:
                    found.add(name)
        return found | self._scope.global_names | self._scope.nonlocal_names

    def reads(self, node: cst.CSTNode) -> set[str]:
        """The names of this scope that evaluating `node` can read, or needs to be bound."""
        found: set[str] = set()
        for part in walk(node):
            if isinstance(part, cst.Del):
                found.update(target_names(part.target))
            if isinstance(part, cst.Name) and self._is_read(part):
                if self._is_own(part):
                    found.add(part.value)
        return found

    def _is_own(self, node: cst.Name) -> bool:
        """Whether a name is one of this scope's, or one that it binds elsewhere."""
        home = self._model.binder.scope(node).home(node.value)
        if home is self._scope:
            return True
        binds = self._scope.global_names | self._scope.nonlocal_names
        return node.value in binds and home is self._scope.home(node.value)

    def _is_read(self, node: cst.Name) -> bool:
        reads = self._model.binder.scope(node).reads.get(node.value, ())
        return any(read is node for read in reads)

    def before(self, body: Sequence[cst.CSTNode], after: set[str]) -> set[str]:
        """The names alive before `body`, given those alive after it."""
        live = set(after)
        for statement in reversed(body):
            live = self._step(statement, live)
        return live

    def _step(self, node: cst.CSTNode, live: set[str]) -> set[str]:
        if isinstance(node, cst.SimpleStatementLine):
            return self.before(node.body, live)
        if isinstance(node, cst.If):
            return self.reads(node.test) | self._block(node.body, live) | self._orelse(node, live)
        if isinstance(node, (cst.For, cst.While)):
            return self._loop(node, live)
        if isinstance(node, cst.With):
            inner = self._block(node.body, live)
            for item in node.items:
                if item.asname is not None:
                    inner -= set(target_names(item.asname.name))
            return inner.union(*(self.reads(item) for item in node.items))
        if isinstance(node, (cst.Try, cst.TryStar)):
            return live | self.reads(node)
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return (live - {node.name.value}) | self.reads(node)
        if isinstance(node, cst.Match):
            return live | self.reads(node)
        return self._simple(node, live)

    def _simple(self, node: cst.CSTNode, live: set[str]) -> set[str]:
        if isinstance(node, (cst.Break, cst.Continue)):
            return live | self._elsewhere
        bound: set[str] = set()
        if isinstance(node, cst.Assign):
            for target in node.targets:
                bound.update(target_names(target.target))
        elif isinstance(node, cst.AnnAssign) and node.value is not None:
            bound.update(target_names(node.target))
        for inner in walk(node, into_scopes=False):
            if isinstance(inner, cst.NamedExpr) and self._always_runs(inner, node):
                bound.update(target_names(inner.target))
        return (live - bound) | self.reads(node)

    def _always_runs(self, inner: cst.CSTNode, statement: cst.CSTNode) -> bool:
        for ancestor in self._model.ancestors(inner):
            if ancestor is statement:
                return True
            if isinstance(ancestor, (cst.IfExp, cst.BooleanOperation, cst.BaseComp)):
                return False
        return False

    def _block(self, body: cst.BaseSuite, live: set[str]) -> set[str]:
        return self.before(body.body, live)

    def _orelse(self, node: cst.If | cst.For | cst.While, live: set[str]) -> set[str]:
        if node.orelse is None:
            return set(live)
        if isinstance(node.orelse, cst.If):
            return self._step(node.orelse, live)
        return self._block(node.orelse.body, live)

    def _loop(self, node: cst.For | cst.While, live: set[str]) -> set[str]:
        head = node.iter if isinstance(node, cst.For) else node.test
        bound = set(target_names(node.target)) if isinstance(node, cst.For) else set()
        after, live = live, self._orelse(node, live)
        outer, self._elsewhere = self._elsewhere, self._elsewhere | after | live
        for _ in range(2):
            live = live | (self._block(node.body, live) - bound)
            self._elsewhere |= live
        self._elsewhere = outer
        return live | self.reads(head)

    def after(self, statement: cst.CSTNode, owner: cst.CSTNode) -> set[str]:
        """The names alive after `statement`, which lies somewhere in the body of `owner`."""
        live = self.always_live()
        chain = [statement]
        for ancestor in self._model.ancestors(statement):
            if ancestor is owner:
                break
            chain.append(ancestor)
        chain.append(owner)
        caught: set[str] = set()
        self._elsewhere = set()
        for holder, child in zip(reversed(chain), [*reversed(chain[:-1])], strict=False):
            after, live = live, self._after_in(holder, child, live)
            if isinstance(holder, (cst.For, cst.While)) and child is holder.body:
                self._elsewhere = after | live
            if isinstance(holder, (cst.Try, cst.TryStar)) or self._suppresses(holder):
                caught |= live
        return live | caught

    def _suppresses(self, node: cst.CSTNode) -> bool:
        """Whether a `with` may end on an exception without handing it on."""
        return isinstance(node, cst.With) and any(
            isinstance(item.item, cst.Call)
            and "contextlib.suppress" in self._model.names.of(item.item.func)
            for item in node.items
        )

    def _after_in(self, holder: cst.CSTNode, child: cst.CSTNode, live: set[str]) -> set[str]:
        """What is alive after `child` in `holder`, given what is alive after `holder`."""
        if isinstance(holder, (cst.For, cst.While)):
            return self._loop(holder, live) if child is holder.body else live
        if isinstance(holder, (cst.Try, cst.TryStar)):
            return live.union(*(self.reads(part) for part in _after_part(holder, child)))
        body = getattr(holder, "body", None)
        if isinstance(body, (list, tuple)):
            position = next((i for i, s in enumerate(body) if s is child), None)
            if position is not None:
                return self.before(body[position + 1 :], live)
        return live


def _after_part(holder: cst.Try | cst.TryStar, child: cst.CSTNode) -> list[cst.CSTNode]:
    """The parts of a `try` that can run after one of its parts has begun."""
    if child is holder.finalbody:
        return []
    parts: list[cst.CSTNode | None] = [holder.finalbody]
    if child is holder.body:
        parts += [*holder.handlers, holder.orelse]
    return [part for part in parts if part is not None]


def statement_of(model: SemanticModel, node: cst.CSTNode) -> cst.CSTNode:
    """The statement line or compound statement that holds `node` (or is it)."""
    current: cst.CSTNode | None = node
    while current is not None:
        if isinstance(current, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return current
        current = model.parent(current)
    return node
