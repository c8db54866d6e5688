"""The parts of syntax that decide and that are iterated over, whatever their values are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait

_ITERTOOLS = behaviour.names(Trait.LAZY)
#: Builtins that go through what they are given in Python.
ITERATING = behaviour.leaves("builtins", Trait.LAZY)


def judged(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The expressions whose truth a test asks, through `and`, `or` and `not`."""
    pending = [test]
    while pending:
        part = pending.pop()
        if isinstance(part, cst.BooleanOperation):
            pending += (part.right, part.left)
        elif isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
            pending.append(part.expression)
        else:
            yield part


def gone_through(name: str, call: cst.Call) -> Sequence[cst.BaseExpression]:
    """The arguments that a builtin, or `functools.reduce`, iterates over."""
    given = [a.value for a in call.args if a.keyword is None and not a.star]
    home, _, last = name.rpartition(".")
    if name in ("functools.reduce", "itertools.starmap", "itertools.takewhile"):
        return given[1:2]
    if name in _ITERTOOLS:
        return given[:1] if last in ("islice", "cycle", "accumulate", "tee") else given
    if home != "builtins" or last not in ITERATING:
        return ()
    if last in ("map", "filter"):
        return given[1:]
    return given if last == "zip" else given[:1]
