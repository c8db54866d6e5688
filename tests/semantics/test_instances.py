"""What is proved of a method that is to be traced: its instances are told apart, and are alive."""

from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.conditions import Condition
from tfxla_lint.semantics.safety.proof import unit_gaps
from tfxla_lint.source import Source

from .conftest import unit_named

HEAD = """\
import abc
import argparse
import dataclasses
import tensorflow as tf

w = tf.Variable([1.0, 2.0])


"""
CLASS = """\
class Learner:
    def __init__(self):
        self.w = tf.Variable([1.0, 2.0])

    def step(self, x):
        loss = tf.reduce_sum(tf.square(self.w - x))
        self.w.assign_sub(0.1 * (self.w - x))
        return loss


"""
LOOP = """\
learner = Learner()
for _ in range(20):
    learner.step(tf.constant([0.5, 0.25]))
"""
FIELDS = "    def __init__(self):\n        self.w = tf.Variable([1.0, 2.0])\n"


def is_proved(code: str) -> bool:
    """Whether nothing is missing that concerns the instances of the method."""
    model = SemanticModel.build(cst.parse_module(code), Source("example.py", code))
    return all(
        g.condition is not Condition.OBJECTS
        for g in unit_gaps(model, unit_named(model, "Learner.step"))
    )


@pytest.mark.parametrize(
    "head",
    [
        "class Learner:",
        "class Learner(abc.ABC):",
        "class Learner(tf.Module):",
        "class Learner(object):",
    ],
)
def test_an_object_equals_itself_alone(head: str) -> None:
    assert is_proved(HEAD + CLASS.replace("class Learner:", head) + LOOP)


@pytest.mark.parametrize("base", ["str", "float", "frozenset", "argparse.Namespace", "made()"])
def test_a_base_may_make_instances_equal(base: str) -> None:
    code = CLASS.replace("class Learner:", f"class Learner({base}):")
    assert not is_proved(HEAD + code + LOOP)


@pytest.mark.parametrize(
    ("options", "proved"),
    [("(frozen=True)", False), ("(unsafe_hash=True)", False), ("(eq=False)", True)],
)
def test_fields_may_make_records_equal(options: str, proved: bool) -> None:
    field = "    w: tf.Variable = dataclasses.field(compare=False)\n"
    code = f"@dataclasses.dataclass{options}\n" + CLASS.replace(FIELDS, field)
    assert is_proved(HEAD + code + LOOP.replace("Learner()", "Learner(w)")) is proved


def test_a_derived_class_may_make_instances_equal() -> None:
    derived = "class Named(Learner):\n    def __hash__(self):\n        return 3\n\n\n"
    assert not is_proved(HEAD + CLASS + derived + LOOP)


@pytest.mark.parametrize(
    ("receiver", "proved"),
    [
        ("learner", True),
        ("[learner][0]", False),
        ("learners[0]", True),
        ("holder.learner", True),
        ("holder.made", False),
        ("Learner()", False),
        ("make()", False),
        ("learners.pop()", False),
        ("(learner if learner else Learner())", False),
    ],
)
def test_the_object_is_held_while_its_method_runs(receiver: str, proved: bool) -> None:
    code = (
        "learner = Learner()\nlearners = [learner]\n\n\n"
        "class Holder:\n    def __init__(self):\n        self.learner = Learner()\n\n"
        "    @property\n    def made(self):\n        return Learner()\n\n\n"
        "def make():\n    return Learner()\n\n\n"
        f"holder = Holder()\nfor _ in range(20):\n    {receiver}.step(tf.constant([0.5, 0.25]))\n"
    )
    assert is_proved(HEAD + CLASS + code) is proved


def test_a_method_holds_the_object_for_its_base() -> None:
    derived = (
        "class Named(Learner):\n    def step_twice(self, x):\n        super().step(x)\n"
        "        return super().step(x)\n\n\n"
    )
    assert is_proved(HEAD + CLASS + derived + LOOP.replace("Learner()", "Named()"))
