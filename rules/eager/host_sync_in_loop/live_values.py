"""Values that pass for tensors and are variables: they change after they were given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: Methods of variables whose eager result reads the variable when it is read itself.
_UPDATES = ("assign", "scatter_", "batch_scatter_")


def may_be_live(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether an expression may give a variable: an update's result, a metric of one's own."""
    return _is_live(model, node, set())


def _is_live(model: SemanticModel, node: cst.CSTNode, seen: set[int]) -> bool:
    if id(node) in seen:
        return False
    seen.add(id(node))
    if isinstance(node, cst.Call) and _gives_variable(model, node):
        return True
    return any(_is_live(model, origin, seen) for origin in _origins(model, node))


def _gives_variable(model: SemanticModel, call: cst.Call) -> bool:
    if isinstance(call.func, cst.Attribute) and call.func.attr.value.startswith(_UPDATES):
        return True
    receiver = model.value(call.func).receiver
    if receiver is None or receiver.kind is not Kind.METRIC:
        return False
    return receiver.class_ is not None


def _origins(model: SemanticModel, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The expressions one of which an expression gives as it is; what computes is none of them."""
    if isinstance(node, cst.Name):
        for binding in model.binder.scope(node).lookup(node.value):
            yield from _bound(model, binding)
    elif isinstance(node, cst.Call):
        for callee in model.callees(node):
            if callee.tracing is not None or callee.unit.tracing is not None:
                continue
            if isinstance(callee.unit.node, cst.Lambda):
                yield callee.unit.node.body
            for inner in callee.unit.nodes(into_scopes=False):
                if isinstance(inner, cst.Return) and inner.value is not None:
                    yield inner.value
    elif isinstance(node, (cst.Tuple, cst.List, cst.Dict)):
        yield from (element.value for element in node.elements)
    elif isinstance(node, cst.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, (cst.Subscript, cst.NamedExpr)):
        yield node.value


def _bound(model: SemanticModel, binding: Binding) -> Iterator[cst.BaseExpression]:
    """What a binding takes its value from, also where that is unpacked or looped over."""
    if binding.value is not None:
        yield binding.value
        return
    for ancestor in model.ancestors(binding.node):
        if isinstance(ancestor, cst.Assign):
            yield ancestor.value
            return
        if isinstance(ancestor, cst.For):
            yield ancestor.iter
            return
        if isinstance(ancestor, (cst.BaseCompoundStatement, cst.SimpleStatementLine)):
            return
