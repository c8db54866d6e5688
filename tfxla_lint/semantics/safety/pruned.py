"""What a graph leaves out though eager code runs it: operations on whose values nothing depends.

With them goes what they would have raised, such as for an index that is out of range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.safety.consumed import Asked, Consumption
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.units import Unit

_CHECKING = behaviour.names(Trait.CHECKS)
_TENSORS = frozenset({Kind.TENSOR, Kind.VARIABLE, Kind.UNKNOWN, Kind.TENSOR_ARRAY})
#: What changes by its methods, which a trace keeps.
_CHANGING = frozenset({Kind.VARIABLE, Kind.METRIC, Kind.OPTIMIZER, Kind.GENERATOR})
_COMPUTING = frozenset({Kind.MODEL, Kind.LAYER, Kind.LOSS, Kind.TENSOR, Kind.TENSOR_ARRAY})
#: Of these no part raises if the whole does not.
_ARITHMETIC = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.AugAssign)
#: What fits, and takes all values, if its gradient does.
_FITTING = (
    behaviour.names(Trait.EVEN) | behaviour.names(Trait.SHARP) | behaviour.elementwise()
    | behaviour.names(Trait.ADDS) | behaviour.names(Trait.MULTIPLIES) | behaviour.names(Trait.RAISES)
    | behaviour.names(Trait.DIVIDES) | behaviour.names(Trait.MIXES)
    | behaviour.names(Trait.GIVES_SHARES) | behaviour.names(behaviour.Shape.REDUCE)
)  # fmt: skip


def pruned(
    model: Answers, roots: Sequence[cst.CSTNode], consumption: Consumption
) -> Iterator[tuple[cst.CSTNode, str]]:
    """What of some code a graph may leave out, with the words for it."""
    for node in (node for root in roots for node in walk(root)):
        if isinstance(node, cst.Expr):
            if _is_dropped(model, node):
                yield node, f"nothing takes what `{_head(model, node.value)}` gives"
        elif isinstance(node, (cst.BaseExpression, cst.AugAssign)) and _computes(model, node):
            asked = consumption.of(node)
            if asked is Asked.NOT or not _may_do_with(model, node, asked):
                yield node, f"not on all ways is it asked what `{_head(model, node)}` gives"


def _head(model: Answers, node: cst.CSTNode) -> str:
    if isinstance(node, cst.AugAssign):
        node = node.target
    return model.code(node.func if isinstance(node, cst.Call) else node)


def _may_do_with(model: Answers, node: cst.BaseExpression | cst.AugAssign, asked: Asked) -> bool:
    """Whether nothing is raised in eager code alone where a value is only used so far."""
    if asked is Asked.ALL:
        return True
    if isinstance(node, _ARITHMETIC):
        return asked is Asked.BY_GRADIENT
    if not isinstance(node, cst.Call):
        return False
    names = model.names.of(node.func)
    if asked is Asked.IN_PART:
        # One operation, or one run of a model, gives all members.
        return not model.calls.at(node)
    return names <= _FITTING if names else not model.calls.at(node)


def _computes(model: Answers, node: cst.BaseExpression | cst.AugAssign) -> bool:
    """Whether an expression runs an operation, which might raise."""
    if isinstance(node, cst.Call):
        return _is_run(model, node) and not isinstance(model.parent(node), cst.Expr)
    if isinstance(node, cst.AugAssign):
        return model.value(node.target).kind in _TENSORS
    if isinstance(node, cst.Subscript):
        is_read = not isinstance(model.parent(node), (cst.AssignTarget, cst.Del))
        return is_read and model.value(node.value).kind in _TENSORS
    if isinstance(node, cst.BinaryOperation):
        return any(model.value(side).kind in _TENSORS for side in (node.left, node.right))
    if isinstance(node, cst.UnaryOperation):
        return model.value(node.expression).kind in _TENSORS
    if isinstance(node, cst.Comparison):
        sides = (node.left, *(target.comparator for target in node.comparisons))
        is_told = any(
            isinstance(t.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)) for t in node.comparisons
        )
        return not is_told and any(model.value(side).kind in _TENSORS for side in sides)
    return False


def _computes_within(model: Answers, node: cst.BaseExpression) -> bool:
    parts = (part for part in walk(node) if isinstance(part, cst.BaseExpression))
    return any(_computes(model, part) for part in parts)


def _is_run(model: Answers, call: cst.Call) -> bool:
    """Whether a call runs operations for what it gives back."""
    names = model.names.of(call.func)
    if names:
        if names <= _CHECKING:
            return False
        kind = model.value(call).kind
        is_giving = kind in _TENSORS or kind in (Kind.LIST, Kind.TUPLE)
        return is_giving and any(map(api.is_tensorflow, names))
    if model.calls.at(call):
        return any(_gives_any(model, edge.callee) for edge in model.calls.at(call))
    holder = model.value(call.func).holder.kind
    return holder in _COMPUTING or (holder is Kind.TAPE and _is_asking(call))


def _is_asking(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value != "watch"


def _gives_any(model: Answers, unit: Unit) -> bool:
    return any(
        given is None or model.value(given).kind is not Kind.NONE
        for given in model.flow.returns(unit)
    )


def _is_dropped(model: Answers, line: cst.Expr) -> bool:
    """Whether a statement computes tensors and does nothing with them."""
    node = line.value
    if not isinstance(node, cst.Call):
        return _computes_within(model, node)
    edges = model.calls.at(node)
    if edges:
        return any(_gives_more(model, edge.callee) for edge in edges)
    value = model.value(node.func)
    if value.kind in _CHANGING or (
        value.receiver is not None and value.receiver.kind in (*_CHANGING, Kind.TAPE)
    ):
        return False
    return model.value(node).kind is Kind.TENSOR


def _gives_more(model: Answers, unit: Unit) -> bool:
    """Whether what a function gives back is computed for that alone."""
    returns = [given for given in model.flow.returns(unit) if given is not None]
    for given in returns:
        if _computes_within(model, given):
            return True
        for part in walk(given):
            if isinstance(part, cst.Name) and _is_computed(model, part):
                reads = unit.scope.reads.get(part.value, ())
                if all(any(r is p for n in returns for p in walk(n)) for r in reads):
                    return True
    return False


def _is_computed(model: Answers, name: cst.Name) -> bool:
    """Whether a name of the function's own holds what some statement computes."""
    scope = model.binder.scope(name)
    return any(
        binding.value is not None and _computes_within(model, binding.value)
        for binding in scope.bindings.get(name.value, ())
    )
