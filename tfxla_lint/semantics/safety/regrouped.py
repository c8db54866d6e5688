"""Arithmetic that a graph computes in other steps than eager code, with more than rounding between them.

Grappler makes `log1p(x)` of `log(1 + x)`, one addition of `(x + a) - b`, a product of a quotient, `<=`
of `not >` and `argmax(x)` of `argmax(sigmoid(x))`: numbers that cancel, that are NaN, that come out equal
or are rounded down then become others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Shape, Trait
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_SUMS = (cst.Add, cst.Subtract)
_LOGS = behaviour.names(Trait.LOGARITHM)
_EXPONENTIALS = behaviour.names(Trait.EXPONENTIAL)
_NEGATIONS = behaviour.names(Trait.NEGATES)
_COMPARING = behaviour.names(Trait.TELLS_GREATER)
#: A softmax is of all elements.
_ELEMENTWISE = frozenset(
    name
    for name in behaviour.keeping_shape() - behaviour.names(Trait.HANDS_ON)
    if not name.endswith("softmax")
)
_POSITIONS = behaviour.names(Shape.POSITION)
_STEPS = behaviour.names(Trait.STEPS)
_CHOOSING = behaviour.names(Trait.CHOOSES_GREATER)


def is_regrouped(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a graph may compute an expression in other steps, and give another number for it."""
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, _SUMS) and _is_sum_of_constants(model, node)
    if isinstance(node, cst.UnaryOperation):
        return not isinstance(node.operator, cst.Minus) and _compares(model, node.expression)
    if not isinstance(node, cst.Call) or not node.args:
        return False
    names, given = model.names.of(node.func), [argument.value for argument in node.args]
    if names & _LOGS:
        return any(_has_one(model, made) for made in _made(model, given[0]))
    if names & _NEGATIONS:
        return _compares(model, given[0])
    if names & _STEPS:
        return any(_divides(model, made) for made in _made(model, given[0]))
    if names & _POSITIONS:
        return any(_is_elementwise(model, made) for made in _made(model, given[0]))
    return bool(names & _CHOOSING) and len(given) > 1 and _is_multiple(model, given[0], given[1])


def _made(model: Answers, node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    return makers(model.flow, node) or [node]


def _is_sum_of_constants(model: Answers, node: cst.BinaryOperation) -> bool:
    """`(x + a) - b`, or `exp(x) - 1`."""
    sides = (node.left, node.right)
    if not any(model.value(side).has_constant for side in sides):
        return False
    for made in (each for side in sides for each in _made(model, side)):
        if isinstance(made, cst.Call) and model.names.of(made.func) & _EXPONENTIALS:
            return True
        if isinstance(made, cst.BinaryOperation) and isinstance(made.operator, _SUMS):
            is_tensor = model.value(made).kind is Kind.TENSOR
            parts = (made.left, made.right)
            if is_tensor and any(model.value(part).has_constant for part in parts):
                return True
    return False


def _has_one(model: Answers, made: cst.BaseExpression) -> bool:
    if not isinstance(made, cst.BinaryOperation) or not isinstance(made.operator, _SUMS):
        return False
    return any(model.value(side).constant == 1 for side in (made.left, made.right))


def _compares(model: Answers, node: cst.BaseExpression) -> bool:
    return any(
        (isinstance(made, cst.Comparison) and model.value(made).kind is Kind.TENSOR)
        or (isinstance(made, cst.Call) and bool(model.names.of(made.func) & _COMPARING))
        for made in _made(model, node)
    )


def _is_elementwise(model: Answers, made: cst.BaseExpression) -> bool:
    """Whether an operation gives each element by itself: where two come out equal, a graph may look
    at what they were before."""
    return isinstance(made, cst.Call) and not model.names.of(made.func).isdisjoint(_ELEMENTWISE)


def _divides(model: Answers, made: cst.BaseExpression) -> bool:
    is_quotient = isinstance(made, cst.BinaryOperation) and isinstance(made.operator, cst.Divide)
    return is_quotient and model.value(made).kind is Kind.TENSOR


def _is_multiple(model: Answers, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
    """Whether one of two expressions is the other one times something."""
    for one, other in ((left, right), (right, left)):
        for made in _made(model, one):
            if isinstance(made, cst.BinaryOperation) and isinstance(made.operator, cst.Multiply):
                if model.code(other) in (model.code(made.left), model.code(made.right)):
                    return True
    return False
