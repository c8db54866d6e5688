"""Losses that are linear in a variable, of which graphs with a Keras optimizer go wrong.

The optimizer passes all gradients through one operation. TensorFlow takes that for what keeps the
read of a variable before its update, drops the order that it had noted, and takes the operation apart:
where the gradient of a variable does not depend on the variable itself, nothing orders the two any
more, and the loss is now and then computed of the new value (seen in 2.21). Where each read goes into
the loss through something that bends, the gradient depends on it: of what a model gives, in each of its
parts (the last layers of two heads do not bend each other), and not by way of what has no gradient, as
an advantage that only weighs the loss of another model.
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


#: A read of variables: the call of a model or the name of a variable, and where that is asked for.
_End = tuple[int, int]
#: The parts of what is computed that are taken, from the outside in.
_Parts = tuple[object, ...]
#: More are taken in no code but one that goes round.
_MOST_PARTS = 4


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
    """Whether each read of variables goes into a loss through something that bends, too."""
    ends: dict[bool, set[tuple[_End, _Parts]]] = {False: set(), True: set()}
    # None is the state of what has no gradient.
    pending: list[tuple[cst.BaseExpression, bool | None, _Parts]] = [(loss, False, ())]
    seen = set()
    while pending:
        node, is_bent, parts = pending.pop()
        if (id(node), is_bent, parts) in seen:
            continue
        seen.add((id(node), is_bent, parts))
        sources = code.sources(node)
        if len(parts) > _MOST_PARTS or (not sources and not is_bent):
            return False
        for source in sources:
            path = code.path(node, source)
            taken = (*parts, (id(source), path)) if path else parts
            end = _end(model, code, node, source)
            if end is not None:
                ends[is_bent is True].add((end, taken))
            elif not is_bent and _is_unknown(code, source):
                return False
            taken = (*taken, id(source)) if isinstance(source, cst.Subscript) else taken
            for part, bends in _parts(model, code, source):
                has_gradient = is_bent is not None and bends is not None
                pending.append((part, (is_bent or bends) if has_gradient else None, taken))
    whole = {end for end, taken in ends[True] if not taken}
    return all(each in ends[True] or each[0] in whole for each in ends[False])


def _end(
    model: Answers, code: Composition, node: cst.BaseExpression, source: Expression
) -> _End | None:
    if isinstance(source, cst.AugAssign):
        return None
    if model.value(source).kind is Kind.VARIABLE:
        return id(source), id(node)
    if isinstance(source, cst.Call) and code.holder(source) in _KERAS and not code.names(source):
        is_one = model.unit(source) is model.unit(node) and not code.repeats(source)
        return id(source), 0 if is_one else id(node)
    return None


def _is_unknown(code: Composition, source: Expression) -> bool:
    """Whether a call is of something other than functions of which the table tells, or losses."""
    return (
        isinstance(source, cst.Call)
        and not code.names(source)
        and code.holder(source) is not Kind.LOSS
    )


def _parts(
    model: Answers, code: Composition, source: Expression
) -> Iterator[tuple[cst.BaseExpression, bool | None]]:
    """What another expression is computed of, and whether it bends that; None where it stops the gradient."""
    is_bent: bool | None = False
    if isinstance(source, (cst.BinaryOperation, cst.AugAssign)):
        left, right = sides_of(source)
        if isinstance(source.operator, (cst.Divide, cst.DivideAssign)):
            yield from ((left, False), (right, True))
            return
        is_power = isinstance(source.operator, (cst.Power, cst.PowerAssign))
        is_bent = is_power and model.value(right).constant != 1
    elif isinstance(source, cst.Call):
        names = code.names(source)
        if names & _DIVIDING and len(source.args) > 1:
            yield from ((source.args[0].value, False), (source.args[1].value, True))
            return
        is_bent = names <= _BENT if names else code.holder(source) is Kind.LOSS
        is_bent = None if names & _STOPPING else is_bent
    yield from ((part, is_bent) for part in code.parts(source))
