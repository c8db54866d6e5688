"""The flow of some modules at once: what every question about order, calls and origins is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import libcst as cst

from tfxla_lint.project.layout import Place
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.first_party import Member
from tfxla_lint.semantics.flow.attributes import Attributes
from tfxla_lint.semantics.flow.calls import Calls, handed_over
from tfxla_lint.semantics.flow.changes import Changes
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.flow.graph import FlowGraph
from tfxla_lint.semantics.flow.latest import Latest
from tfxla_lint.semantics.flow.liveness import Liveness
from tfxla_lint.semantics.flow.outside import Outside
from tfxla_lint.semantics.flow.reaching import Reached, Reaching
from tfxla_lint.semantics.flow.sparse import Sparse
from tfxla_lint.semantics.flow.unpacking import member, taken
from tfxla_lint.semantics.flow.uses import Reads, running_scope
from tfxla_lint.semantics.flow.visibility import Visibility
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import UNKNOWN, Value


class Flow:
    """Built once for the modules that are analysed together; its parts when first asked for."""

    def __init__(self, binders: Sequence[Binder], evaluate: Callable[[], Evaluator]) -> None:
        self._binders = binders
        self._evaluate = evaluate
        self._homes = {id(binder.module_scope): binder for binder in binders}
        self._graphs: dict[int, FlowGraph] = {}
        self._reads: dict[int, Reads] = {}
        self._sparse: dict[int, Sparse] = {}
        self._readers: dict[tuple[int, str], dict[int, list[cst.Name]]] = {}
        self._liveness: dict[int, Liveness] = {}
        self._reaching: dict[int, Reaching] = {}
        self._returns: dict[int, list[cst.BaseExpression | None]] = {}

    @cached_property
    def calls(self) -> Calls:
        """Who runs whom, with what."""
        evaluator = self._evaluate()
        handed = handed_over(evaluator.uses.values(), evaluator.units)
        return Calls(self._binders, evaluator.units, evaluator.callees, handed)

    @cached_property
    def attributes(self) -> Attributes:
        """Where attributes are written and read."""
        return Attributes(self._binders, self.value)

    @cached_property
    def latest(self) -> Latest:
        """Which writes of a function its own reads of attributes see."""
        return Latest(self)

    @cached_property
    def _outside(self) -> Outside:
        return Outside(self._binders, self.names, self.attributes)

    def graph(self, scope: Scope) -> FlowGraph:
        """The flow graph of a function's, a class body's or a module's own code."""
        known = self._graphs.get(id(scope))
        if known is None:
            known = self._graphs[id(scope)] = FlowGraph(self._home(scope), scope, self._suppresses)
        return known

    def liveness(self, scope: Scope) -> Liveness:
        """Which names of a scope are alive where."""
        known = self._liveness.get(id(scope))
        if known is None:
            binder = self._home(scope)
            shown = self._outside.reads(scope)
            known = Liveness(binder, self.graph(scope), self._reads_of(binder), shown)
            self._liveness[id(scope)] = known
        return known

    def reaching(self, scope: Scope) -> Reaching:
        """Which bindings of a scope's names are in force where."""
        known = self._reaching.get(id(scope))
        if known is None:
            home, graph = self._home(scope), self.graph(scope)
            known = self._reaching[id(scope)] = Reaching(home, graph, self.sparse(scope))
        return known

    def sparse(self, scope: Scope) -> Sparse:
        """Answers questions of which few points of a scope's code know something."""
        known = self._sparse.get(id(scope))
        if known is None:
            known = self._sparse[id(scope)] = Sparse(self.graph(scope))
        return known

    def reached(self, name: cst.Name) -> Reached:
        """The bindings that a read of a name may see.

        Of an outer name (a global, a closure's) those that may be in force whenever the code that
        reads it runs.
        """
        here = self.binder.scope(name)
        home = here.home(name.value)
        if home is None:
            return Reached((), True)
        if home is running_scope(here):
            return self.reaching(home).before(name.value, name)
        return self._visibility.outer(name.value, here, home)

    @cached_property
    def changes(self) -> Changes:
        """What changes between two runs of a read."""
        return Changes(self.graph, self.scope, self._visibility.points)

    def runs_unseen(self, unit: Unit) -> bool:
        """Whether code that is not seen may call a method: Python itself, or a library."""
        return self._visibility.runs_unseen(unit)

    @cached_property
    def _visibility(self) -> Visibility:
        return Visibility(self)

    def unit(self, scope: Scope) -> Unit | None:
        """The function that a scope is the inside of."""
        return self._evaluate().units.of(scope.node)

    def scope(self, node: cst.CSTNode) -> Scope:
        """The scope in which a node is evaluated."""
        return self.binder.scope(node)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that holds a node."""
        return self.binder.parent(node)

    def reads(self, home: Scope, name: str) -> list[cst.Name]:
        """The reads, in its own module, of a name that a scope binds."""
        return self._reads_of(self._home(home)).named(home, name)

    def readers(self, binding: Binding) -> list[cst.Name]:
        """The reads by the code of the binding's own scope that may see it."""
        home, name = binding.scope, binding.name
        known = self._readers.get((id(home), name))
        if known is None:
            known = self._readers[id(home), name] = {}
            for read in self.reads(home, name):
                if running_scope(self.binder.scope(read)) is home:
                    for seen in self.reached(read).bindings:
                        known.setdefault(id(seen), []).append(read)
        return known.get(id(binding), [])

    def bound_in(self, scope: Scope, name: str, root: cst.CSTNode) -> list[Binding]:
        """The bindings of a name of `scope` that stand in a statement or block."""
        bindings = scope.bindings.get(name, ())
        return [b for b in bindings if self.graph(scope).holds(root, b.node)]

    def reached_at(self, name: cst.Name, node: cst.CSTNode) -> Reached:
        """As `reached`, for a local name as a read of it just before `node` would see it."""
        here = self.binder.scope(name)
        home = here.home(name.value)
        if home is None or home is not running_scope(self.binder.scope(node)):
            return Reached((), True)
        return self.reaching(home).before(name.value, node)

    def always_before(self, first: cst.CSTNode, then: cst.CSTNode) -> bool:
        """Whether all ways to a node lead past another one; both are to stand in the same scope."""
        scope = running_scope(self.scope(first))
        if scope is not running_scope(self.scope(then)):
            return False
        return self.reaching(scope).always_before(first, then)

    def given(self, binding: Binding | None) -> cst.BaseExpression | None:
        """The one expression whose value a binding surely gets, also where it is unpacked."""
        return member(self.binder, binding) if binding is not None else None

    def source(self, binding: Binding) -> cst.BaseExpression | None:
        """The expression that a binding takes its value from, or a member of its value."""
        found = taken(self.binder, binding)
        member = self.given(binding)
        return member if member is not None else found.node if found is not None else None

    @property
    def binder(self) -> Binder:
        """What knows the parents and scopes of the nodes of all modules."""
        return self._binders[0]

    def value(self, node: cst.CSTNode) -> Value:
        """What an expression can be."""
        return self._evaluate().values.get(id(node), UNKNOWN)

    def returns(self, unit: Unit) -> list[cst.BaseExpression | None]:
        """What the calls of a function can give; None for what is not written out."""
        known = self._returns.get(id(unit))
        if known is None:
            known = self._returns[id(unit)] = _returns(unit)
        return known

    def elsewhere(self, member: Member | Place | None) -> tuple[Binding, ...]:
        """What another module of the project has bound to a name when its import is over.

        A module that hands on what it imports is looked through; what two of them only have from each other
        is nothing.
        """
        followed = closure(self._left(member), self._handed_on)
        return tuple(binding for binding in followed if not self._handed_on(binding))

    def _left(self, member: Member | Place | None) -> list[Binding]:
        if not isinstance(member, Member):
            return []
        left = self.reaching(member.scope).at_end(member.name).bindings
        return [binding for binding in left if not binding.is_of_main]

    def _handed_on(self, binding: Binding) -> list[Binding]:
        is_import = binding.kind is BindingKind.IMPORT
        return self._left(self.names.target(binding)) if is_import else []

    def starred(self, name: cst.Name) -> tuple[Binding, ...]:
        """What `from module import *` gives for a name that nothing in its module binds."""
        scope = self.scope(name)
        is_bound = scope.home(name.value) is not None
        return () if is_bound else self.elsewhere(self.names.starred(name.value, scope))

    @property
    def names(self) -> Names:
        """What expressions stand for by name."""
        return self._evaluate().names

    def _home(self, scope: Scope) -> Binder:
        return self._homes[id(scope.module)]

    def _reads_of(self, binder: Binder) -> Reads:
        known = self._reads.get(id(binder))
        if known is None:
            known = self._reads[id(binder)] = Reads(binder)
        return known

    def _suppresses(self, node: cst.With) -> bool:
        """Whether a `with` may end on an exception without handing it on."""
        return any(
            isinstance(item.item, cst.Call)
            and "contextlib.suppress" in self.names.of(item.item.func)
            for item in node.items
        )


def _returns(unit: Unit) -> list[cst.BaseExpression | None]:
    if isinstance(unit.node, cst.Lambda):
        return [unit.node.body]
    if unit.is_generator or unit.is_async:
        return [None]
    return [node.value for node in unit.own(cst.Return)] or [None]
