"""How much tensor work functions do, with what they call."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.flow.closure import circles, closure
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]

CALLS = """
import tensorflow as tf

def even(x, n):
    x = tf.nn.relu(x)
    return odd(x, n - 1) if n else x

def odd(x, n):
    x = tf.abs(tf.exp(x))
    return even(x, n - 1) if n else leaf(x)

def leaf(x):
    return tf.sin(tf.cos(tf.tan(x)))

def alone(x, n):
    return alone(tf.square(x), n - 1) if n else leaf(x)

def main(x):
    return tf.abs(even(x, 3)) + alone(x, 2)
"""
#: Each with the three of `leaf`: a circle does what all of its functions do.
TOTALS = {"even": 6, "odd": 6, "leaf": 3, "alone": 4, "main": 12}


@pytest.mark.parametrize("names", [*permutations(TOTALS)][::9])
def test_totals_do_not_depend_on_what_is_asked_first(build: Build, names: tuple[str, ...]) -> None:
    model = build(CALLS)
    found = {name: model.works.total(unit_named(model, name)) for name in names}
    assert found == TOTALS
    body = model.works.of_unit(unit_named(model, "main"))
    assert body.total == TOTALS["main"]


GRAPHS = st.lists(st.lists(st.integers(0, 7), max_size=4), min_size=8, max_size=8)


@given(GRAPHS)
def test_circles_are_what_leads_to_each_other(graph: list[list[int]]) -> None:
    things = [object() for _ in graph]
    numbers = {id(thing): number for number, thing in enumerate(things)}

    def following(thing: object) -> list[object]:
        return [things[n] for n in graph[numbers[id(thing)]]]

    reached = [{numbers[id(t)] for t in closure([thing], following)} for thing in things]
    groups = [[numbers[id(t)] for t in group] for group in circles(things[0], following)]
    assert sorted(n for group in groups for n in group) == sorted(reached[0])
    done: set[int] = set()
    for group in groups:
        assert all(reached[a] == reached[group[0]] for a in group)
        done.update(group)
        assert reached[group[0]] <= done
