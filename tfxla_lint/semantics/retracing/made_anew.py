"""Whether a traced function that is made time and again gets an object of its own each time.

Each function made is traced anew. That is right where each belongs to a model, optimizer or
variable made for it, which needs a trace of its own; else the same trace is made many times.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
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

_OWNING = frozenset({Kind.VARIABLE, Kind.MODULE})
#: So many steps surely make up for the trace made for them.
_MANY = 100
#: So few do not.
_FEW = 16


def owners(model: Answers, code: Iterable[cst.CSTNode]) -> list[cst.Name]:
    """The names in code of variables, and of what makes variables."""
    return [
        node
        for root in code
        for node in walk(root)
        if isinstance(node, cst.Name)
        and ((value := model.value(node)).kind in _OWNING or makes_variables(value))
    ]


def serves_each_run(model: Answers, unit: Unit, names: Iterable[cst.Name]) -> bool:
    """Whether what one of the names stands for is made for each run of a unit, in it or for its call."""
    return any(_New(model, unit).objects.of(name) for name in names)


def belongs_to_run(model: Answers, unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a name or an attribute of `self` is an object of its own in each run of a unit."""
    receiver = unit.parameters[0].name if unit.is_method and unit.parameters else None
    name = node.value if isinstance(node, cst.Attribute) else node
    if not isinstance(name, cst.Name) or (name is not node and name.value != receiver):
        return False
    return serves_each_run(model, unit, [name])


def serves_each_turn(
    model: Answers, unit: Unit, loops: Sequence[Loop], names: Iterable[cst.Name]
) -> bool:
    """Whether one of the names stands for another object on each turn of the loops, outermost first."""
    inner = loops[-1]
    bound = bound_in(model, inner, names)
    if any(_is_made_by(model, b) and inner in repeating(model, b.node)[:1] for b in bound):
        return True
    return bool(bound) and len(loops) == 1 and not is_repeated(model, unit)


def bound_in(model: Answers, loop: Loop, names: Iterable[cst.Name]) -> list[Binding]:
    """The bindings in a loop that the reads of some names may see."""
    bindings = (b for name in names for b in model.flow.reached(name).bindings)
    return [binding for binding in bindings if loop in model.ancestors(binding.node)]


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


class _New:
    """Whether each run of a unit, or of the call at hand, finds a new object in an expression."""

    def __init__(self, model: Answers, unit: Unit) -> None:
        self._model = model
        self._unit = unit
        self.objects = Origins(model.flow, Through(), self._judge)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look:
        model, edge = self._model, self.objects.call
        around = repeating(model, edge.node) if edge is not None else []
        runner = edge.caller if edge is not None else self._unit
        if isinstance(node, cst.Name):
            bindings = model.flow.reached(node).bindings
            return all(model.unit(b.node) is runner for b in bindings) and THROUGH
        if isinstance(node, cst.Param):
            return not around and self._is_given_new(node)
        if isinstance(node, (cst.For, cst.CompFor)):
            is_each = len(around) == 1 and around[0] in (node, *model.ancestors(node))
            return is_each and not is_repeated(model, runner)
        made_in = model.ancestors(node)
        return is_made(model, node) and all(loop in made_in for loop in around)

    def _is_given_new(self, node: cst.Param) -> bool:
        """Whether every call in sight gives a parameter an object made for this call."""
        edges = self._model.calls.from_others(self._model.unit(node))
        given = [(edge, edge.argument(node.name.value)) for edge in edges]
        return bool(edges) and all(self.objects.handed(*each) for each in given)
