"""Arithmetic that a graph computes in other steps than eager code, with more than rounding between them.

Grappler makes `log1p(x)` of `log(1 + x)`, one addition of `(x + a) - b`, a product of a quotient, `<=`
of `not >` and `argmax(x)` of `argmax(sigmoid(x))`: numbers that cancel, that are NaN, that come out equal
or are rounded down then become others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log10
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_SUMS = (cst.Add, cst.Subtract)
_PRODUCTS = (cst.Multiply, cst.Divide)
#: Products of so many powers of ten stay within all dtypes of floating-point numbers but the halves.
_MOST = 18.0
_LOGS = behaviour.names(Trait.LOGARITHM)
_EXPONENTIALS = behaviour.names(Trait.EXPONENTIAL)
_NEGATIONS = behaviour.names(Trait.NEGATES)
_COMPARING = behaviour.names(Trait.TELLS_GREATER)
_ONE_BY_ONE = behaviour.keeping_shape() - behaviour.names(Trait.HANDS_ON)
_SOFTMAX = frozenset(name for name in _ONE_BY_ONE if name.endswith(".softmax"))
#: A softmax is of all elements.
_ELEMENTWISE = frozenset(name for name in _ONE_BY_ONE if not name.endswith("softmax"))
_EXTREMES = frozenset(
    name
    for name in behaviour.names(Trait.SAME)
    if name.endswith(("max", "min")) and name not in _ONE_BY_ONE
)
_FLOATING = behaviour.names(Trait.FLOATING)
_WITH_WEIGHTS = behaviour.names(Trait.WITH_WEIGHTS)
_STEPS = behaviour.names(Trait.STEPS)
_CHOOSING = behaviour.names(Trait.CHOOSES_GREATER)


def is_regrouped(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a graph may compute an expression in other steps, and give another number for it."""
    if isinstance(node, cst.BinaryOperation):
        if isinstance(node.operator, (cst.FloorDivide, cst.Modulo)):
            is_tensor = model.value(node).kind is Kind.TENSOR
            made = _made(model, node.left)
            return is_tensor and not all(_is_given_or_whole(model, each) for each in made)
        return (
            _is_sum_of_constants(model, node)
            if isinstance(node.operator, _SUMS)
            else (isinstance(node.operator, _PRODUCTS) and _may_overflow(model, node))
        )
    if isinstance(node, cst.UnaryOperation):
        return not isinstance(node.operator, cst.Minus) and _compares(model, node.expression)
    if not isinstance(node, cst.Call) or not node.args:
        return False
    names, given = model.names.of(node.func), [argument.value for argument in node.args]
    made = _made(model, given[0])
    if names & _LOGS:
        return any(_has_one(model, each) or _is_of(model, each, _SOFTMAX, ()) for each in made)
    if names & _NEGATIONS:
        return _compares(model, given[0])
    if names & _STEPS:
        is_cast = len(given) > 1 and bool(model.names.of(given[1]) & _FLOATING)
        return not is_cast and not all(_is_given_or_whole(model, each) for each in made)
    if names & _EXTREMES:
        return any(_is_of(model, each, _ELEMENTWISE, ("softmax",)) for each in made)
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


def _may_overflow(model: Answers, node: cst.BinaryOperation) -> bool:
    """`(x * a) * b`, whose constants a graph multiplies, where these are large or small."""
    scale = _scale(model, node)
    inner = (each for side in (node.left, node.right) for each in _made(model, side))
    products = [p for p in inner if isinstance(p, cst.BinaryOperation)]
    products = [p for p in products if isinstance(p.operator, _PRODUCTS)]
    return any(scale + _scale(model, product) > _MOST for product in products)


def _scale(model: Answers, node: cst.BinaryOperation) -> float:
    """How far, in powers of ten, the constant of a product lies from one."""
    constants = (model.value(side).constant for side in (node.left, node.right))
    numbers = (abs(c) for c in constants if isinstance(c, (int, float)) and c)
    return max((abs(log10(number)) for number in numbers if isfinite(number)), default=0.0)


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


def _is_of(
    model: Answers, made: cst.BaseExpression, table: frozenset[str], ends: tuple[str, ...]
) -> bool:
    """Whether an expression calls an operation of a table, or a layer that may end in one.

    `ends` are the activations that do not matter.
    """
    if not isinstance(made, cst.Call):
        return False
    names = model.names.of(made.func)
    if names:
        return not names.isdisjoint(table)
    is_layer = model.value(made.func).kind in (Kind.MODEL, Kind.LAYER)
    return is_layer and not _ends_plainly(model, made.func, ends)


def _ends_plainly(model: Answers, layer: cst.BaseExpression, ends: tuple[str, ...]) -> bool:
    """Whether a layer, or the last one of a model, surely has no other activation."""
    made = makers(model.flow, layer)
    return bool(made) and all(_is_plain_end(model, each, ends) for each in made)


def _is_plain_end(model: Answers, made: cst.BaseExpression, ends: tuple[str, ...]) -> bool:
    if not isinstance(made, cst.Call) or not made.args:
        return False
    first = made.args[0].value
    if isinstance(first, cst.List) and first.elements:
        return _is_plain_end(model, first.elements[-1].value, ends)
    if not model.names.of(made.func) & _WITH_WEIGHTS:
        return False
    for argument in made.args[1:] if made.args[0].keyword is None else made.args:
        is_named = argument.keyword is not None and argument.keyword.value != "activation"
        value = model.value(argument.value)
        if not is_named and value.constant not in (None, "linear", *ends):
            return False
    return True


def _is_given_or_whole(model: Answers, made: cst.BaseExpression) -> bool:
    """Whether a number is none that the code computes, or one without a fraction: what is computed
    may come out just below or above in a graph, and the next step is another one then."""
    dtype = model.value(made).dtype
    is_whole = dtype is not None and not dtype.startswith(("float", "bfloat"))
    return is_whole or isinstance(made, (cst.Comparison, cst.Name, cst.Attribute, cst.Subscript))


def _is_multiple(model: Answers, left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
    """Whether one of two expressions is the other one times something."""
    for one, other in ((left, right), (right, left)):
        for made in _made(model, one):
            if isinstance(made, cst.BinaryOperation) and isinstance(made.operator, cst.Multiply):
                if model.code(other) in (model.code(made.left), model.code(made.right)):
                    return True
    return False
