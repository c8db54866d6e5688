"""What annotations and base classes say of values."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.kinds.evaluator import Evaluator
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
        if name in behaviour.names(Trait.ANNOTATION):
            return Value(api.kind_of(behaviour.of(name)))
    if isinstance(node, cst.Name):
        for binding in evaluator.binder.scope(node).lookup(node.value):
            info = evaluator.units.class_of(binding.node)
            if info is not None:
                return evaluator.instance(info)
    if isinstance(node, cst.Subscript):
        outer = evaluator.names.of(node.value)
        if outer & {"typing.Optional"} and len(node.slice) == 1:
            inner = node.slice[0].slice
            if isinstance(inner, cst.Index):
                return annotation(evaluator, inner.value)._replace(maybe_none=True)
        if outer & {"typing.List", "builtins.list", "typing.Sequence"} and len(node.slice) == 1:
            inner = node.slice[0].slice
            if isinstance(inner, cst.Index):
                return list_of(annotation(evaluator, inner.value))
    return UNKNOWN
