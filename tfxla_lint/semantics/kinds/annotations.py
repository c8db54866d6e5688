"""What annotations and base classes say of values."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.syntax import is_none
from tfxla_lint.semantics.values import (
    UNKNOWN,
    Kind,
    Value,
    list_of,
)


def role_of(names: Iterable[str]) -> Kind | None:
    """The kind of the instances of a class derived from one of these."""
    for name in names:
        if name in api.ROLES:
            return api.ROLES[name]
        kind = api.result_of(name).kind
        if kind in (Kind.LAYER, Kind.MODEL, Kind.OPTIMIZER, Kind.LOSS, Kind.METRIC, Kind.SCHEDULE):
            return kind
        if kind in (Kind.CALLBACK, Kind.INITIALIZER):
            return kind
    return None


def annotation(evaluator: Evaluator, node: cst.CSTNode) -> Value:
    """What a type annotation says of a value."""
    for name in evaluator.names.of(node):
        row = behaviour.of(name)
        if Trait.ANNOTATION in row.words:
            kind = api.kind_of(row)
            through = Value(api.kind_named(row.of)) if kind is Kind.ITERATOR else None
            return Value(kind, receiver=through)
    if isinstance(node, cst.Name):
        for binding in evaluator.binder.scope(node).lookup(node.value):
            info = evaluator.units.class_of(binding.node)
            if info is not None:
                return evaluator.instance(info)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        sides = [annotation(evaluator, side) for side in (node.left, node.right)]
        absent = [is_none(side) for side in (node.left, node.right)]
        if any(absent):
            return sides[absent.index(False)]._replace(maybe_none=True)
    if isinstance(node, cst.Subscript) and isinstance(node.slice[0].slice, cst.Index):
        return _generic(evaluator, node, node.slice[0].slice.value)
    return UNKNOWN


def _generic(evaluator: Evaluator, node: cst.Subscript, first: cst.BaseExpression) -> Value:
    """`Optional[X]`, `List[X]`, `Iterable[X]`, `Generator[X, None, None]`."""
    for name in evaluator.names.of(node.value):
        kind = api.kind_of(behaviour.of(name))
        if kind is Kind.ITERATOR:
            return Value(kind, item=annotation(evaluator, first))
        if kind is Kind.LIST and len(node.slice) == 1:
            return list_of(annotation(evaluator, first))
        if name == "typing.Optional" and len(node.slice) == 1:
            return annotation(evaluator, first)._replace(maybe_none=True)
    return UNKNOWN
