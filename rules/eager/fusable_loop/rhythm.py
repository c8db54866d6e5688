"""Conditions that hold once in so many turns: `step % 100 == 0`, `(i + 1) % log_every == 0`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The turns on which the name `counter` leaves `rest` when divided by `period`.

    `text` is the period as it is written.
    """

    counter: str
    period: int
    rest: int
    text: str


def rhythm_of(model: SemanticModel, test: cst.BaseExpression) -> Rhythm | None:
    """The rhythm in which a condition holds, where it is one, of whole turns that are known."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _divided(model, test.expression, 0)
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    compared = test.comparisons[0]
    rest = _whole(model, compared.comparator)
    if not isinstance(compared.operator, cst.Equal) or rest is None:
        return None
    return _divided(model, test.left, rest)


def _divided(model: SemanticModel, node: cst.BaseExpression, rest: int) -> Rhythm | None:
    """`counter % period` or `(counter + 1) % period`, that gives `rest`."""
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Modulo):
        return None
    period, counter = _whole(model, node.right), node.left
    if period is None or not 0 <= rest < period:
        return None
    ahead = 0
    if isinstance(counter, cst.BinaryOperation) and isinstance(counter.operator, cst.Add):
        more = _whole(model, counter.right)
        if more is None:
            return None
        ahead, counter = more, counter.left
    if not isinstance(counter, cst.Name):
        return None
    return Rhythm(counter.value, period, (rest - ahead) % period, model.code(node.right).strip())


def _whole(model: SemanticModel, node: cst.BaseExpression) -> int | None:
    constant = model.value(node).constant
    return constant if type(constant) is int else None


def common(rhythms: Sequence[Rhythm]) -> Rhythm | None:
    """A rhythm of one counter that has all turns of some; None where there is none but each turn."""
    first, *others = rhythms
    period = gcd(*(rhythm.period for rhythm in rhythms))
    if period < 2 or any(other.counter != first.counter for other in others):
        return None
    if any((other.rest - first.rest) % period for other in others):
        return None
    text = next((r.text for r in rhythms if r.period == period), str(period))
    return Rhythm(first.counter, period, first.rest % period, text)
