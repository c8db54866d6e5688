"""Names that instances of classes have, by the tables and by the code of a project."""

from __future__ import annotations

import subprocess
import sys

import libcst as cst
import pytest

from tfxla_lint.semantics.instance_names import instance_names, relatives
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.source import Source

ASKING = """
import tensorflow as tf

for kind in (tf.keras.Model, tf.keras.layers.Layer, tf.Module):
    names = {name for name in dir(kind) if not name.startswith("_")}
    print(*names, *({f"_{name}" for name in names} & set(dir(kind))))
"""
CLASSES = """import tensorflow as tf

class Network(tf.keras.Model): ...
class Block(tf.keras.layers.Layer): ...
class Part(tf.Module): ...
"""


def build(text: str) -> SemanticModel:
    return SemanticModel.build(cst.parse_module(text), Source("x.py", text))


def test_the_tables_have_what_the_installed_classes_have() -> None:
    pytest.importorskip("numpy")
    done = subprocess.run([sys.executable, "-c", ASKING], capture_output=True, text=True)
    if done.returncode:
        pytest.skip("TensorFlow is not installed")
    model = build(CLASSES)
    lines = done.stdout.splitlines()
    for info, line in zip(model.units.classes, lines, strict=True):
        # What is there to say that it is gone is no name to be had.
        assert set(line.split()) - instance_names(model, info) - {"add_metric"} == set()


FAMILY = """
class Base:
    def one(self): self.two = 2
class Mixin:
    def three(self): ...
class Both(Base, Mixin):
    def four(self): ...
class Other:
    def five(self): self.six = 6

def use(thing):
    thing.seven = 7
    return hasattr(thing, "eight")
"""


def test_relatives_are_classes_of_which_one_object_may_be() -> None:
    model = build(FAMILY)
    base, mixin, _, other = model.units.classes
    assert {info.name for info in relatives(model, base)} == {"Base", "Mixin", "Both"}
    assert relatives(model, other) == [other]
    assert instance_names(model, mixin) == {"one", "two", "three", "four", "seven", "eight"}
    assert instance_names(model, other) == {"five", "six", "seven", "eight"}
