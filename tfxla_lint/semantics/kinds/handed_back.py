"""Functions that give back a function which they are given, as it is or wrapped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.units import Unit


class HandedBack(NamedTuple):
    """What a function may return: what its parameter is given, by itself or as the first argument
    of a call."""

    parameter: str
    wrapper: cst.Call | None = None


def handed_back(unit: Unit) -> tuple[HandedBack, ...]:
    """All that a function may return, where it is nothing but what it is given; else nothing."""
    if unit.is_generator or unit.is_async or not isinstance(unit.node, cst.FunctionDef):
        return ()
    returned = [node.value for node in unit.own(cst.Return)]
    found = [each for value in returned for each in _forms(unit, value)]
    known = [each for each in found if each is not None]
    return tuple(dict.fromkeys(known)) if len(known) == len(found) else ()


def _forms(
    unit: Unit, node: cst.BaseExpression | None, seen: tuple[str, ...] = ()
) -> Iterator[HandedBack | None]:
    """What an expression may be; None for anything else."""
    if isinstance(node, cst.IfExp):
        yield from _forms(unit, node.body, seen)
        yield from _forms(unit, node.orelse, seen)
    elif not isinstance(node, cst.Name):
        yield _wrapped(unit, node)
    elif node.value not in seen:
        bindings = unit.scope.bindings.get(node.value, ())
        for binding in bindings:
            if binding.kind is BindingKind.PARAMETER:
                yield HandedBack(binding.name)
            else:
                yield from _forms(unit, binding.value, (*seen, node.value))
        if not bindings:
            yield None


def _wrapped(unit: Unit, node: cst.CSTNode | None) -> HandedBack | None:
    """`tf.function(f)`, where `f` is a parameter."""
    if not isinstance(node, cst.Call) or not node.args or node.args[0].star:
        return None
    first = node.args[0]
    if first.keyword is not None or not isinstance(first.value, cst.Name):
        return None
    name = first.value.value
    is_given = any(b.kind is BindingKind.PARAMETER for b in unit.scope.bindings.get(name, ()))
    return HandedBack(name, node) if is_given else None
