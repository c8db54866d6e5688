"""Whether a traced function that is made time and again gets an object of its own each time.

Each function made is traced anew. That is right where each belongs to a model, optimizer or
variable made for it, which needs a trace of its own; else the same trace is made many times.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.repetition import is_repeated, repeating
from tfxla_lint.semantics.safety.lifetimes import (
    is_made,
    makes_variables,
)
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge

_OWNING = frozenset({Kind.VARIABLE, Kind.MODULE})
#: So many steps surely make up for the trace made for them.
_MANY = 100
#: So few do not.
_FEW = 16


def owners(model: Answers, code: Iterable[cst.CSTNode]) -> set[str]:
    """The names that code reads of variables, and of what makes variables."""
    return {
        node.value
        for root in code
        for node in walk(root)
        if isinstance(node, cst.Name)
        and ((value := model.value(node)).kind in _OWNING or makes_variables(value))
    }


def serves_each_run(model: Answers, unit: Unit, names: Iterable[str]) -> bool:
    """Whether one of the named objects is made for each run of a unit, in it or for its call."""
    return any(
        _is_made_by(model, binding) or _is_new_argument(model, binding, frozenset())
        for name in names
        for binding in unit.scope.bindings.get(name, ())
    )


def belongs_to_run(model: Answers, unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a name or an attribute of `self` is an object of its own in each run of a unit."""
    if isinstance(node, cst.Name):
        return serves_each_run(model, unit, [node.value])
    if not isinstance(node, cst.Attribute) or not unit.is_method or not unit.parameters:
        return False
    if not isinstance(node.value, cst.Name) or node.value.value != unit.parameters[0].name:
        return False
    edges = model.calls.from_others(unit)
    functions = [e.node.func for e in edges if isinstance(e.node, cst.Call)]
    return len(functions) == len(edges) > 0 and all(
        isinstance(function, cst.Attribute) and _is_new(model, edge, function.value, frozenset())
        for function, edge in zip(functions, edges, strict=True)
    )


def serves_each_turn(
    model: Answers, unit: Unit, loops: Sequence[Loop], names: Iterable[str]
) -> bool:
    """Whether one of the named objects is another one on each turn of the loops, outermost first."""
    inner = loops[-1]
    bound = [
        binding
        for name in names
        for binding in unit.scope.bindings.get(name, ())
        if inner in model.ancestors(binding.node)
    ]
    if any(_is_made_by(model, b) and inner in repeating(model, b.node)[:1] for b in bound):
        return True
    return bool(bound) and len(loops) == 1 and not is_repeated(model, unit)


def turns_of(model: Answers, loops: Iterable[Loop]) -> int | None:
    """How often the body of nested loops runs, where all of them say it."""
    turns = [model.loops.info(loop).turns for loop in loops]
    return None if None in turns else prod(n for n in turns if n is not None)


def surely_pays(model: Answers, loops: Iterable[Loop]) -> bool:
    """Whether nested loops surely run a step often enough for a trace of its own."""
    turns = turns_of(model, loops)
    return turns is not None and turns >= _MANY


def hardly_pays(model: Answers, loops: Iterable[Loop]) -> bool:
    """Whether nested loops run a step a few times only."""
    turns = turns_of(model, loops)
    return turns is not None and turns < _FEW


def _is_made_by(model: Answers, binding: Binding) -> bool:
    """Whether a name is bound to what the same statement makes."""
    if binding.kind is not BindingKind.ASSIGNMENT:
        return False
    value = model.flow.source(binding)
    return value is not None and is_made(model, value)


def _is_new_argument(model: Answers, binding: Binding, seen: frozenset[int]) -> bool:
    """Whether every call in sight gives a parameter an object made for this call."""
    if binding.kind is not BindingKind.PARAMETER or id(binding) in seen:
        return False
    unit = model.unit_of_scope(binding.scope)
    edges = model.calls.from_others(unit)
    seen = seen | {id(binding)}
    given = [(edge, edge.argument(binding.name)) for edge in edges]
    return bool(edges) and all(
        node is not None and _is_new(model, edge, node, seen) for edge, node in given
    )


def _is_new(model: Answers, edge: Edge, given: cst.BaseExpression, seen: frozenset[int]) -> bool:
    """Whether each run of a call finds a new object in an expression of it."""
    if not isinstance(given, cst.Name):
        return is_made(model, given)
    around = repeating(model, edge.node)
    bindings = model.binder.scope(given).lookup(given.value)
    if not bindings or any(model.unit(b.node) is not edge.caller for b in bindings):
        return False
    for binding in bindings:
        if _is_made_by(model, binding):
            made_in = model.ancestors(binding.node)
            if not all(loop in made_in for loop in around):
                return False
        elif binding.kind is BindingKind.FOR:
            is_each = len(around) == 1 and around[0] in model.ancestors(binding.node)
            if not is_each or is_repeated(model, edge.caller):
                return False
        elif around or not _is_new_argument(model, binding, seen):
            return False
    return True
