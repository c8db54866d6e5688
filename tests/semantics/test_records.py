"""Fields of dataclasses and of other classes that are declared by annotations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.semantics.conftest import expression, unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

Build = Callable[[str], SemanticModel]
HEAD = """
from dataclasses import dataclass, field
from typing import Any, NamedTuple
import tensorflow as tf

class Agent:
    def learn(self, x):
        return x

"""
FIELDS = """
    agent: Agent
    net: tf.keras.Model
    steps: int = 100
    other: Any = 3
    data: tf.data.Dataset = field(default_factory=list)
"""


@pytest.mark.parametrize("head", ["@dataclass\nclass C:", "class C(NamedTuple):"])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("c.agent", Kind.OBJECT),
        ("c.net", Kind.MODEL),
        ("c.steps", Kind.INT),
        ("c.other", Kind.UNKNOWN),
        ("c.data", Kind.DATASET),
    ],
)
def test_a_field_is_what_its_annotation_says(
    build: Build, head: str, text: str, kind: Kind
) -> None:
    model = build(f"{HEAD}{head}{FIELDS}\ndef f(c: C):\n    return {text}\n")
    assert model.value(expression(model, text)).kind is kind


def test_a_default_is_one_value_among_others(build: Build) -> None:
    model = build(f"{HEAD}@dataclass\nclass C:{FIELDS}\ndef f(c: C):\n    return c.steps\n")
    assert not model.value(expression(model, "c.steps")).has_constant


def test_methods_of_fields_are_run(build: Build) -> None:
    code = "def f(c: C):\n    for i in range(c.steps):\n        c.agent.learn(i)\nf(C(Agent()))\n"
    model = build(f"{HEAD}@dataclass(frozen=True)\nclass C:{FIELDS}\n{code}")
    learn = unit_named(model, "Agent.learn")
    assert len(model.contexts.hot_loops(learn)) == 1
    assert model.contexts.is_only_eager(learn)


def test_what_a_plain_class_sets_is_kept(build: Build) -> None:
    code = "class C:\n    steps: int = 7\n    net: tf.keras.Model\nc = C()\nc.steps\nc.net\n"
    model = build(HEAD + code)
    assert model.value(expression(model, "c.steps")).constant == 7
    assert model.value(expression(model, "c.net")).kind is Kind.MODEL
