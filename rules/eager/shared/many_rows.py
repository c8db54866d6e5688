"""How many rows of a tensor are worth one operation on the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Turning
from tfxla_lint.semantics.turns import runs_steps
from tfxla_lint.semantics.varying.growing import grown_rows

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: So many are, in a place that runs once, and in one that a loop runs (there also where nobody knows
#: how many they are).
_MANY, _MANY_IN_LOOP = 64, 8
#: Its result has an element for each dimension, few of them.
_SHAPE = "tensorflow.shape"


def most_rows(
    model: SemanticModel, tensor: cst.BaseExpression, source: cst.BaseExpression
) -> int | None:
    """How many rows of a tensor are gone through at most, by itself or within a `zip`; None where
    that is not known. What a loop has joined has as many as that has turns, one for each."""
    made = model.flow.reached(tensor).only if isinstance(tensor, cst.Name) else None
    maker = made.value if made is not None else tensor
    if isinstance(maker, cst.Call) and _SHAPE in model.names.of(maker.func):
        return 0
    known = model.loops.most_members(source)
    grown = grown_rows(model, tensor) if known is None else None
    info = model.loops.info(grown) if grown is not None else None
    if info is None or not info.is_certain or info.is_short:
        return known
    return info.turns or _MANY


def are_many(model: SemanticModel, node: cst.CSTNode, count: int | None) -> bool:
    """Whether `node` goes through many rows, in all or each time that a loop runs it."""
    unit = model.unit(node)
    around = [loop for loop in model.loops.hot_around(node, unit) if loop is not node]
    is_hot = any(_is_hot(model, loop) for loop in (*around, *model.contexts.hot_loops(unit)))
    if count is None:
        return is_hot
    return count >= (_MANY_IN_LOOP if is_hot else _MANY)


def _is_hot(model: SemanticModel, loop: Turning) -> bool:
    """Whether a loop surely turns often: over data, or not over epochs and episodes."""
    info = model.loops.info(loop)
    return info.is_certain and (info.over == "dataset" or not runs_steps(model, loop))
