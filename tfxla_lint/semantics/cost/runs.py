"""How often code runs, as the code says it, or else as is usual where findings are ordered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.syntax import walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.loops import Loop, Turning
    from tfxla_lint.semantics.model import SemanticModel

#: So often a loop turns of which that is not known, where findings are ordered: through data, until
#: something is so (an episode ends), and else.
THROUGH_DATA, UNTIL, ELSE = 100, 50, 10
#: Attributes that say how much an array holds.
_SIZES = ("shape", "size")
#: On so many of the turns a place is reached that stands below a condition, there.
_REACHED = {Often.PERHAPS: 0.3, Often.REGULARLY: 0.3, Often.NOW_AND_THEN: 0.05}


def repeating(model: SemanticModel, place: cst.CSTNode) -> list[Turning]:
    """What runs a place on its turns, outermost first."""
    unit = model.unit(place)
    route = model.contexts.eager(unit)
    outer = route.loops if route is not None else ()
    within = model.loops.hot_comprehensions(place, unit)
    return [*outer, *model.loops.hot_around(place, unit), *within]


def expected(model: SemanticModel, place: cst.CSTNode, around: Sequence[Turning]) -> float:
    """How often a place may well run, where that is not known."""
    runs = 1.0
    for loop in around:
        info = model.loops.info(loop)
        runs *= info.turns or info.most or _usual(model, loop, info.over)
    for node, loop in _thinned(model, place):
        runs *= _REACHED.get(model.loops.often(node, loop), 1.0)
    return runs


def _usual(model: SemanticModel, loop: Turning, over: str) -> int:
    if over == "range" and isinstance(loop, cst.For) and model.ask(_Sizes).origins.of(loop.iter):
        return THROUGH_DATA
    unknown = {"dataset": THROUGH_DATA, "data": THROUGH_DATA, "while": UNTIL, "framework": UNTIL}
    return unknown.get(over, ELSE)


class _Sizes:
    """Numbers that are counted from data: lengths, shapes, and what is computed of them."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        through = Through(model.calls.untraced, attributes=True, agree=Agree.ANY)
        self.origins = Origins(model.flow, through, self._judge)

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(node, cst.BinaryOperation):
            return self.origins.any([node.left, node.right])
        if isinstance(node, cst.Subscript):
            return self.origins.of(node.value)
        if isinstance(node, cst.Attribute) and node.attr.value in _SIZES:
            return True
        if not isinstance(node, cst.Call):
            return THROUGH
        names = self._model.names.of(node.func)
        counted = [argument.value for argument in node.args] if names else []
        return "builtins.len" in names or self.origins.any(counted)


def _thinned(model: SemanticModel, place: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, Loop]]:
    """A place, and the calls that lead to it, each with the loops around it in its function."""
    route = model.contexts.eager(model.unit(place))
    for node in (place, *(route.calls if route is not None else ())):
        for loop in model.loops.around(node, model.unit(node)):
            yield node, loop


def is_exact(model: SemanticModel, place: cst.CSTNode, around: Sequence[Turning]) -> bool:
    """Whether nothing ends the loops around a place before their time, or keeps a turn from it."""
    return all(turns_exactly(model, loop) for loop in around) and all(
        model.loops.often(node, loop) is Often.ALWAYS for node, loop in _thinned(model, place)
    )


def turns_exactly(model: SemanticModel, loop: Turning) -> bool:
    """Whether it is known how often a loop turns, and nothing in it leaves it."""
    if not isinstance(loop, cst.For) or model.loops.info(loop).turns is None:
        return False
    return not model.ask(_is_left, loop)


def _is_left(model: Answers, loop: Loop) -> bool:
    """Whether something in a loop may end it before its time."""
    inside = walk(loop.body, into_scopes=False)
    return any(isinstance(node, (cst.Break, cst.Return)) for node in inside)
