"""Targets: what an assignment binds, unpacks or stores into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from tfxla_lint.semantics.dict_keys import with_key
from tfxla_lint.semantics.kinds.evaluator import Environment, Evaluator
from tfxla_lint.semantics.kinds.iteration import item_of
from tfxla_lint.semantics.values import (
    SEQUENCES,
    UNKNOWN,
    Kind,
    Value,
    join,
    list_of,
)


def assign(
    evaluator: Evaluator, target: cst.CSTNode, value: Value, environment: Environment
) -> None:
    """Bind a target to a value."""
    if type(target) is cst.Name:
        evaluator.write(target.value, target, value, environment)
        evaluator.values[id(target)] = value
    elif type(target) is cst.Tuple or type(target) is cst.List:
        _unpack(evaluator, target.elements, value, environment)
    elif type(target) is cst.Attribute:
        _assign_attribute(evaluator, target, value, environment)
    elif type(target) is cst.Subscript:
        _store(evaluator, target, value, environment)


def _assign_attribute(
    evaluator: Evaluator, target: cst.Attribute, value: Value, environment: Environment
) -> None:
    holder = evaluator.value(target.value, environment)
    evaluator.values[id(target)] = value
    if holder.class_ is not None:
        evaluator.set_attribute(holder.class_, target.attr.value, value)
    else:
        evaluator.use(value, target, "unknown")


def _unpack(
    evaluator: Evaluator, elements: Sequence[Any], value: Value, environment: Environment
) -> None:
    value = _of_length(value, len(elements))
    if (
        value.kind in SEQUENCES
        and value.elements is not None
        and len(value.elements) == len(elements)
        and not any(isinstance(e, cst.StarredElement) for e in elements)
    ):
        for element, member in zip(elements, value.elements, strict=True):
            assign(evaluator, element.value, member, environment)
        return
    item = item_of(value)
    for element in elements:
        if isinstance(element, cst.StarredElement):
            assign(evaluator, element.value, list_of(item), environment)
        else:
            assign(evaluator, element.value, item, environment)


def _of_length(value: Value, count: int) -> Value:
    """The one of several tuples that has so many members: the others cannot be taken apart so."""
    fitting = (choice for choice in value.choices if choice.kind is Kind.TUPLE)
    return next((c for c in fitting if c.elements and len(c.elements) == count), value)


def _store(
    evaluator: Evaluator, node: cst.Subscript, value: Value, environment: Environment
) -> None:
    """Store `value` under an index."""
    container = evaluator.value(node.value, environment)
    indices = index_values(evaluator, node, environment)
    evaluator.values[id(node)] = value
    if container.kind in (Kind.LIST, Kind.DICT):
        item = value if container.item is None else join(container.item, value)
        changed = container._replace(item=item, elements=None)
        if container.kind is Kind.DICT:
            index = indices[0] if len(indices) == 1 and indices[0] is not None else UNKNOWN
            changed = with_key(container, index, value)
        if isinstance(node.value, cst.Name):
            evaluator.write(node.value.value, node.value, changed, environment)
        elif isinstance(node.value, cst.Attribute):
            owner = evaluator.value(node.value.value, environment)
            if owner.class_ is not None:
                evaluator.set_attribute(owner.class_, node.value.attr.value, changed)
    evaluator.use(value, node, "unknown")


def index_values(
    evaluator: Evaluator, node: cst.Subscript, environment: Environment
) -> list[Value | None]:
    """The values of a subscript's indices; None for slices, whose bounds are evaluated."""
    found: list[Value | None] = []
    for element in node.slice:
        part = element.slice
        if isinstance(part, cst.Index):
            found.append(evaluator.value(part.value, environment))
        elif isinstance(part, cst.Slice):
            for bound in (part.lower, part.upper, part.step):
                if bound is not None:
                    evaluator.value(bound, environment)
            found.append(None)
    return found
