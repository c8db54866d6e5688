"""Sizes that hang on values, read in Python: `kept.shape[0]` of what `tf.boolean_mask` picked.

Eagerly that is a number. A trace has None for it, and most of what is given None raises.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.values import NUMBERS

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_PICKING = frozenset(n for n in behaviour.names(Trait.PICKS) if api.is_tensorflow(n))
_WHERE = "tensorflow.where"
#: What looks at no member of what it is given.
_APART = behaviour.names(Trait.VALUE_FREE) - behaviour.names(Trait.HANDS_ON)


@dataclass(frozen=True, slots=True)
class PickedSize:
    """A read of the first size of what a call has picked by its values."""

    read: cst.BaseExpression
    picking: cst.Call


def picked_sizes(model: Answers, shapes: Iterable[cst.CSTNode]) -> list[PickedSize]:
    """Those of some reads of shapes that are asked for their first size, the first of each size."""
    found: dict[tuple[int, str], PickedSize] = {}
    for shape in shapes:
        place = model.parent(shape)
        if isinstance(shape, cst.Attribute) and isinstance(place, cst.Subscript):
            picking = model.ask(_Picked).of(shape.value) if _is_first(model, place) else None
            if picking is not None:
                key = id(model.unit(place)), model.code(place)
                found.setdefault(key, PickedSize(place, picking))
    return [*found.values()]


def are_picked(model: Answers) -> bool:
    """Whether any code picks members by their values."""
    names = _PICKING | {_WHERE}
    return any(model.names.of(call.func) & names for call in model.everywhere(cst.Call))


def _is_first(model: Answers, place: cst.Subscript) -> bool:
    part = place.slice[0].slice
    return isinstance(part, cst.Index) and model.value(part.value).constant == 0


class _Picked:
    """Which call picked the members of a tensor, here or in what hands it over."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        through = Through(model.calls.untraced, returns=lambda edge: True, agree=Agree.ANY)
        self._origins: Origins[cst.Call] = Origins(model.flow, through, self._judge)

    def of(self, node: cst.BaseExpression) -> cst.Call | None:
        """The call, where there is one."""
        return self._origins.of(node)

    def _judge(self, node: cst.CSTNode, path: Path) -> cst.Call | Look | None:
        shape = self._model.value(node).shape
        if (not path and shape is not None and shape[:1] and type(shape[0]) is int) or shape == ():
            return None
        if isinstance(node, cst.BinaryOperation):
            return self._origins.any([node.left, node.right])
        if isinstance(node, cst.Subscript):
            return self._origins.of(node.value)
        if not isinstance(node, cst.Call) or self._model.callees(node):
            return THROUGH
        given = [argument.value for argument in node.args]
        names = self._model.names.of(node.func)
        if names & _PICKING and not any(self._is_number(each) for each in given[1:]):
            return node
        if _WHERE in names and len(given) == 1:
            return node
        is_op = bool(names) and all(map(api.is_op, names)) and not names & _APART
        return self._origins.any(given) if is_op else None

    def _is_number(self, node: cst.BaseExpression) -> bool:
        return self._model.value(node).kind in NUMBERS
