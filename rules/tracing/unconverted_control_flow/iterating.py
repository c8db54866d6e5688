"""Iterations over tensors that Python does itself: AutoGraph converts `for` statements only."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.parts import gone_through
from tfxla_lint.semantics.tracing.symbolic import is_symbolic

from ..shared.branch_tests import tensor_test
from ..shared.single_tensor import is_one_tensor

_COMPREHENSIONS: dict[type[cst.CSTNode], str] = {
    cst.ListComp: "a list comprehension",
    cst.SetComp: "a set comprehension",
    cst.DictComp: "a dict comprehension",
    cst.GeneratorExp: "a generator expression",
}
#: What may iterate.
ITERATING: tuple[type[cst.CSTNode], ...] = (
    *_COMPREHENSIONS, cst.Call, cst.Assign, cst.For, cst.StarredElement,
)  # fmt: skip
#: A place, words for it, and the tensor that Python would have to iterate over or to judge.
Site = tuple[cst.CSTNode, str, cst.BaseExpression]


def iterated_tensors(model: SemanticModel, node: cst.CSTNode) -> Iterator[Site]:
    """Where `node` itself makes Python go through a tensor without a value."""
    if type(node) in _COMPREHENSIONS:
        yield from _comprehension(model, node)
    elif isinstance(node, cst.Call):
        yield from _call(model, node)
    elif isinstance(node, cst.Assign):
        yield from _unpacking(model, node)
    elif isinstance(node, cst.For):
        yield from _turns(model, node)
    elif isinstance(node, cst.StarredElement):
        if is_one_tensor(model, node.value) and not _is_target(model, node):
            yield node.value, "unpacking a tensor by `*` iterates over it in Python", node.value


def _comprehension(model: SemanticModel, node: cst.CSTNode) -> Iterator[Site]:
    words = _COMPREHENSIONS[type(node)]
    clause: cst.CompFor | None = node.for_in  # type: ignore[attr-defined]
    while clause is not None:
        tensor = _gone_through(model, clause.iter)
        if tensor is not None:
            yield clause.iter, f"{words} over a tensor is not converted", tensor
        for condition in clause.ifs:
            asked = tensor_test(model, condition.test)
            if asked is not None:
                yield condition.test, f"the `if` of {words} is not converted", asked
        clause = clause.inner_for_in


def _gone_through(model: SemanticModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The tensor that iterating over an expression goes through: itself, or `range(tensor)`."""
    if is_one_tensor(model, node):
        return node
    if isinstance(node, cst.Call) and model.names.one(node.func) == "builtins.range":
        given = (argument.value for argument in node.args)
        return node if any(is_symbolic(model, value) for value in given) else None
    return None


def _call(model: SemanticModel, node: cst.Call) -> Iterator[Site]:
    for argument in node.args:
        if argument.star == "*" and is_one_tensor(model, argument.value):
            words = "unpacking a tensor by `*` iterates over it in Python"
            yield argument.value, words, argument.value
    name = model.names.one(node.func) or ""
    for value in gone_through(name, node):
        if _gone_through(model, value) is not None:
            yield value, f"`{name.rpartition('.')[2]}` over a tensor is not converted", value
            return


def _unpacking(model: SemanticModel, node: cst.Assign) -> Iterator[Site]:
    if not is_one_tensor(model, node.value):
        return
    if any(isinstance(target.target, (cst.Tuple, cst.List)) for target in node.targets):
        yield node.value, "unpacking a tensor iterates over it in Python", node.value


def _turns(model: SemanticModel, node: cst.For) -> Iterator[Site]:
    """`for a, b in pairs`: the loop is converted, but each turn unpacks a tensor."""
    if isinstance(node.target, (cst.Tuple, cst.List)) and is_one_tensor(model, node.iter):
        value = model.value(node.iter)
        if value.shape is None or len(value.shape) > 1:
            yield node.target, "unpacking a row of a tensor iterates over it in Python", node.iter


def _is_target(model: SemanticModel, node: cst.CSTNode) -> bool:
    holder = model.parent(node)
    return isinstance(model.parent(holder) if holder is not None else None, cst.AssignTarget)
