"""The scan of a stretch of code for what keeps it from being traced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import libcst as cst

from tfxla_lint.semantics.autograph.parts import gone_through, judged
from tfxla_lint.semantics.safety import calls
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.hidden_calls import hidden_units, is_looked_up
from tfxla_lint.semantics.safety.state import MUTATING
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import is_self, target_names, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import TENSOR_LIKE, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel
    from tfxla_lint.semantics.safety.verdict import Safety

_CONTAINERS = frozenset({Kind.LIST, Kind.DICT, Kind.NDARRAY})
_LASTING = frozenset(
    {Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC, Kind.LOSS, Kind.VARIABLE, Kind.FUNCTION,
     Kind.TRACED, Kind.CLASS, Kind.METHOD, Kind.MODULE, Kind.INITIALIZER, Kind.SCHEDULE,
     Kind.STRATEGY, Kind.GENERATOR}
)  # fmt: skip
_DECIDED = frozenset(
    {Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.STRING, Kind.NONE, Kind.LIST, Kind.TUPLE, Kind.DICT,
     Kind.SHAPE, Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.FUNCTION, Kind.OBJECT}
)  # fmt: skip

#: What a method calls that an attribute holds: a trace keeps calling the first.
_CALLED = frozenset({Kind.MODEL, Kind.MODULE})


class Scan:
    """Reads statements of `unit` that are to be traced together.

    `local_names` are the names that the statements bind themselves; `passed_names` those that the
    traced function gets as arguments: neither is outer state.
    """

    def __init__(
        self,
        safety: Safety,
        unit: Unit,
        nodes: Iterable[cst.CSTNode],
        *,
        local_names: set[str],
        passed_names: set[str],
        is_region: bool,
    ) -> None:
        self.safety = safety
        self.model: SemanticModel = safety.model
        self.unit = unit
        self.nodes = list(nodes)
        self.local_names = local_names
        self.passed_names = passed_names
        self.is_region = is_region
        self.blockers: list[Blocker] = []

    def run(self) -> list[Blocker]:
        """All blockers, in document order."""
        for root in self.nodes:
            for node in walk(root):
                handler = _HANDLERS.get(type(node))
                if handler is not None:
                    handler(self, node)
                self._hidden(node)
        return self.blockers

    def _hidden(self, node: cst.CSTNode) -> None:
        """What runs without a call: properties, and what operators mean to first-party classes."""
        for unit in hidden_units(self.model, node):
            inner = self.safety.callee_blockers(unit)
            if inner:
                message = f"runs `{unit.name}`, and that {inner[0].message}"
                self.blockers.append(Blocker(inner[0].reason, node, message, inner[0].of_unknown))
                return

    def block(self, reason: Reason, node: cst.CSTNode, message: str) -> None:
        """Note a blocker."""
        self.blockers.append(Blocker(reason, node, message))

    def doubt(self, node: cst.CSTNode, message: str) -> None:
        """Note code that a trace gets wrong if what it depends on is a tensor, which is not known."""
        self.blockers.append(Blocker(Reason.AUTOGRAPH, node, message, of_unknown=True))

    def in_tensor_loop(self, node: cst.CSTNode) -> bool:
        """Whether a loop of the scanned code around `node` runs over a tensor or dataset."""
        for ancestor in self.model.ancestors(node):
            if ancestor in self.nodes:
                break
            if isinstance(ancestor, cst.For):
                if self.model.value(ancestor.iter).kind in (*TENSOR_LIKE, Kind.DATASET):
                    return True
            elif isinstance(ancestor, cst.While):
                if self.model.value(ancestor.test).is_tensor:
                    return True
        return False

    # Handlers

    def _call(self, node: cst.Call) -> None:
        blocker = calls.check(self, node)
        if blocker is not None:
            self.blockers.append(blocker)

    def _assigned(self, target: cst.CSTNode) -> None:
        if isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self._assigned(element.value)
        elif isinstance(target, cst.Attribute):
            self.block(Reason.SIDE_EFFECT, target, f"sets the attribute `{target.attr.value}`")
        elif isinstance(target, cst.Subscript):
            holder = target.value
            kind = self.model.value(holder).kind
            local = isinstance(holder, cst.Name) and holder.value in self.local_names
            if not local or kind not in (Kind.LIST, Kind.DICT):
                self.block(Reason.SIDE_EFFECT, target, "stores into an array or container")
            elif calls.below_tensor_test(self.model, target):
                self.block(Reason.AUTOGRAPH, target, "fills a container where a tensor decides")

    def _assign_target(self, node: cst.AssignTarget) -> None:
        self._assigned(node.target)

    def _aug_assign(self, node: cst.AugAssign) -> None:
        self._assigned(node.target)

    def _ann_assign(self, node: cst.AnnAssign) -> None:
        self._assigned(node.target)

    def _global(self, node: cst.CSTNode) -> None:
        self.block(Reason.SIDE_EFFECT, node, "rebinds an outer name")

    def _try(self, node: cst.CSTNode) -> None:
        self.block(Reason.AUTOGRAPH, node, "catches exceptions, which a trace does not raise")

    def _raise(self, node: cst.Raise) -> None:
        """Below a test that Python decides it does what it does eagerly, while tracing.

        Where nothing decides, the code may be there to be overridden by what is not seen.
        """
        tests: list[cst.BaseExpression] = []
        for ancestor in self.model.ancestors(node):
            if isinstance(ancestor, (cst.FunctionDef, cst.Lambda)):
                break
            if isinstance(ancestor, (cst.If, cst.While)):
                tests += judged(ancestor.test)
        if not tests or any(self.model.value(test).kind in TENSOR_LIKE for test in tests):
            self.doubt(node, "raises an exception")

    def _assert(self, node: cst.Assert) -> None:
        if not self.model.value(node.test).is_python_scalar and not _compares_shapes(node.test):
            self.doubt(node, "asserts on a value that may be a tensor")

    def _generator(self, node: cst.CSTNode) -> None:
        self.block(Reason.GENERATOR, node, "yields or awaits")

    def _test(self, node: cst.If | cst.While | cst.IfExp | cst.CompIf) -> None:
        for part in judged(node.test):
            if not isinstance(node, cst.If) or not self._only_acts(node, part):
                self._judge(part)

    def _only_acts(self, node: cst.If, test: cst.BaseExpression) -> bool:
        """Whether all that depends on a tensor is which ops on variables run.

        AutoGraph makes a `tf.cond` of it that yields nothing, so that nothing can be undefined
        afterwards or differ in dtype between the branches.
        """
        branches = [node.body, *([node.orelse] if node.orelse is not None else [])]
        leaving = (cst.Return, cst.Break, cst.Continue)
        return (
            self.model.value(test).kind in TENSOR_LIKE
            and not self._asks_members(test)
            and not bound_names(branches)
            and not any(isinstance(n, leaving) for branch in branches for n in walk(branch))
        )

    def _judge(self, test: cst.BaseExpression) -> None:
        value = self.model.value(test)
        if value.kind in TENSOR_LIKE:
            # AutoGraph converts it, unless the branches do not agree.
            self.doubt(test, "branches on a tensor")
        elif self._asks_members(test):
            self.block(Reason.AUTOGRAPH, test, "looks for a tensor by `in`")
        elif value.kind not in _DECIDED and not (
            self._is_flag(test) or _compares_shapes(test) or _compares_setting(test)
        ):
            self.doubt(test, "branches on a value that may be a tensor")

    def _is_flag(self, test: cst.CSTNode) -> bool:
        return isinstance(test, cst.Name) and test.value in ("training", "is_training")

    def _asks_members(self, test: cst.CSTNode) -> bool:
        """Whether a comparison asks `in` of a tensor, or whether a tensor is in something."""
        if not isinstance(test, cst.Comparison):
            return False
        sides = [test.left, *(target.comparator for target in test.comparisons)]
        asks = any(isinstance(t.operator, (cst.In, cst.NotIn)) for t in test.comparisons)
        return asks and any(self.model.value(side).kind in TENSOR_LIKE for side in sides)

    def _boolean(self, node: cst.BooleanOperation) -> None:
        """`x or default` outside of a test gives one of its sides, and a trace both."""
        if any(self.model.value(part).kind in TENSOR_LIKE for part in judged(node)):
            self.block(Reason.AUTOGRAPH, node, "chooses by the truth of a tensor")

    def _match(self, node: cst.Match) -> None:
        if self.model.value(node.subject).kind in (*TENSOR_LIKE, Kind.UNKNOWN):
            self.doubt(node.subject, "matches a value that may be a tensor")

    def _subscript(self, node: cst.Subscript) -> None:
        """A Python list or NumPy array indexed by a tensor."""
        if self.model.value(node.value).kind not in _CONTAINERS:
            return
        for element in node.slice:
            index = element.slice
            if isinstance(index, cst.Index) and self.model.value(index.value).kind in TENSOR_LIKE:
                self.block(Reason.AUTOGRAPH, node, "indexes a Python container by a tensor")

    def _starred(self, node: cst.StarredElement) -> None:
        if self.model.value(node.value).kind in TENSOR_LIKE and not self._is_unpacked_to(node):
            self.block(Reason.AUTOGRAPH, node.value, "unpacks a tensor")

    def _is_unpacked_to(self, node: cst.CSTNode) -> bool:
        holder = self.model.parent(node)
        return isinstance(self.model.parent(holder) if holder else None, cst.AssignTarget)

    def _assign(self, node: cst.Assign) -> None:
        """A row of a tensor unpacked; what a model gives may as well be a tuple."""
        value = self.model.value(node.value)
        if value.kind in TENSOR_LIKE and (value.dtype is not None or value.shape is not None):
            if any(isinstance(target.target, (cst.Tuple, cst.List)) for target in node.targets):
                self.block(Reason.AUTOGRAPH, node.value, "unpacks a tensor")

    def _may_hide_tensor(self, node: cst.BaseExpression) -> bool:
        """Whether nothing is known of a parameter, which may be passed a tensor."""
        if self.model.value(node).kind is not Kind.UNKNOWN or not isinstance(node, cst.Name):
            return False
        bindings = self.model.binder.scope(node).lookup(node.value)
        return any(binding.kind is BindingKind.PARAMETER for binding in bindings)

    def _for(self, node: cst.For) -> None:
        if node.asynchronous is not None:
            self.block(Reason.GENERATOR, node, "awaits")
        value = self.model.value(node.iter)
        if value.kind in TENSOR_LIKE or value.kind is Kind.DATASET:
            self.block(Reason.AUTOGRAPH, node.iter, "loops over a tensor or dataset")
        elif value.kind is Kind.UNKNOWN:
            self.doubt(node.iter, "loops over a value that may be a tensor")
        elif isinstance(node.iter, cst.Call):
            name = self.model.names.one(node.iter.func) or ""
            if any(self._may_hide_tensor(part) for part in gone_through(name, node.iter)):
                self.doubt(node.iter, "loops over a value that may be a tensor")

    def _comp_for(self, node: cst.CompFor) -> None:
        if self.model.value(node.iter).kind in (*TENSOR_LIKE, Kind.DATASET):
            self.block(Reason.AUTOGRAPH, node.iter, "iterates over a tensor in a comprehension")
        elif self._may_hide_tensor(node.iter):
            message = "iterates over a value that may be a tensor in a comprehension"
            self.doubt(node.iter, message)

    def _formatted(self, node: cst.FormattedStringExpression) -> None:
        if self.model.value(node.expression).kind in TENSOR_LIKE:
            self.block(Reason.AUTOGRAPH, node.expression, "formats a tensor as text")

    def _binary(self, node: cst.BinaryOperation) -> None:
        if isinstance(node.operator, cst.Modulo):
            if self.model.value(node.left).kind is Kind.STRING:
                value = self.model.value(node.right)
                if any(part.kind in TENSOR_LIKE for part in (value, *(value.elements or ()))):
                    self.block(Reason.AUTOGRAPH, node, "formats a tensor as text")

    def _with(self, node: cst.With) -> None:
        for item in node.items:
            kind = self.model.value(item.item).kind
            if kind in (Kind.METHOD, Kind.TAPE, Kind.CONTEXT, Kind.WRITER):
                continue
            if not isinstance(item.item, cst.Call):
                self.block(
                    Reason.UNRESOLVED_CALL, item.item, "enters a context that is not known here"
                )

    def _return(self, node: cst.Return) -> None:
        if self.is_region and self._belongs_to_unit(node):
            self.block(Reason.CONTROL, node, "returns from the enclosing function")

    def _jump(self, node: cst.CSTNode) -> None:
        if not self.is_region:
            return
        for ancestor in self.model.ancestors(node):
            if isinstance(ancestor, (cst.For, cst.While)):
                return
            if ancestor in self.nodes:
                break
        self.block(Reason.CONTROL, node, "leaves the loop body")

    def _belongs_to_unit(self, node: cst.CSTNode) -> bool:
        return self.model.unit(node) is self.unit

    def _name(self, node: cst.Name) -> None:
        name = node.value
        if name in self.local_names or name in self.passed_names or self._is_label(node):
            return
        scope = self.model.binder.scope(node)
        home = scope.home(name)
        if home is None or self._is_inner(home.node):
            return
        value = self.model.value(node)
        state = self.safety.state
        if self.is_region and home is self.unit.scope:
            # What the loop rebinds is passed; the rest can change only from another function.
            changes = state.is_set_elsewhere(name, scope)
        else:
            changes = state.name_changes(name, scope)
        if changes:
            self.block(Reason.CHANGING_STATE, node, f"reads `{name}`, which is rebound elsewhere")
        elif self._is_changed_here(node):
            return
        elif (
            value.kind in (*_CONTAINERS, Kind.UNKNOWN) and state.is_mutated(name, scope)
        ) or state.is_partial_of_mutated(name, scope):
            self.block(
                Reason.CHANGING_STATE, node, f"reads `{name}`, which is changed in place elsewhere"
            )

    def _is_label(self, node: cst.Name) -> bool:
        """Whether a name is that of an attribute or a keyword, and stands for no variable."""
        parent = self.model.parent(node)
        if isinstance(parent, cst.Attribute):
            return parent.attr is node
        return isinstance(parent, cst.Arg) and parent.keyword is node

    def _is_changed_here(self, node: cst.Name) -> bool:
        """Whether this read is the change itself (`names.append(x)`), which is said already."""
        holder = self.model.parent(node)
        call = self.model.parent(holder) if isinstance(holder, cst.Attribute) else None
        if not isinstance(call, cst.Call) or not isinstance(holder, cst.Attribute):
            return False
        return call.func is holder and holder.attr.value in MUTATING

    def _is_inner(self, owner: cst.CSTNode) -> bool:
        """Whether a scope opens inside of the scanned code."""
        if owner is self.unit.node:
            return not self.is_region
        return any(a in self.nodes for a in (owner, *self.model.ancestors(owner)))

    def _attribute(self, node: cst.Attribute) -> None:
        if self.model.names.of(node):
            return
        value = self.model.value(node)
        parent = self.model.parent(node)
        if isinstance(parent, cst.Call) and parent.func is node and value.kind not in _CALLED:
            return
        if value.kind in _LASTING and value.kind is not Kind.METHOD:
            if value.kind not in (*_CALLED, Kind.OPTIMIZER):
                return
        if self._is_target(node):
            return
        if is_looked_up(self.model, node):
            self.block(Reason.UNRESOLVED_CALL, node, f"looks up `{node.attr.value}` when it runs")
        if self.safety.state.attribute_changes(node):
            self.block(
                Reason.CHANGING_STATE,
                node,
                f"reads the attribute `{node.attr.value}`, which is set elsewhere",
            )

    def _is_target(self, node: cst.CSTNode) -> bool:
        parent = self.model.parent(node)
        return isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign))


def _compares_shapes(test: cst.BaseExpression) -> bool:
    """Whether a test compares static shapes, which are Python objects of tensors and arrays alike."""
    if not isinstance(test, cst.Comparison):
        return False
    sides = (test.left, *(target.comparator for target in test.comparisons))
    return all(
        isinstance(side, cst.Attribute) and side.attr.value in ("shape", "ndim") for side in sides
    )


def _compares_setting(test: cst.BaseExpression) -> bool:
    """Whether a test compares what `self` holds with texts: `self.mode == "batch"`."""
    if not isinstance(test, cst.Comparison):
        return False
    holder = test.left
    while isinstance(holder, cst.Attribute):
        holder = holder.value
    is_own = holder is not test.left and is_self(holder)
    return is_own and all(isinstance(t.comparator, cst.SimpleString) for t in test.comparisons)


def bound_names(nodes: Iterable[cst.CSTNode]) -> set[str]:
    """The names that statements bind in their own scope."""
    found: set[str] = set()
    for root in nodes:
        for node in walk(root, into_scopes=False):
            found.update(_bound_by(node))
    return found


def _bound_by(node: cst.CSTNode) -> list[str]:
    if isinstance(node, cst.AssignTarget):
        return target_names(node.target)
    if isinstance(node, (cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr)):
        return target_names(node.target)
    if isinstance(node, cst.WithItem) and node.asname is not None:
        return target_names(node.asname.name)
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return [node.name.value]
    if isinstance(node, cst.ExceptHandler) and node.name is not None:
        return target_names(node.name.name)
    return []


def leaves(value: Value) -> Iterable[Value]:
    """The members of a structure, through tuples, lists and dicts."""
    if value.kind in (Kind.TUPLE, Kind.LIST, Kind.DICT):
        if value.elements is not None:
            for element in value.elements:
                yield from leaves(element)
            return
        if value.item is not None:
            yield from leaves(value.item)
            return
    yield value


_HANDLERS: dict[type, Callable[[Scan, Any], None]] = {
    cst.Call: Scan._call,
    cst.AssignTarget: Scan._assign_target,
    cst.AugAssign: Scan._aug_assign,
    cst.AnnAssign: Scan._ann_assign,
    cst.Global: Scan._global,
    cst.Nonlocal: Scan._global,
    cst.Try: Scan._try,
    cst.TryStar: Scan._try,
    cst.Raise: Scan._raise,
    cst.Assert: Scan._assert,
    cst.Yield: Scan._generator,
    cst.Await: Scan._generator,
    cst.If: Scan._test,
    cst.While: Scan._test,
    cst.IfExp: Scan._test,
    cst.CompIf: Scan._test,
    cst.BooleanOperation: Scan._boolean,
    cst.BinaryOperation: Scan._binary,
    cst.Match: Scan._match,
    cst.StarredElement: Scan._starred,
    cst.Subscript: Scan._subscript,
    cst.Assign: Scan._assign,
    cst.For: Scan._for,
    cst.CompFor: Scan._comp_for,
    cst.FormattedStringExpression: Scan._formatted,
    cst.With: Scan._with,
    cst.Return: Scan._return,
    cst.Break: Scan._jump,
    cst.Continue: Scan._jump,
    cst.Name: Scan._name,
    cst.Attribute: Scan._attribute,
}
