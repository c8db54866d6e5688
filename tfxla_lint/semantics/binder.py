"""One iterative walk over a module: parents, scopes, bindings, and the index of nodes by type.

It reads the syntax fields only, which costs about a tenth of LibCST's parse. LibCST's own
ScopeProvider is the oracle of its tests.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from copy import copy
from typing import Any, Protocol, TypeVar, cast

import libcst as cst

from tfxla_lint.budgets import DEEPEST, TooMuchError
from tfxla_lint.semantics.links import NOWHERE, Holder, Links
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope, ScopeKind
from tfxla_lint.semantics.syntax import BELOW, asks_for_main, dotted

_Node = TypeVar("_Node", bound=cst.CSTNode)


class Places(Protocol):
    """Where nodes stand, whatever module they are of."""

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds `node`, or None for a module."""

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope in which `node` is evaluated."""


class Binder:
    """What one walk over `module` collects.

    Nodes are keyed by identity, so the binder keeps the module alive. `own` are the links of this
    module; where several modules are analysed together, `links` holds those of all of them, and
    `parent` and `scope` answer for the nodes of each (`linked`).
    """

    def __init__(self, module: cst.Module) -> None:
        self.module = module
        self.module_scope = Scope(ScopeKind.MODULE, module, None)
        self.own = Links()
        self.links = self.own
        self.own.held[id(module)] = (None, self.module_scope, -1)
        self._by_type: dict[type[cst.CSTNode], list[cst.CSTNode]] = {}
        self.inner_scopes: dict[int, Scope] = {}
        #: The names of the attributes that statements bind, on whatever object.
        self.attributes_set: set[str] = set()
        self._stack: list[tuple[Any, Holder]] = []
        self._holder: Holder = (module, self.module_scope, 0)
        self._walk()

    def linked(self, links: Links) -> Binder:
        """What the walk collected, with answers for the nodes of other modules, too."""
        together = copy(self)
        together.links = links
        return together

    def part(self) -> None:
        """Part nodes, scopes and bindings, when nobody asks for them any more."""
        for scope in (self.module_scope, *self.inner_scopes.values()):
            scope.part()
        self.own.held.clear()
        self._by_type.clear()

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds `node`, or None for the module."""
        return self.links.held.get(id(node), NOWHERE)[0]

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope in which `node` is evaluated (for a `def`: the one that it is bound in)."""
        return self.links.held.get(id(node), NOWHERE)[1] or self.module_scope

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """All nodes of exactly this type, in the order of the walk (document order, mostly)."""
        return cast("list[_Node]", self._by_type.get(kind, []))

    @property
    def kinds(self) -> AbstractSet[type[cst.CSTNode]]:
        """The types of the nodes of the module."""
        return self._by_type.keys()

    def _walk(self) -> None:
        """Go through the module; raises TooMuchError where nodes are nested too deeply: what follows
        values calls itself."""
        stack, by_type, held = self._stack, self._by_type, self.own.held
        handlers, below = _HANDLERS, BELOW
        guards = (node for node in self.module.body if isinstance(node, cst.If))
        self.own.mains.update(id(guard.body) for guard in guards if asks_for_main(guard.test))
        stack += [(statement, self._holder) for statement in reversed(self.module.body)]
        while stack:
            node, holder = stack.pop()
            held[id(node)] = holder
            kind = type(node)
            same = by_type.get(kind)
            if same is None:
                by_type[kind] = [node]
            else:
                same.append(node)
            _, scope, depth = holder
            assert scope is not None
            # Three of four nodes are of these kinds.
            if kind is cst.Name:
                scope.reads.setdefault(node.value, []).append(node)
                continue
            depth += 1
            if kind is cst.Attribute:
                holder = (node, scope, depth)
                held[id(node.attr)] = holder
                stack.append((node.value, holder))
            elif kind is cst.Arg:
                holder = (node, scope, depth)
                if node.keyword is not None:
                    held[id(node.keyword)] = holder
                stack.append((node.value, holder))
            elif kind in handlers:
                handlers[kind](self, node, scope)
                continue
            else:
                holder = (node, scope, depth)
                stack += [(child, holder) for child in below[kind](node)]
            if depth >= DEEPEST and stack and stack[-1][1] is holder:
                raise TooMuchError.of_depth()

    def _holding(self, parent: cst.CSTNode, scope: Scope) -> Holder:
        holder = self._holder
        if holder[0] is not parent or holder[1] is not scope:
            depth = self.own.held[id(parent)][2] + 1
            if depth >= DEEPEST:
                raise TooMuchError.of_depth()
            holder = self._holder = (parent, scope, depth)
        return holder

    def _push(self, child: cst.CSTNode | None, parent: cst.CSTNode, scope: Scope) -> None:
        if child is not None:
            self._stack.append((child, self._holding(parent, scope)))

    def _bind(
        self,
        scope: Scope,
        name: str,
        kind: BindingKind,
        node: cst.CSTNode,
        value: cst.BaseExpression | None = None,
        imported: str | None = None,
    ) -> None:
        if name in scope.global_names:
            scope = scope.module
        elif name in scope.nonlocal_names and scope.parent is not None:
            scope = scope.parent.home(name) or scope
        is_of_main = scope.kind is ScopeKind.MODULE and self.own.is_of_main(node)
        binding = Binding(name, kind, node, scope, value, imported, is_of_main)
        scope.bindings.setdefault(name, []).append(binding)

    def _bind_target(
        self,
        target: cst.CSTNode,
        parent: cst.CSTNode,
        scope: Scope,
        kind: BindingKind,
        value: cst.BaseExpression | None,
    ) -> None:
        """Bind the names of a target; what it reads (`a.b`, `c[i]`) is walked as usual."""
        if type(target) is cst.Name:
            self._record(target, parent, scope)
            self._bind(scope, target.value, kind, target, value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            self._record(target, parent, scope)
            for element in target.elements:
                self._record(element, target, scope)
                self._bind_target(element.value, element, scope, kind, None)
        else:
            if type(target) is cst.Attribute:
                self.attributes_set.add(target.attr.value)
            self._push(target, parent, scope)

    def _record(self, node: cst.CSTNode, parent: cst.CSTNode, scope: Scope) -> None:
        self.own.held[id(node)] = self._holding(parent, scope)
        self._by_type.setdefault(type(node), []).append(node)

    def _place(self, node: cst.CSTNode | None, parent: cst.CSTNode, scope: Scope) -> None:
        """Link a node that is no expression (the name of a `def`), without listing it."""
        if node is not None:
            self.own.held[id(node)] = self._holding(parent, scope)

    # Handlers, by node type. What they push last is walked first. `global` stands before any
    # binding of its names (Python demands it), so document order is enough.

    def _assign(self, node: cst.Assign, scope: Scope) -> None:
        for target in node.targets:
            self._record(target, node, scope)
            self._bind_target(target.target, target, scope, BindingKind.ASSIGNMENT, node.value)
        self._push(node.value, node, scope)

    def _ann_assign(self, node: cst.AnnAssign, scope: Scope) -> None:
        kind = BindingKind.ASSIGNMENT if node.value is not None else BindingKind.ANNOTATION
        self._bind_target(node.target, node, scope, kind, node.value)
        self._push(node.value, node, scope)
        self._push(node.annotation, node, scope)

    def _aug_assign(self, node: cst.AugAssign, scope: Scope) -> None:
        self._bind_target(node.target, node, scope, BindingKind.AUGMENTED, None)
        if type(node.target) is cst.Name:
            scope.reads.setdefault(node.target.value, []).append(node.target)
        self._push(node.value, node, scope)

    def _named_expr(self, node: cst.NamedExpr, scope: Scope) -> None:
        home = scope
        while home.kind is ScopeKind.COMPREHENSION and home.parent is not None:
            home = home.parent
        self._bind_target(node.target, node, home, BindingKind.ASSIGNMENT, node.value)
        self._push(node.value, node, scope)

    def _for(self, node: cst.For, scope: Scope) -> None:
        self._bind_target(node.target, node, scope, BindingKind.FOR, None)
        self._push(node.orelse, node, scope)
        self._push(node.body, node, scope)
        self._push(node.iter, node, scope)

    def _with_item(self, node: cst.WithItem, scope: Scope) -> None:
        if node.asname is not None:
            self._record(node.asname, node, scope)
            self._bind_target(node.asname.name, node.asname, scope, BindingKind.WITH, node.item)
        self._push(node.item, node, scope)

    def _except(self, node: cst.ExceptHandler | cst.ExceptStarHandler, scope: Scope) -> None:
        if node.name is not None:
            self._record(node.name, node, scope)
            self._bind_target(node.name.name, node.name, scope, BindingKind.EXCEPT, None)
        self._push(node.body, node, scope)
        self._push(node.type, node, scope)

    def _del(self, node: cst.Del, scope: Scope) -> None:
        self._bind_target(node.target, node, scope, BindingKind.DELETE, None)

    def _global(self, node: cst.Global, scope: Scope) -> None:
        scope.global_names.update(item.name.value for item in node.names)

    def _nonlocal(self, node: cst.Nonlocal, scope: Scope) -> None:
        scope.nonlocal_names.update(item.name.value for item in node.names)

    def _import(self, node: cst.Import, scope: Scope) -> None:
        for alias in node.names:
            self._record(alias, node, scope)
            self._place(alias.name, alias, scope)
            full = dotted(alias.name)
            if full is None:
                continue
            if alias.asname is not None and type(alias.asname.name) is cst.Name:
                name, imported = alias.asname.name.value, full
            else:
                name = imported = full.split(".", 1)[0]
            self._bind(scope, name, BindingKind.IMPORT, alias, None, imported)

    def _import_from(self, node: cst.ImportFrom, scope: Scope) -> None:
        self._place(node.module, node, scope)
        base = "." * len(node.relative) + (dotted(node.module) or "")
        if isinstance(node.names, cst.ImportStar):
            scope.star_imports.append(base)
            return
        for alias in node.names:
            self._record(alias, node, scope)
            self._place(alias.name, alias, scope)
            if type(alias.name) is not cst.Name:
                continue
            name = alias.name.value
            imported = base + name if base.endswith(".") else f"{base}.{name}"
            if alias.asname is not None and type(alias.asname.name) is cst.Name:
                name = alias.asname.name.value
            self._bind(scope, name, BindingKind.IMPORT, alias, None, imported)

    def _open(self, kind: ScopeKind, node: cst.CSTNode, outer: Scope) -> Scope:
        inner = self.inner_scopes[id(node)] = Scope(kind, node, outer)
        around: Scope | None = outer
        while around is not None and around.is_leaf:
            around.is_leaf = False
            around = around.parent
        return inner

    def _function_def(self, node: cst.FunctionDef, scope: Scope) -> None:
        self._bind(scope, node.name.value, BindingKind.FUNCTION, node)
        self._place(node.name, node, scope)
        inner = self._open(ScopeKind.FUNCTION, node, scope)
        self._push(node.body, node, inner)
        self._push(node.returns, node, scope)
        self._bind_parameters(node.params, node, scope, inner)
        for decorator in reversed(node.decorators):
            self._push(decorator, node, scope)

    def _lambda(self, node: cst.Lambda, scope: Scope) -> None:
        inner = self._open(ScopeKind.FUNCTION, node, scope)
        self._push(node.body, node, inner)
        self._bind_parameters(node.params, node, scope, inner)

    def _bind_parameters(
        self, params: cst.Parameters, owner: cst.CSTNode, outer: Scope, inner: Scope
    ) -> None:
        self._record(params, owner, outer)
        every = [*params.posonly_params, *params.params, *params.kwonly_params]
        for extra in (params.star_arg, params.star_kwarg):
            if isinstance(extra, cst.Param):
                every.append(extra)
        for param in every:
            self._record(param, params, inner)
            self._place(param.name, param, inner)
            self._bind(inner, param.name.value, BindingKind.PARAMETER, param)
            self._push(param.default, param, outer)
            self._push(param.annotation, param, outer)

    def _class_def(self, node: cst.ClassDef, scope: Scope) -> None:
        self._bind(scope, node.name.value, BindingKind.CLASS, node)
        self._place(node.name, node, scope)
        inner = self._open(ScopeKind.CLASS, node, scope)
        self._push(node.body, node, inner)
        for argument in (*reversed(node.keywords), *reversed(node.bases)):
            self._push(argument, node, scope)
        for decorator in reversed(node.decorators):
            self._push(decorator, node, scope)

    def _comprehension(
        self,
        node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp,
        scope: Scope,
    ) -> None:
        inner = Scope(ScopeKind.COMPREHENSION, node, scope)
        self.inner_scopes[id(node)] = inner
        if isinstance(node, cst.DictComp):
            self._push(node.value, node, inner)
            self._push(node.key, node, inner)
        else:
            self._push(node.elt, node, inner)
        clause: cst.CompFor | None = node.for_in
        holder: cst.CSTNode = node
        outermost = True
        while clause is not None:
            self._record(clause, holder, inner)
            self._bind_target(clause.target, clause, inner, BindingKind.FOR, None)
            self._push(clause.iter, clause, scope if outermost else inner)
            for test in clause.ifs:
                self._push(test, clause, inner)
            outermost = False
            holder, clause = clause, clause.inner_for_in

    def _match_as(self, node: cst.MatchAs, scope: Scope) -> None:
        self._capture(node.name, node, scope)
        self._push(node.pattern, node, scope)

    def _match_star(self, node: cst.MatchStar, scope: Scope) -> None:
        self._capture(node.name, node, scope)

    def _match_mapping(self, node: cst.MatchMapping, scope: Scope) -> None:
        self._capture(node.rest, node, scope)
        for element in reversed(node.elements):
            self._push(element, node, scope)

    def _capture(self, name: cst.Name | None, node: cst.CSTNode, scope: Scope) -> None:
        if name is not None:
            self._bind_target(name, node, scope, BindingKind.MATCH, None)

    def _match_class(self, node: cst.MatchClass, scope: Scope) -> None:
        for keyword in reversed(node.kwds):
            self._record(keyword, node, scope)
            self._push(keyword.pattern, keyword, scope)
        for pattern in reversed(node.patterns):
            self._push(pattern, node, scope)
        self._push(node.cls, node, scope)


_HANDLERS: dict[type, Callable[..., None]] = {
    cst.Assign: Binder._assign,
    cst.AnnAssign: Binder._ann_assign,
    cst.AugAssign: Binder._aug_assign,
    cst.NamedExpr: Binder._named_expr,
    cst.For: Binder._for,
    cst.WithItem: Binder._with_item,
    cst.ExceptHandler: Binder._except,
    cst.ExceptStarHandler: Binder._except,
    cst.Del: Binder._del,
    cst.Global: Binder._global,
    cst.Nonlocal: Binder._nonlocal,
    cst.Import: Binder._import,
    cst.ImportFrom: Binder._import_from,
    cst.FunctionDef: Binder._function_def,
    cst.Lambda: Binder._lambda,
    cst.ClassDef: Binder._class_def,
    cst.ListComp: Binder._comprehension,
    cst.SetComp: Binder._comprehension,
    cst.GeneratorExp: Binder._comprehension,
    cst.DictComp: Binder._comprehension,
    cst.MatchAs: Binder._match_as,
    cst.MatchStar: Binder._match_star,
    cst.MatchMapping: Binder._match_mapping,
    cst.MatchClass: Binder._match_class,
}
if hasattr(cst, "LazyImport"):
    _HANDLERS[cst.LazyImport] = Binder._import
    _HANDLERS[cst.LazyImportFrom] = Binder._import_from
