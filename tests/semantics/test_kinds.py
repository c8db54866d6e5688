from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.semantics.conftest import expression, unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

Build = Callable[[str], SemanticModel]
HEAD = "import numpy as np\nimport tensorflow as tf\n"


@pytest.mark.parametrize(
    ("code", "text", "kind"),
    [
        ("x = tf.zeros([2])\nx", "x", Kind.TENSOR),
        ("x = tf.zeros([2]) * 2 + 1\nx", "x", Kind.TENSOR),
        ("x = tf.zeros([2]).numpy()\nx", "x", Kind.NDARRAY),
        ("x = tf.Variable(1.0)\nx", "x", Kind.VARIABLE),
        ("x = tf.zeros([2]) > 0\nx", "x", Kind.TENSOR),
        ("x = np.zeros(3)\nx", "x", Kind.NDARRAY),
        ("x = 3\nx", "x", Kind.INT),
        ("x = tf.shape(tf.zeros([2]))[0]\nx", "x", Kind.TENSOR),
        ("x = tf.zeros([2]).shape[0]\nx", "x", Kind.INT),
        ("m = tf.keras.Sequential([])\nx = m(np.zeros(2))\nx", "x", Kind.TENSOR),
        ("m = tf.keras.Sequential([])\nx = m.predict(1)\nx", "x", Kind.NDARRAY),
        ("x = tf.keras.optimizers.SGD(0.1)\nx", "x", Kind.OPTIMIZER),
        ("x = tf.keras.layers.LSTM(3)\nx", "x", Kind.LAYER),
        ("x = tf.keras.layers.Dense(3)(tf.keras.Input((2,)))\nx", "x", Kind.KERAS_TENSOR),
        ("for x in tf.data.Dataset.range(3):\n    x", "x", Kind.TENSOR),
        ("d = tf.data.Dataset.from_tensor_slices((1, 2)).batch(2)\nd", "d", Kind.DATASET),
        (
            "for i, (x, y) in enumerate(tf.data.Dataset.from_tensor_slices((1, 2))):\n    y",
            "y",
            Kind.TENSOR,
        ),
        ("(a, b), c = tf.keras.datasets.mnist.load_data()\nb", "b", Kind.NDARRAY),
        ("x = [tf.zeros(1) for _ in range(3)][0]\nx", "x", Kind.TENSOR),
        ("with tf.GradientTape() as t:\n    pass\nt", "t", Kind.TAPE),
        ("f = tf.function(lambda v: v)\nf", "f", Kind.TRACED),
        ("x = np.zeros(3).tolist()\nx", "x", Kind.LIST),
        ("x = np.zeros(3).tolist()[0]\nx", "x", Kind.FLOAT),
        ("x = np.random.randint(0, 9, 5).tolist()[0]\nx", "x", Kind.INT),
        ("x = np.random.RandomState(1).randint(9, size=(2, 2)).tolist()[0]\nx", "x", Kind.LIST),
        ("x = np.random.RandomState(1).randint(9, size=(2, 2)).tolist()[0][1]\nx", "x", Kind.INT),
        ("x = np.zeros([]).tolist()\nx", "x", Kind.FLOAT),
        ("x = np.zeros(3, np.int32).item(1)\nx", "x", Kind.INT),
        ("x = np.random.uniform(0.1, 0.2)\nx", "x", Kind.FLOAT),
        ("x = np.random.uniform(0.1, 0.2, 3)\nx", "x", Kind.NDARRAY),
        ("x = np.random.uniform(np.zeros(2))\nx", "x", Kind.NDARRAY),
        ("x = np.random.default_rng(1).normal()\nx", "x", Kind.FLOAT),
        ("x = unknown()\nx", "x", Kind.UNKNOWN),
        ("x = 1 if unknown() else tf.zeros(2)\nx", "x", Kind.TENSOR),
    ],
)
def test_kind_of(build: Build, code: str, text: str, kind: Kind) -> None:
    model = build(HEAD + code + "\n")
    assert model.value(expression(model, text)).kind is kind


def test_a_number_on_one_path_is_no_proved_tensor(build: Build) -> None:
    model = build(HEAD + "total = 0\nfor x in tf.data.Dataset.range(9):\n    total += x\ntotal\n")
    value = model.value(expression(model, "total"))
    assert value.mixed
    assert not value.is_tensor


def test_loop_targets_and_counters_vary(build: Build) -> None:
    model = build(HEAD + "n = 0\nfor i in range(5):\n    n += 1\n    f(i, n)\n")
    loop = model.nodes(__import__("libcst").For)[0]
    assert model.value(expression(model, "i")).loop is loop
    assert model.value(expression(model, "n")).loop is loop


def test_arguments_reach_parameters_through_calls_and_methods(build: Build) -> None:
    model = build(
        HEAD
        + """
class Agent:
    def __init__(self):
        self.model = tf.keras.Sequential([])

    def act(self, state):
        return self.model(state)


def main():
    agent = Agent()
    return agent.act(np.zeros(3))


result = main()
result
"""
    )
    assert model.value(expression(model, "result")).kind is Kind.TENSOR
    state = unit_named(model, "Agent.act").parameter("state")
    assert state is not None
    assert state.value.kind is Kind.NDARRAY


def test_attributes_set_later_are_seen(build: Build) -> None:
    model = build(
        HEAD
        + """
class Net(tf.keras.Model):
    def call(self, x):
        return self.late(x)

    def setup(self):
        self.late = tf.keras.layers.Dense(3)


net = Net()
net.setup()
out = net(tf.zeros([1, 2]))
out
"""
    )
    assert model.value(expression(model, "out")).kind is Kind.TENSOR


@pytest.mark.parametrize(
    ("chain", "remainder"),
    [
        (".batch(32)", True),
        (".batch(25)", False),
        (".batch(32, drop_remainder=True)", False),
        (".repeat().batch(32)", False),
        (".shuffle(10).batch(32).prefetch(1)", True),
    ],
)
def test_batches_have_a_remainder(build: Build, chain: str, remainder: bool) -> None:
    model = build(HEAD + f"d = tf.data.Dataset.from_tensor_slices(np.zeros((100, 3))){chain}\nd\n")
    pipeline = model.value(expression(model, "d")).pipeline
    assert pipeline is not None
    assert pipeline.remainder is remainder


def test_draws_vary_with_the_loop_around_them(build: Build) -> None:
    code = """import random, time
def drawn():
    return 2 * random.random()
for turn in range(9):
    a = random.uniform(0.1, 0.2)
    b = np.random.RandomState(1).normal()
    c = time.time() - 3.0
    d = drawn()
    unknown(a, b, c, d)
once = random.random()
once
"""
    model = build(HEAD + code)
    around = model.ancestors(expression(model, "unknown(a, b, c, d)"))
    for name in "abcd":
        assert model.value(expression(model, name)).loop in around
    assert model.value(expression(model, "once")).loop is None
