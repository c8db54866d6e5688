"""What a step is called with: what each turn brings, and what is the same on all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import bound_names, dotted, target_names, walk
from tfxla_lint.semantics.values import NUMBERS, Kind, Value

from .order import attributes_set

_ARRAYS = frozenset({Kind.TENSOR, Kind.NDARRAY})
#: What a trace may close over: always the same object.
_LASTING = frozenset(
    {Kind.VARIABLE, Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC, Kind.LOSS, Kind.MODULE}
)


@dataclass(frozen=True, slots=True)
class Given:
    """An argument of the step: one that `varies` from turn to turn, one that `is_passed` on as it is,
    or else one that can be written into the function. What is `nested` holds several tensors: a tuple
    of features and labels, a dict of them."""

    argument: cst.Arg
    varies: bool
    is_passed: bool
    nested: bool = False

    @property
    def node(self) -> cst.BaseExpression:
        """The expression."""
        return self.argument.value


def given_to(
    model: SemanticModel, loop: cst.For, call: cst.Call, before: Sequence[Statement]
) -> list[Given] | None:
    """The arguments of a step; None where one of them can't be stacked, or passed on."""
    unit = model.unit(loop)
    fresh = {*target_names(loop.target), *bound_names(before)}
    anew = attributes_set(model, before)
    loops = model.loops.around(loop, unit)
    rebound = bound_names([*loops, loop])
    found: list[Given] = []
    for argument in call.args:
        node, value = argument.value, model.value(argument.value)
        if argument.star or not _is_quiet(model, node):
            return None
        names = {n.value for n in walk(node) if isinstance(n, cst.Name)}
        is_array = value.kind in _ARRAYS and not (value.mixed or value.maybe_none or value.by_use)
        is_fresh = any(isinstance(n, cst.Attribute) and dotted(n) in anew for n in walk(node))
        if names & fresh or is_fresh:
            nested = _holds_tensors(value)
            if not is_array and not nested:
                return None
            found.append(Given(argument, varies=True, is_passed=False, nested=nested))
        elif names & bound_names([loop]):
            return None
        elif is_array:
            found.append(Given(argument, varies=False, is_passed=True))
        elif _is_fixed(model, node, rebound):
            found.append(Given(argument, varies=False, is_passed=False))
        else:
            return None
    return found


def _holds_tensors(value: Value) -> bool:
    """Whether this is a tuple or a dict of arrays, of which each is known to be one."""
    if value.kind not in (Kind.TUPLE, Kind.DICT) or value.maybe_none or value.by_use or value.mixed:
        return False
    members = value.elements or ((value.item,) if value.item is not None else ())
    return bool(members) and all(
        member.kind in _ARRAYS and not (member.mixed or member.maybe_none or member.by_use)
        for member in members
    )


def _is_quiet(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression does nothing but give a value."""
    quiet = (EffectKind.READ_NAME, EffectKind.NUMPY, EffectKind.READ_ATTRIBUTE)
    if any(effect.kind not in quiet for effect in model.ask(Effects).below(node)):
        return False
    return not any(isinstance(n, cst.Call) and model.callees(n) for n in walk(node))


def _is_fixed(model: SemanticModel, node: cst.BaseExpression, rebound: set[str]) -> bool:
    """Whether an argument is a constant, or one and the same object in all of the loops around."""
    if any(isinstance(n, cst.Name) and n.value in rebound for n in walk(node)):
        return False
    value = model.value(node)
    if isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)):
        return True
    if isinstance(node, cst.Name):
        return value.kind in _LASTING or (value.kind in NUMBERS and value.has_constant)
    return isinstance(node, cst.Attribute) and value.kind in _LASTING
