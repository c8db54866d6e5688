from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.keys import method_blocker
from tfxla_lint.semantics.safety.verdict import Safety

Build = Callable[[str], SemanticModel]
STEP = """
import tensorflow as tf

def build(): return tf.keras.Sequential([tf.keras.layers.Dense(1)])
def f(model, x): return tf.reduce_sum(tf.square(model(x)))
"""
ONE = [
    "m = build()\nfor _ in range(9): f(m, tf.ones([2, 3]))",
    "def run(): f(build(), tf.ones([2, 3]))\nrun()",
    "def run(m): f(m, tf.ones([2, 3]))\nm = build()\nfor _ in range(9): run(m)",
    "m = build()\ndef run():\n    for _ in range(9): f(m, tf.ones([2, 3]))\nrun()\nrun()",
    "def run(m): f(m, tf.ones([2, 3]))\nif flag: run(build())\nelse: run(build())",
    "def run(m): f(m, tf.ones([2, 3]))\nm = build()\nrun(m)\nsame = m\nrun(same)",
    "def run(m): f(m, tf.ones([2, 3]))\nif flag: m = build()\nelse: m = build()\nrun(m)\nrun(m)",
    "def run(m=None): f(m, tf.ones([2, 3]))\nm = build()\nrun(m=m)\nrun(m)",
    "class A:\n    def __init__(self): self.m = build()\n"
    "    def run(self): f(self.m, tf.ones([2, 3]))\n"
    "    def ask(self): f(self.m, tf.ones([2, 3]))\na = A()\na.run()\na.ask()",
    "m = build()\nfor _ in range(9):\n    f(m, tf.ones([2, 3]))\nfor _ in range(2): m = build()",
]
SEVERAL = [
    "for _ in range(9): f((m := build()), tf.ones([2, 3]))",
    "def run():\n    made = build()\n    m = made\n    f(m, tf.ones([2, 3]))\nrun()\nrun()",
    "for _ in range(9): f(build(), tf.ones([2, 3]))",
    "def run(m): f(m, tf.ones([2, 3]))\nrun(build())\nrun(build())",
    "def run(m): f(m, tf.ones([2, 3]))\nm = build()\nrun(m)\nm = build()\nrun(m)",
    "def run(m): f(m, tf.ones([2, 3]))\ndef go(m): run(m)\na = build()\nb = build()\ngo(a)\ngo(b)",
    "def a():\n    m = build()\n    f(m, tf.ones([2, 3]))\n"
    "def b():\n    m = build()\n    f(m, tf.ones([2, 3]))\na()\nb()",
    "m = build()\ndef run(m=m): f(m, tf.ones([2, 3]))\nrun()\nrun(build())",
    "def run(n):\n    m = build()\n    f(m, tf.ones([2, 3]))\n    if n: run(n - 1)\nrun(3)",
    "for _ in range(9):\n    m = build()\n    f(m, tf.ones([2, 3]))",
    "[f(m, tf.ones([2, 3])) for m in [build(), build()]]",
    "def run(): f(build(), tf.ones([2, 3]))\nrun()\nrun()",
    "def run(m): f(m, tf.ones([2, 3]))\nfor _ in range(2): run(build())",
    "def run():\n    m = build()\n    f(m, tf.ones([2, 3]))\ndef main(): run()\n"
    "for _ in range(2): main()",
    "ms = [build() for _ in range(3)]\nfor i in range(3): f(ms[i], tf.ones([2, 3]))",
    "class A:\n    def __init__(self): self.m = build()\n"
    "    def run(self): f(self.m, tf.ones([2, 3]))\nfor _ in range(2): A().run()",
]


def takes_several(model: SemanticModel) -> bool:
    found = model.ask(Safety).unit_blockers(unit_named(model, "f"))
    return "different-models-or-optimizers" in {b.reason.value for b in found}


@pytest.mark.parametrize("code", ONE)
def test_one_model_for_all_calls(build: Build, code: str) -> None:
    assert not takes_several(build(STEP + code))


@pytest.mark.parametrize("code", SEVERAL)
def test_one_model_after_the_other(build: Build, code: str) -> None:
    assert takes_several(build(STEP + code))


HEAD = """
import tensorflow as tf

nets = {"a": tf.keras.Sequential(), "b": tf.keras.Sequential()}
a, b = tf.keras.Sequential(), tf.keras.Sequential()
def pick(k): return a if k == "a" else b
"""
CALLS = "\nx = tf.ones([2, 3])\nf('a', x)\nf('b', x)"


@pytest.mark.parametrize(
    ("code", "is_chosen"),
    [
        ("def f(k, x): return nets[k](x)" + CALLS, True),
        ("def f(k, x):\n    name = f'{k}'\n    return nets[name](x)" + CALLS, True),
        ("def f(k, x): return nets.get(k)(x)" + CALLS, True),
        ("def f(k, x): return pick(k)(x)" + CALLS, True),
        ("def f(k, x):\n    m = b\n    if k == 'a': m = a\n    return m(x)" + CALLS, True),
        ("def f(k, x): return nets[k](x)\nx = tf.ones([2, 3])\nf('a', x)\nf('a', x)", False),
        ("def f(k, x): return a(x) if k == 'a' else a(2.0 * x)" + CALLS, False),
        ("def f(k, x):\n    y = a(x)\n    return a(y) if k == 'a' else y" + CALLS, False),
    ],
)
def test_arguments_that_choose_a_model(build: Build, code: str, is_chosen: bool) -> None:
    assert takes_several(build(HEAD + code)) is is_chosen


@pytest.mark.parametrize(
    ("head", "is_blocked"),
    [
        ("class A:", False),
        ("class A:\n    def __eq__(self, o): return True", True),
        ("class A:\n    __hash__ = None", True),
        ("class A:\n    def __eq__(self, o): return True\n    __hash__ = object.__hash__", False),
        ("class A(dict):", True),
        ("class A(dict):\n    def __hash__(self): return id(self)", False),
        ("class A(collections.UserDict):", True),
        ("class A(typing.NamedTuple):", True),
        ("class A:\n    __slots__ = ('w',)", True),
        ("class A:\n    __slots__ = 'w', '__weakref__'", False),
        ("class B: pass\nclass A(B):\n    __slots__ = ('w',)", False),
        ("@dataclasses.dataclass\nclass A:\n    w: int", True),
        ("@dataclasses.dataclass(frozen=True)\nclass A:\n    w: int", False),
        ("@dataclasses.dataclass(eq=False)\nclass A:\n    w: int", False),
        ("@dataclasses.dataclass(unsafe_hash=True)\nclass A:\n    w: int", False),
        ("@dataclasses.dataclass(eq=False, slots=True)\nclass A:\n    w: int", True),
        ("@dataclasses.dataclass\nclass B: pass\nclass A(B):", True),
        ("class A(tf.Module):", False),
        ("class A(tf.keras.Model):", False),
    ],
)
def test_instances_that_cannot_be_keys(build: Build, head: str, is_blocked: bool) -> None:
    imports = "import collections, dataclasses, typing\nimport tensorflow as tf\n"
    model = build(f"{imports}{head}\n    def step(self, x): return x + 1.0\n")
    assert (method_blocker(model, unit_named(model, "A.step")) is not None) is is_blocked


def test_what_derives_from_a_class_counts_too(build: Build) -> None:
    code = "class A:\n    def step(self, x): return x\nclass B(A, dict): pass\n"
    model = build(code)
    assert method_blocker(model, unit_named(model, "A.step")) is not None
