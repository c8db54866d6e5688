"""Losses that are linear in a variable, of which graphs with a Keras optimizer go wrong.

The optimizer passes all gradients through one operation. TensorFlow takes that for what keeps the
read of a variable before its update, drops the order that it had noted, and takes the operation apart:
where the gradient of a variable does not depend on the variable itself, nothing orders the two any
more, and the loss is now and then computed of the new value (seen in 2.21). What has a bend behind each
use of a variable depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.safety.composition import Composition, Expression, sides_of
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_TOLD = (Trait.EVEN, Trait.SHARP, Trait.GIVES_SHARES, Trait.FINDS_GREATEST, Trait.CHOOSES_GREATER,
         Trait.LOGARITHM, Trait.EXPONENTIAL, Trait.RAISES)  # fmt: skip
_BENT = frozenset().union(*map(behaviour.names, _TOLD)) - behaviour.names(Trait.LINEAR)
_STOPPING = behaviour.names(Trait.STOPS_GRADIENT)
_DIVIDING = behaviour.names(Trait.DIVIDES)
_KERAS = frozenset({Kind.MODEL, Kind.LAYER})


def linear_losses(
    model: Answers, code: Composition, nodes: Iterable[cst.CSTNode]
) -> Iterator[tuple[cst.CSTNode, str]]:
    """The losses that may be linear in what an optimizer of Keras' trains, with words for each."""
    calls = [node for node in nodes if isinstance(node, cst.Call)]
    if any(code.holder(call) is Kind.OPTIMIZER for call in calls):
        for call in calls:
            if code.holder(call) is Kind.TAPE and call.args:
                loss = call.args[0].value
                if not _is_bent(model, code, loss):
                    words = f"`{model.code(loss)}` may be linear in a variable"
                    yield loss, f"{words}, which a graph may change before it reads it"


def _is_bent(model: Answers, code: Composition, loss: cst.BaseExpression) -> bool:
    """Whether no variable goes into a loss but through what bends."""
    pending, seen = [loss], set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        sources = code.sources(node)
        if not sources:
            return False
        for source in sources:
            parts = _linear_parts(model, code, source)
            if parts is None:
                return False
            pending += parts
    return True


def _linear_parts(
    model: Answers, code: Composition, source: Expression
) -> list[cst.BaseExpression] | None:
    """The expressions in which another is linear; None where it is, or may be, in a variable."""
    if isinstance(source, cst.BaseExpression) and model.value(source).kind is Kind.VARIABLE:
        return None
    if isinstance(source, (cst.BinaryOperation, cst.AugAssign)):
        if isinstance(source.operator, (cst.Power, cst.PowerAssign)):
            return None if model.value(sides_of(source)[1]).constant == 1 else []
        is_quotient = isinstance(source.operator, (cst.Divide, cst.DivideAssign))
        return [sides_of(source)[0]] if is_quotient else code.parts(source)
    if not isinstance(source, cst.Call):
        return code.parts(source)
    names = code.names(source)
    if not names:
        return [] if code.holder(source) is Kind.LOSS else None
    if names <= _BENT | _STOPPING:
        return []
    return code.parts(source)[:1] if names <= _DIVIDING else code.parts(source)
