from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tests.semantics.conftest import expression, unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

Build = Callable[[str], SemanticModel]
HEAD = "import numpy as np\nimport tensorflow as tf\n"
PROBABLE = "import tensorflow_probability as tfp\ntfd = tfp.distributions\n"
#: A layer of the project's own.
LAYER = (
    "class Scaled(tf.keras.layers.Layer):\n    def call(self, x):\n        return tf.square(x)\n"
)


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
        (f"{LAYER}x = Scaled()(unknown)\nx", "x", Kind.UNKNOWN),
        (f"{LAYER}x = Scaled()(tf.ones([2]))\nx", "x", Kind.TENSOR),
        (f"{LAYER}x = Scaled()(tf.keras.Input((2,)))\nx", "x", Kind.KERAS_TENSOR),
        ("with tf.name_scope('a') as x:\n    x", "x", Kind.UNKNOWN),
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
        ("d = {'a': 1, 'b': tf.zeros(2)}\nx = d['b']\nx", "x", Kind.TENSOR),
        ("d = {'a': 1, 'b': tf.zeros(2)}\nx = d['c']\nx", "x", Kind.UNKNOWN),
        ("d = dict(a='', b=tf.zeros(2))\nx = d['a']\nx", "x", Kind.STRING),
        ("d = {'a': ''}\nd['b'] = tf.zeros(2)\nx = d['b']\nx", "x", Kind.TENSOR),
        (
            "import collections\nd = collections.OrderedDict()\nd[1] = tf.zeros(2)\nx = d[1]\nx",
            "x",
            Kind.TENSOR,
        ),
        (
            "from collections import defaultdict\nd = defaultdict(list)\nx = d['a']\nx",
            "x",
            Kind.LIST,
        ),
        ("d = {'a': ''}\nd.update({'b': {'c': 1}})\nx = d['b']['c']\nx", "x", Kind.INT),
        ("d = {'a': ''}\nd.update(unknown())\nx = d['a']\nx", "x", Kind.UNKNOWN),
        ("d = {'a': '', **{'a': 1}}\nx = d['a']\nx", "x", Kind.INT),
        ("d = {'a': 1} if unknown() else {'b': ''}\nx = d['b']\nx", "x", Kind.STRING),
        ("d = {'a': {'b': 1}}\nfor _ in range(9):\n    d = {'a': d}\nx = d\nx", "x", Kind.DICT),
        ("d = {'a': '', 'b': 1}\nx = d.get('b', 2)\nx", "x", Kind.INT),
        ("m = tf.keras.Sequential([])\nx = m.__call__(np.zeros(2))\nx", "x", Kind.TENSOR),
        (f"{PROBABLE}x = tfd.Categorical(logits=tf.zeros(2))\nx", "x", Kind.DISTRIBUTION),
        (f"{PROBABLE}x = tfd.Normal(0.0, 1.0).log_prob(1.0)\nx", "x", Kind.TENSOR),
        (f"{PROBABLE}x = tfd.Normal(tf.keras.Input([2]), 1.0)\nx", "x", Kind.UNKNOWN),
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


@pytest.mark.parametrize(
    "shown",
    [
        "from tqdm import tqdm as shown",
        "from tqdm.auto import tqdm as shown",
        "from fastprogress import progress_bar as shown",
        "from rich.progress import track as shown",
        "from alive_progress import alive_it as shown",
    ],
)
def test_progress_bars_are_what_they_go_through(build: Build, shown: str) -> None:
    model = build(
        f"{HEAD}{shown}\nbar = shown(tf.data.Dataset.range(9), total=9)\nfor x in bar:\n    x\n"
    )
    assert model.value(expression(model, "bar")).kind is Kind.DATASET
    assert model.value(expression(model, "x")).kind is Kind.TENSOR


AGENT = """
class Agent:
    def __init__(self, model, optimizer, logger=None):
        self.model = model
        self.optimizer = optimizer
        self.logger = logger
"""
STEP = """
def step(model, x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(model, x, y)
    gradients = tape.gradient(loss, model.trainable_variables)
    update(gradients)
"""


@pytest.mark.parametrize(
    ("code", "text", "kind"),
    [
        ("def f(m, x):\n    m(x, training=True)\n    return m", "m", Kind.MODEL),
        ("def f(m, x):\n    m.train_on_batch(x)\n    return m", "m", Kind.MODEL),
        ("def f(m):\n    m.compile('sgd')\n    m.summary()\n    return m", "m", Kind.MODEL),
        ("def f(m, x):\n    m(x)\n    m.trainable_variables\n    return m", "m", Kind.MODEL),
        ("def f(m):\n    m.trainable_variables\n    return m", "m", Kind.MODULE),
        ("def f(o, g):\n    o.apply_gradients(g)\n    return o", "o", Kind.OPTIMIZER),
        ("def f(o, g):\n    if o:\n        o.apply_gradients(g)\n    o", "o", Kind.OPTIMIZER),
        ("def f(v):\n    v.assign_add(1.0)\n    return v", "v", Kind.VARIABLE),
        ("def f(vs):\n    for v in vs:\n        v.assign(1.0)\n    v", "v", Kind.VARIABLE),
        ("import lib\nd = lib.data()\nd.map(str).prefetch(1)\nd", "d", Kind.DATASET),
        ("import lib\nd = lib.data()\nspec = d.element_spec\nd", "d", Kind.DATASET),
        (STEP, "loss", Kind.TENSOR),
        ("def f(o, g):\n    o.apply_gradients(zip(g, o.v))\n    g", "g", Kind.LIST),
        (
            AGENT + "    def f(self):\n        self.model.trainable_weights",
            "self.model",
            Kind.MODULE,
        ),
        (
            AGENT + "    def f(self, x):\n        self.model(x, training=False)",
            "self.model",
            Kind.MODEL,
        ),
        (
            "class A:\n    model = None\n    def f(self):\n        self.model.train_on_batch(1)",
            "self.model",
            Kind.MODEL,
        ),
        (
            "class A:\n    def f(self, g):\n        self.optimizer.apply_gradients(g)",
            "self.optimizer",
            Kind.OPTIMIZER,
        ),
        (
            "def f(agent, x):\n    agent.model(x)\n    agent.model.trainable_variables",
            "agent.model",
            Kind.MODEL,
        ),
        (
            "def f(o, g, k):\n    o['actor'].apply_gradients(g)\n    o[k].assign_add(1.0)\n    o['actor']",
            "o['actor']",
            Kind.OPTIMIZER,
        ),
        ("def f(o, k):\n    o[k].assign_add(1.0)\n    o[k]", "o[k]", Kind.VARIABLE),
    ],
)
def test_what_only_one_kind_is_asked_says_the_kind(
    build: Build, code: str, text: str, kind: Kind
) -> None:
    model = build(HEAD + code + "\n")
    value = model.value(expression(model, text))
    assert value.kind is kind
    assert value.by_use


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("def f(m, x, y):\n    m.fit(x, y)\n    m.predict(x)\n    return m", "m"),
        ("def f(m):\n    m.compile()\n    return m", "m"),
        ("def f(o):\n    o.zero_grad()\n    o.step()\n    return o", "o"),
        ("def f(s, g):\n    s.apply_gradients(grads=g)\n    return s", "s"),
        ("def f(d):\n    d.assign(total=1)\n    return d", "d"),
        ("def f(d):\n    d.map(str)\n    d.batch(2)\n    return d", "d"),
        ("def f(m):\n    m.train_on_batch(1)\n    m.assign_add(1)\n    return m", "m"),
        (
            "class Mine:\n    def apply_gradients(self, pairs): ...\n"
            "def f(o, g):\n    o.apply_gradients(g)\n    return o",
            "o",
        ),
        (
            "def forward(x, training): ...\ndef f(m, x):\n    m(x, training=True)\n    return m",
            "m",
        ),
        ("import lib\ndef f(g):\n    lib.optimizer.apply_gradients(g)", "lib.optimizer"),
        ("def f(g, a, b):\n    a.apply_gradients(g)\n    return b", "b"),
        ("def f(agent, x):\n    agent.encode(x, training=True)", "agent.encode"),
        ("def f(tape, x, v):\n    tape.gradient(x, v)\n    return x", "x"),
        ("def f(o, k):\n    o[k].assign_add(1.0)\n    o[0]", "o[0]"),
        ("def f(o, k):\n    o[k.a].assign_add(1.0)\n    o[k.a]", "o[k.a]"),
    ],
)
def test_what_other_objects_are_asked_too_says_nothing(build: Build, code: str, text: str) -> None:
    model = build(HEAD + code + "\n")
    assert model.value(expression(model, text)).kind is Kind.UNKNOWN


def test_an_optimizer_of_the_projects_own_does_not_hide_what_is_asked(build: Build) -> None:
    own = "class Mine(tf.keras.optimizers.SGD):\n    def apply_gradients(self, pairs): ...\n"
    model = build(HEAD + own + "def f(o, g):\n    o.apply_gradients(g)\n    return o\n")
    assert model.value(expression(model, "o")).kind is Kind.OPTIMIZER


def test_what_makes_a_value_goes_before_what_is_asked_of_it(build: Build) -> None:
    code = "class Mine: ...\nm = Mine()\nm.train_on_batch(1)\nm\n"
    model = build(HEAD + code)
    value = model.value(expression(model, "m"))
    assert value.kind is Kind.OBJECT
    assert not value.by_use


def test_what_follows_from_use_is_marked_so(build: Build) -> None:
    code = (
        "def f(v):\n    v.assign_add(1.0)\n    w = v * 2\n    total = w[0] + 1\n    return total\n"
    )
    model = build(HEAD + code)
    assert model.value(expression(model, "total")).kind is Kind.TENSOR
    assert model.value(expression(model, "total")).by_use


def test_an_object_may_be_a_model_by_a_base_that_is_not_known(build: Build) -> None:
    code = (
        "from nets import Net, Policy\n"
        "import abc\n"
        "class Mine(Net):\n    def forward(self, x):\n        return x\n"
        "class Plain(abc.ABC):\n    pass\n"
        "mine, other, plain = Mine(), Mine(), Plain()\n"
        "y = mine(1)\n"
        "print(mine.trainable_weights, plain.trainable_weights)\n"
    )
    model = build(HEAD + code)
    asked = [n.value for n in model.nodes(cst.Attribute) if n.attr.value == "trainable_weights"]
    mine, plain = map(model.value, asked)
    assert (mine.kind, mine.by_use) == (Kind.MODEL, True)
    assert mine.class_ is not None
    assert plain.kind is Kind.OBJECT


def test_an_unknown_model_may_give_anything(build: Build) -> None:
    model = build(HEAD + "def f(m, x):\n    y = m(x, training=True)\n    return y\n")
    assert model.value(expression(model, "y")).kind is Kind.UNKNOWN


def test_an_object_that_holds_what_holds_it(build: Build) -> None:
    """Each is the other's attribute, and one of them comes in by a parameter and by `self`."""
    code = (
        "class Protocol(Mixin):\n"
        "    def replace(self, writer):\n"
        "        self.writer = writer\n"
        "\n"
        "    def connected(self, transport):\n"
        "        if self.callback is not None:\n"
        "            self.writer = Writer(transport, self)\n"
        "\n"
        "class Writer:\n"
        "    def __init__(self, transport, protocol):\n"
        "        self.protocol = protocol\n"
        "\n"
        "    def start(self):\n"
        "        protocol = self.protocol\n"
        "        protocol.replace(self)\n"
    )
    model = build(HEAD + code)
    assert model.value(expression(model, "protocol.replace")).kind is Kind.METHOD


HELPERS = """
def either(f):
    if unknown():
        return f
    return tf.function(jit_compile=True)(f)
def named(f, is_graph=True):
    f = tf.function(f) if is_graph else f
    return f
def rebound(f):
    if unknown():
        f = tf.function(f)
    return f
def other(f):
    return unknown(f)
def one(x):
    return {"a": x, "b": 1}
def two(x):
    return ""
"""


@pytest.mark.parametrize(
    ("helper", "kinds"),
    [
        ("either", {Kind.FUNCTION, Kind.TRACED}),
        ("named", {Kind.FUNCTION, Kind.TRACED}),
        ("rebound", {Kind.FUNCTION, Kind.TRACED}),
        ("other", set()),
    ],
)
def test_a_function_that_gives_back_what_it_is_given_does_so_for_each_call(
    build: Build, helper: str, kinds: set[Kind]
) -> None:
    model = build(f"{HEAD}{HELPERS}f = {helper}(one)\ng = {helper}(two)\nf, g\n")
    for name, unit in (("f", "one"), ("g", "two")):
        choices = model.value(expression(model, name)).choices
        assert {choice.kind for choice in choices} == kinds
        assert {choice.unit.name for choice in choices if choice.unit} == (
            {unit} if kinds else set()
        )


@pytest.mark.parametrize(
    "code",
    [
        "x = tf.Variable(tf.ones([4]), shape=tf.TensorShape(None))",
        "x = tf.identity(tf.ones([4]) if unknown else 1.0)",
        "x = tf.ones([4, 3])[None if unknown else 0]",
        "x = tf.ones([4, 3]) if unknown else tf.stack([unknown])",
        "shape = [4]\nshape += [3]\nx = tf.ones(shape)",
        "shape = [4]\nshape.append(3)\nx = tf.ones(shape)",
        "x = tf.ones([4])\nfor _ in range(3):\n    x = x[None]",
    ],
)
def test_no_rank_is_known_where_there_may_be_several(build: Build, code: str) -> None:
    model = build(f"{HEAD}{code}\nx")
    shape = model.value(expression(model, "x")).shape
    assert shape is None or Ellipsis in shape


def test_what_is_joined_has_the_rank_of_those_that_are_known(build: Build) -> None:
    model = build(f"{HEAD}x = tf.concat([tf.ones([2, 3]), unknown], axis=0)\nx")
    assert model.value(expression(model, "x")).shape == (None, 3)
