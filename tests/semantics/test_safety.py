from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.arrays import are_cast_to_usual
from tfxla_lint.semantics.safety.verdict import Safety

Build = Callable[[str], SemanticModel]
HEAD = """
import time
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp
tfd = tfp.distributions
w = tf.Variable(1.0)
model = tf.keras.Sequential([])
optimizer = tf.keras.optimizers.SGD(0.1)
metric = tf.keras.metrics.Mean()
history = []
weights = [w]
scale = 2.0
writer = tf.summary.create_file_writer("logs")
count = tf.Variable(0, dtype=tf.int64)
"""


def blockers(model: SemanticModel, name: str = "f") -> set[str]:
    return {b.reason.value for b in model.ask(Safety).unit_blockers(unit_named(model, name))}


@pytest.mark.parametrize(
    "body",
    [
        "return tf.reduce_sum(x) * scale",
        "with tf.GradientTape() as tape:\n        y = model(x)\n"
        "    g = tape.gradient(y, model.trainable_variables)\n"
        "    optimizer.apply_gradients(zip(g, model.trainable_variables))\n    return y",
        "metric.update_state(x)\n    return metric.result()",
        "parts = []\n    for i in range(3):\n        parts.append(x * i)\n    return tf.add_n(parts)",
        "assert x.shape[0] == 3\n    return tf.cast(x, tf.float32)",
        "w.assign_add(1.0)",
        "def inner(v):\n        return tf.sin(v)\n    return inner(x)",
        "k = 2.0\n    def inner(v):\n        return v * k\n    y = inner(x)\n"
        "    k = 3.0\n    return y + inner(x)",
        "if scale > 1.0:\n        return tf.sin(x)\n    return tf.cos(x)",
        "with writer.as_default():\n        tf.summary.scalar('a', x[0], step=count)\n"
        "        writer.flush()",
        "if len(x.shape) > 2:\n        raise ValueError('too many')\n    return tf.cos(x)",
        "if scale > 1.0:\n        return x\n    raise ValueError(scale)",
        "if tf.reduce_sum(x) > 0:\n        x = -x\n    return x",
        "if not tf.reduce_any(x > 0):\n        x = -x\n    return x",
        "if scale > 1.0 and not x[0] > 0:\n        x = -x\n    return x",
        "if x[0] > 0:\n        return x, x[0]\n    else:\n        y = -x\n    return y, y[1]",
        "if x[0] > 2:\n        return x\n    elif x[0] > 1:\n        return -x\n"
        "    else:\n        return 2 * x",
        "return tf.cos(x) if x[0] > 0 else x",
        "y = 0.0\n    for v in x:\n        y += v\n    return y",
        "rows = tf.TensorArray(tf.float32, 3)\n    rows = rows.write(0, x)\n    return rows.stack()",
        "i = tf.constant(0)\n    while i < 3:\n        x, i = x * 2.0, i + 1\n    return x",
        "y = x[0]\n    for i in tf.range(3):\n        if x[i] < 0:\n            continue\n"
        "        y = tf.maximum(y, x[i])\n    return y",
        "a = tf.TensorArray(tf.float32, 3)\n    for i in tf.range(3):\n"
        "        a = a.write(i, x[i])\n    return a.stack()",
        "from collections import OrderedDict\n    d = OrderedDict()\n    d['a'] = x\n    return d['a']",
        "d = tfd.Normal(x, 1.0)\n    return d.log_prob(d.sample()) - d.entropy()",
        "v = model.trainable_variables\n    v += [w]\n    return tf.add_n([tf.norm(p) for p in v])",
    ],
)
def test_can_be_traced(build: Build, body: str) -> None:
    model = build(f"{HEAD}\ndef f(x):\n    {body}\n\nfor _ in range(9):\n    f(tf.zeros([3]))\n")
    assert blockers(model) == set()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print(x)", "python-side-effect"),
        ("return tfd.Normal(x, 1.0)", "non-tensor-result"),
        ("return tfd.Normal(x, 1.0).unheard_of(x)", "unresolved-call"),
        ("v = weights\n    v += [w]\n    return x", "python-side-effect"),
        ("tf.summary.scalar('a', x[0], step=count)", "summary"),
        ("with writer.as_default():\n        tf.summary.scalar('a', x[0], step=3)", "summary"),
        ("tf.print('%s of %d' % (x, 3))", "autograph-limit"),
        ("history.append(x)", "python-side-effect"),
        ("model.flag = x", "python-side-effect"),
        ("global scale\n    scale = 3.0", "python-side-effect"),
        ("return tf.sin(x).numpy()", "eager-only-call"),
        ("model.fit(x)", "eager-only-call"),
        ("return np.sum(x)", "numpy-on-tensor"),
        ("return x * time.time()", "frozen-python-value"),
        ("return x + np.random.rand()", "frozen-python-value"),
        ("return unknown(x)", "unresolved-call"),
        ("return tf.Variable(x)", "object-made-on-each-call"),
        ("return tf.keras.layers.Dense(3)(x)", "object-made-on-each-call"),
        (
            "try:\n        return tf.sin(x)\n    except ValueError:\n        return x",
            "autograph-limit",
        ),
        ("if tf.reduce_sum(x) > 0:\n        y = -x\n    return y", "autograph-limit"),
        ("k = 1\n    if tf.reduce_sum(x) > 0:\n        k = 2\n    return k * x", "autograph-limit"),
        (
            "if x[0] > 2:\n        return x\n    elif x[0] > 1:\n        return -x\n    return 2 * x",
            "autograph-limit",
        ),
        (
            "if x[0] > 2:\n        if x[1] > 1:\n            return x\n    return -x",
            "autograph-limit",
        ),
        (
            "for v in x:\n        if v > 1.0:\n            return v\n    return x[0]",
            "autograph-limit",
        ),
        (
            "for i in range(3):\n        if x[i] > 1.0:\n            break\n        x *= 2.0\n"
            "    return x",
            "autograph-limit",
        ),
        (
            "while tf.reduce_sum(x) < 9.0:\n        x = tf.concat([x, x], 0)\n    return x",
            "autograph-limit",
        ),
        ("rows = []\n    for v in x:\n        rows.append(v)\n    return rows", "autograph-limit"),
        (
            "rows = {}\n    for v in x:\n        rows['last'] = v\n    return rows",
            "autograph-limit",
        ),
        ("return [v for v in tf.sin(x)]", "autograph-limit"),
        ("if x[0] in [1.0, 2.0]:\n        x = -x\n    return x", "autograph-limit"),
        ("return x[0] or tf.ones([])", "autograph-limit"),
        ("a, b, c = x\n    return a + b + c", "autograph-limit"),
        ("return tf.stack([*tf.sin(x)])", "autograph-limit"),
        ("return tf.add_n([v for v in [x, x] if v[0] > 0])", "autograph-limit"),
        ("match x[0]:\n        case 1.0:\n            return x\n    return -x", "autograph-limit"),
        ("return min([x[0], x[1]])", "autograph-limit"),
        ("return x if tf.executing_eagerly() else -x", "autograph-limit"),
        ("return grown[tf.argmax(x)] * x", "autograph-limit"),
        ("d = {}\n    if x[0] > 0:\n        d['a'] = x\n    return x", "autograph-limit"),
        (
            "p = []\n    if x[0] > 0:\n        p.append(x)\n    return tf.add_n(p)",
            "autograph-limit",
        ),
        (
            "rows = tf.TensorArray(tf.float32, 3)\n    rows.write(0, x)\n    return rows.stack()",
            "autograph-limit",
        ),
        ("return 1", "non-tensor-result"),
        ("yield x", "generator-or-coroutine"),
        ("return helper(x)", "python-side-effect"),
        ("return x * counter", "changing-python-state"),
        ("return x * np_table[0]", "changing-python-state"),
        ("return tf.add_n(grown.copy())", "changing-python-state"),
        ("tf.summary.scalar('x', x)", "summary"),
    ],
)
def test_cannot_be_traced(build: Build, body: str, reason: str) -> None:
    model = build(
        f"{HEAD}\ncounter = 0\nnp_table = np.zeros(3)\n"
        "grown = [1.0]\ndef helper(x):\n    print(x)\n    return x\n"
        f"def f(x):\n    {body}\n\nfor _ in range(9):\n    counter += 1\n    f(tf.zeros([3]))\n"
        "    np_table[0] = 1\n    grown.append(2.0)\n"
    )
    assert reason in blockers(model)


@pytest.mark.parametrize(
    "body",
    [
        "for i, v in enumerate(x):\n        y = y + v\n    return y",
        "return tf.add_n([v * 2 for v in x])",
        "for v in zip(x, x):\n        y = y + v[0]\n    return y",
        "if tf.reduce_sum(x) > 3.0:\n        raise ValueError('too much')\n    return y",
        "raise NotImplementedError",
    ],
)
def test_what_is_not_known_may_be_a_tensor(build: Build, body: str) -> None:
    model = build(f"{HEAD}\ndef f(x):\n    y = tf.zeros([])\n    {body}\n")
    assert "autograph-limit" in blockers(model)


def test_varying_python_numbers_and_raw_arrays_block(build: Build) -> None:
    model = build(f"{HEAD}\ndef f(n, a):\n    return a - tf.zeros([3]) * n\n"
                  "for i in range(9):\n    f(i, np.ones(3))\n")  # fmt: skip
    assert blockers(model) == {"varying-python-argument", "numpy-argument"}


def test_arrays_that_keras_casts_do_not_block(build: Build) -> None:
    model = build(
        f"{HEAD}\ndef f(a):\n    return model(a)\nfor i in range(9):\n    f(np.ones(3))\n"
    )
    assert blockers(model) == set()


def test_a_second_model_blocks(build: Build) -> None:
    model = build(
        f"{HEAD}\nother = tf.keras.Sequential([])\ndef f(net, x):\n    return net(x)\n"
        "for i in range(9):\n    f(model, tf.zeros([3]))\n    f(other, tf.zeros([3]))\n"
    )
    assert "different-models-or-optimizers" in blockers(model)


def test_attributes_that_change_block(build: Build) -> None:
    model = build(
        """
import tensorflow as tf

class Agent:
    def __init__(self):
        self.rate = 0.1
        self.fixed = 0.5

    def decay(self):
        self.rate *= 0.9

    def f(self, x):
        return x * self.rate

    def g(self, x):
        return x * self.fixed

agent = Agent()
for _ in range(9):
    agent.f(tf.zeros([3]))
    agent.g(tf.zeros([3]))
    agent.decay()
"""
    )
    assert blockers(model, "Agent.f") == {"changing-python-state"}
    assert blockers(model, "Agent.g") == set()


def test_a_knob_that_a_loop_turns_blocks(build: Build) -> None:
    model = build(
        f"{HEAD}\ndef f(x):\n    return model(x)\n"
        "for i in range(9):\n    model.trainable = i > 3\n    f(tf.zeros([3]))\n"
    )
    assert blockers(model) == {"changing-python-state"}


def test_a_global_that_is_bound_for_the_last_time_before_the_first_call_is_settled(
    build: Build,
) -> None:
    model = build(
        f"{HEAD}\nx = np.ones(3)\nx = tf.constant(x)\n"
        "def f(y):\n    return tf.sin(x) * y\n\n"
        "def g(y):\n    return tf.sin(late) * y\n\n"
        "def h(y):\n    return tf.sin(turned) * y\n\n"
        "late = tf.ones([3])\nlate = late * 2.0\nturned = tf.ones([3])\n"
        "for _ in range(9):\n    f(tf.zeros([3]))\n    g(tf.zeros([3]))\n"
        "h(tf.zeros([3]))\nturned = late\nh(tf.zeros([3]))\nlate = turned\n"
    )
    assert blockers(model) == set()
    assert blockers(model, "g") == set()
    assert blockers(model, "h") == {"changing-python-state"}


@pytest.mark.parametrize(
    ("program", "found"),
    [
        ("w.append(1.0)\nfor i in range(9):\n    f(T)\n", False),
        ("for i in range(3):\n    w.append(1.0)\nfor i in range(9):\n    f(T)\n", False),
        ("for i in range(9):\n    f(T)\nw.append(1.0)\n", False),
        ("def add():\n    w.append(1.0)\nadd()\nadd()\nfor i in range(9):\n    f(T)\n", False),
        ("def run():\n    for i in range(9):\n        f(T)\nw.append(1.0)\nrun()\n", False),
        ("for i in range(9):\n    w.append(1.0)\n    f(T)\n", True),
        ("for i in range(9):\n    f(T)\nw.append(1.0)\nf(T)\n", True),
        ("def add():\n    w.append(1.0)\nfor i in range(9):\n    f(T)\n    add()\n", True),
        ("def run():\n    f(T)\nfor i in range(9):\n    run()\n    w.append(1.0)\n", True),
        ("import other\nother.start(f)\nfor i in range(9):\n    f(T)\nw.append(1.0)\n", True),
        ("import other\nfor i in range(9):\n    f(T)\nother.go(lambda: w.pop())\n", True),
    ],
)  # fmt: skip
def test_a_list_is_settled_that_nothing_changes_between_two_reads(
    build: Build, program: str, found: bool
) -> None:
    head = f"{HEAD}\nT = tf.ones([3])\nw = [1.0]\ndef f(x):\n    return tf.add_n(w) * x\n\n"
    assert ("changing-python-state" in blockers(build(head + program))) is found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("global scale\n    return x * scale", False),
        ("global scale\n    scale = 2.0\n    return x * scale", True),
        ("global scale\n    for scale in (1.0, 2.0):\n        x *= scale\n    return x", True),
    ],
)
def test_a_name_that_is_declared_and_not_bound_is_no_effect(
    build: Build, body: str, found: bool
) -> None:
    model = build(
        f"{HEAD}\nscale = 1.0\ndef f(x):\n    {body}\n\nfor i in range(9):\n    f(tf.zeros([3]))\n"
    )
    assert ("python-side-effect" in blockers(model)) is found
    assert found or blockers(model) == set()


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("tf.gather(w, x)", set()),
        ("tf.keras.losses.mean_squared_error(x, model(w))", set()),
        ("w - x", set()),
        ("w * (1.0 - x)", set()),
        ("tf.cast(x[:, tf.newaxis], tf.float32)", set()),
        ("tf.matmul(tf.cast(w, tf.float64), x[:, tf.newaxis])", {"numpy-argument"}),
        ("tf.matmul(tf.cast(w, tf.float64), x)", {"numpy-argument"}),
        ("tf.reduce_sum(x)", set()),
        ("tf.stop_gradient(x) * w", set()),
        ("model(tf.convert_to_tensor(x))", set()),
        ("tf.convert_to_tensor(x, dtype=tf.float64)", {"numpy-argument"}),
        ("tf.constant(x)", {"numpy-argument"}),
        ("tf.math.betainc(x, x, x)", {"numpy-argument"}),
        ("model([x, w])", set()),
        ("tf.stack([x, w])", set()),
        ("tf.concat([x[:, None], w[:, None]], axis=1)", set()),
        ("tf.stack([x, tf.cast(w, tf.float64)])", {"numpy-argument"}),
        ("tf.stack([x, later])", {"numpy-argument"}),
        ("w if w.shape == x.shape else model(w)", set()),
    ],
)
def test_arrays_that_mean_the_same_in_a_trace(build: Build, use: str, expected: set[str]) -> None:
    model = build(
        f"{HEAD}\ndef f(x):\n    return {use}\n\n"
        "for _ in range(9):\n    f(np.zeros([3], dtype=np.float32))\n"
    )
    assert blockers(model) == expected


def test_arrays_are_cast_to_the_dtype_that_the_project_sets(build: Build) -> None:
    text = (
        f"{HEAD}\ntf.keras.backend.set_floatx({{dtype}})\n"
        "def f(x):\n    return model(w) - x\n\n"
        "for _ in range(9):\n    f(np.zeros([3], dtype=np.float64))\n"
    )
    assert blockers(build(text.format(dtype='"float64"'))) == set()
    assert blockers(build(text.format(dtype='"float32"'))) == {"numpy-argument"}
    assert blockers(build(text.format(dtype="chosen()"))) == {"numpy-argument"}


def test_layers_that_are_frozen_once_are_no_changing_state(build: Build) -> None:
    once = "for layer in model.layers:\n    layer.trainable = False\n"
    again = "for i in range(9):\n    for layer in model.layers:\n        layer.trainable = False\n"
    call = "def f(x):\n    return model(x)\n\nfor _ in range(9):\n    f(tf.zeros([3]))\n"
    assert blockers(build(f"{HEAD}\n{once}{call}")) == set()
    assert blockers(build(f"{HEAD}\n{again}{call}")) == {"changing-python-state"}


@pytest.mark.parametrize(("start", "expected"), [("np.load(path)", False), ("model(y)", True)])
def test_a_long_chain_of_names_is_followed_once(build: Build, start: str, expected: bool) -> None:
    chain = "".join(f"x{i + 1} = tf.nn.relu(x{i} * 2.0) + x{i}\n" for i in range(24))
    model = build(f"{HEAD}\ny = np.load(path)\nx0 = tf.abs({start})\n{chain}z = x24 - y\n")
    read = [node for node in model.nodes(cst.Name) if node.value == "y"][-1]
    assert are_cast_to_usual(model, [read]) is expected


def test_a_chain_of_names_without_end_is_not_followed_to_it(build: Build) -> None:
    chain = "".join(f"x{i + 1} = tf.nn.relu(x{i} * 2.0) + x{i}\n" for i in range(400))
    model = build(f"{HEAD}\ny = np.load(path)\nx0 = tf.abs(model(y))\n{chain}z = x400 - y\n")
    read = [node for node in model.nodes(cst.Name) if node.value == "y"][-1]
    assert not are_cast_to_usual(model, [read])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# nothing here is float16 or mixed_precision", True),
        ('"""Not for "float64" data."""', True),
        ("z = tf.zeros([2], tf.float64)", False),
        ("z = tf.zeros([2], dtype='float64')", False),
        ("z = tf.constant([1.0], np.float64)", False),
        ("tf.keras.mixed_precision.set_global_policy('mixed_float16')", False),
    ],
)
def test_code_and_no_comment_says_which_dtypes_there_are(
    build: Build, line: str, expected: bool
) -> None:
    model = build(f"{HEAD}\n{line}\ny = np.load(path)\nx = model(y)\nz = x - y\n")
    read = [node for node in model.nodes(cst.Name) if node.value == "y"][-1]
    assert are_cast_to_usual(model, [read]) is expected


CONTAINERS = """
import numpy as np
import tensorflow as tf
history, table = [], np.zeros([3], np.float32)
def record(rows, x):
    rows.append(x)
    return rows
def relay(rows, x):
    return record(rows, x)
def f(x, given):
    {body}
for _ in range(9):
    f(tf.zeros([3]), [tf.zeros([3])])
    relay([], tf.zeros([3]))
    table[1] = 2.0
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("rows = []; record(rows, x); relay(rows, x); return rows[0]", None),
        ("rows = list(given); rows[0] = x; return rows[0]", None),
        ("rows = tf.unstack(x); rows.append(x[0]); return tf.stack(rows)", None),
        ("rows = [x]; rows += [x]; return rows", None),
        ("m = np.zeros(x.shape, np.float32); m[1:] = 1.0; m += 1.0; return x * m", None),
        ("rows = history; rows.append(x); return x", "python-side-effect"),
        ("rows = history if x.shape else []; rows.append(x); return x", "python-side-effect"),
        ("rows = history; rows += [x]; return x", "python-side-effect"),
        ("record(history, x); return x", "python-side-effect"),
        ("relay(history, x); return x", "python-side-effect"),
        ("relay(given, x); return x", "python-side-effect"),
        ("rows = given; record(rows, x); return x", "python-side-effect"),
        ("given += [x]; return x", "python-side-effect"),
        ("m = table; m[0] = 1.0; return x", "python-side-effect"),
        ("m = np.zeros(3); m[0] = x[0]; return x * m", "numpy-on-tensor"),
    ],
)
def test_a_container_is_changed_that_the_trace_makes_itself_or_not(
    build: Build, body: str, found: str | None
) -> None:
    names = blockers(build(CONTAINERS.format(body=body.replace("; ", "\n    "))))
    assert found in names if found else not names


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("isinstance(x, tf.Tensor)", False),
        ("isinstance(x, np.ndarray)", False),
        ("isinstance(x, (float, int))", False),
        ("isinstance(pair, (list, tuple))", False),
        ("isinstance(a, (list, tuple, dict))", False),
        ("isinstance(model, tf.keras.Model)", False),
        ("type(pair) is tuple", False),
        ("callable(x)", False),
        ("hasattr(x, 'shape')", False),
        ("isinstance(w, tf.Variable)", False),
        ("isinstance(a, np.ndarray)", True),
        ("isinstance(a, tf.Tensor)", True),
        ("isinstance(x, EagerTensor)", True),
        ("isinstance(unknown, float)", True),
        ("type(x) is EagerTensor", True),
        ("hasattr(x, 'numpy')", True),
    ],
)
def test_what_a_trace_answers_otherwise_blocks(build: Build, test: str, found: bool) -> None:
    model = build(
        "from tensorflow.python.framework.ops import EagerTensor\n"
        f"{HEAD}\ndef f(x, a, pair):\n    return tf.sin(x) if {test} else x\n\n"
        "for i in range(9):\n    f(tf.zeros([3]), np.zeros(3, np.float32), (w, w))\n"
    )
    assert ("autograph-limit" in blockers(model)) is found


def test_functional_layers_make_nothing_that_stays(build: Build) -> None:
    model = build(
        f"{HEAD}\nfrom tensorflow.keras import layers\n"
        "def f(x):\n    return layers.concatenate([x, layers.add([x, x])])\n\n"
        "for i in range(9):\n    f(tf.zeros([3, 2]))\n"
    )
    assert blockers(model) == set()


UNBUILT = """
import tensorflow as tf
K = tf.keras
def make():
    return K.Sequential([K.layers.Dense(2)])
class Net(K.Model):
    def __init__(self):
        super().__init__()
        self.dense = K.layers.Dense(2)
    def call(self, x):
        return self.dense(x)
{before}
def forward(x):
    return net(x)
def f(x):
    {body}
for _ in range(9):
    f(tf.zeros([3, 2]))
"""
READ = "v = net.trainable_variables; y = net(x); return y, tf.add_n(v)"


@pytest.mark.parametrize(
    ("before", "body", "found"),
    [
        ("net = make()", READ, True),
        ("net = Net()", READ, True),
        ("net, other = make(), make(); other.build([None, 2])", READ, True),
        ("net = make(); net.build([None, 2])", READ, False),
        ("net = Net(); net(tf.zeros([1, 2]))", READ, False),
        ("net = Net(); net.load_weights('w.h5')", READ, False),
        ("net = K.Sequential([K.Input([2]), K.layers.Dense(2)])", READ, False),
        ("net = K.applications.MobileNet()", READ, False),
        ("net = given", READ, False),
        ("net = make()", "y = forward(x); return y, tf.add_n(net.trainable_variables)", False),
        (
            "net = make()",
            "for i in range(3):\n        x = net(x); v = net.trainable_variables; return tf.add_n(v)",
            False,
        ),
    ],
)
def test_variables_are_read_before_the_first_call_makes_them(
    build: Build, before: str, body: str, found: bool
) -> None:
    before, body = before.replace("; ", "\n"), body.replace("; ", "\n    ")
    model = build(UNBUILT.format(before=before, body=body))
    assert ("changing-python-state" in blockers(model)) is found


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("tf.sqrt(x, 2)", True),
        ("tf.add(x, 1.0, name=tf.float32)", True),
        ("tf.reduce_sum(x, name='my loss')", True),
        ("tf.sqrt(x, 'root')", False),
        ("tf.sqrt(x, None)", False),
        ("tf.reduce_sum(x, 0)", False),
        ("tf.add(x, 1.0, name=f'add_{scale}')", False),
        ("tf.sqrt(x, name=unknown)", False),
    ],
)
def test_what_is_no_name_lands_in_the_name_of_an_operation(
    build: Build, call: str, found: bool
) -> None:
    code = f"{HEAD}\ndef f(x):\n    return {call}\n\nfor _ in range(9):\n    f(tf.zeros([3]))\n"
    assert ("eager-only-call" in blockers(build(code))) is found


HELD = """
import contextlib
import tensorflow as tf
w = tf.Variable(2.0)
def gate(x):
    return x * w
def shown(x):
    print(x)
    return x
KINDS = {{"relu": tf.nn.relu, "gate": gate}}
SHOWN = {{"relu": tf.nn.relu, "shown": shown}}
class Block:
    def __init__(self, activation=None):
        self.activation = activation
    def apply(self, x):
        return x if self.activation is None else self.activation(x)
block, other = Block(tf.nn.relu), Block(tf.nn.tanh)
def f(x):
    {body}
for _ in range(9):
    f(tf.zeros([3]))
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return block.apply(x)", None),
        ("return KINDS['gate'](x)", None),
        ("return SHOWN['relu'](x)", None),
        ("return SHOWN['shown'](x)", "python-side-effect"),
        ("act = getattr(tf.nn, 'relu'); return act(x)", None),
        ("return getattr(tf.nn, 'relu')(x)", None),
        ("return getattr(tf.keras.layers, 'Dense')(3)(x)", "object-made-on-each-call"),
        ("with contextlib.nullcontext():; return tf.sin(x)", None),
        ("try:; y = tf.cos(x)\n    finally:; y = tf.sin(x)", None),
        ("known = x[0] in [1.0, 2.0]; return x if known else -x", "autograph-limit"),
    ],
)
def test_functions_are_known_that_something_holds(
    build: Build, body: str, found: str | None
) -> None:
    lines = body.replace(":; ", ":\n        ").replace("; ", "\n    ")
    names = blockers(build(HELD.format(body=lines)))
    assert found in names if found else not names


def test_a_symbolic_tensor_of_keras_is_handed_to_no_trace(build: Build) -> None:
    code = (
        f"{HEAD}\ndef f(x):\n    return tf.keras.layers.add([x, x])\n"
        "class Layer(tf.keras.layers.Layer):\n    def call(self, x):\n        return tf.sin(x)\n"
        "inputs = tf.keras.Input([3])\nhidden = Layer()(inputs)\nf(hidden)\n"
    )
    assert blockers(build(code)) == {"eager-only-call"}
    assert blockers(build(code), "Layer.call") == set()


LABELS = """
import tensorflow as tf
net = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid")])
def f(x):
    y = LABELS
    p = GIVEN
    return tf.keras.losses.binary_crossentropy(y, pTAIL)
for x in tf.ones([5, 4, 3]):
    f(x)
"""


@pytest.mark.parametrize(
    ("labels", "given", "tail", "is_sure"),
    [
        ("tf.ones([4])", "tf.sigmoid(tf.ones([4, 1]))", "", True),
        ("tf.ones([4])", "net(x)", "", False),
        ("tf.ones([4])", "tf.sigmoid(net(x))", "", False),
        ("tf.ones([4, 1])", "net(x)", "", None),
        ("tf.ones([4, 1])", "tf.sigmoid(tf.ones([4, 1]))", "", None),
        ("tf.ones([4])", "tf.squeeze(net(x))", "", None),
        ("tf.ones([4])", "net(x)", ", from_logits=True", None),
        ("tf.ones_like(x)", "net(x)", "", None),
    ],
)
def test_keras_2_refuses_labels_of_another_rank_in_a_graph(
    build: Build, labels: str, given: str, tail: str, is_sure: bool | None
) -> None:
    code = LABELS.replace("LABELS", labels).replace("GIVEN", given).replace("TAIL", tail)
    model = build(code)
    assert blockers(model) == set()
    model = build(code)
    model.world.tf_version = (2, 15)
    found = model.ask(Safety).unit_blockers(unit_named(model, "f"))
    assert [not blocker.is_doubt for blocker in found] == ([] if is_sure is None else [is_sure])


RAISING = """
def raised():
    global scale
    scale += 1.0

class Told{bases}:
    def {method}(self, *given):
        raised()
        return ""

def f(x):
    return x * scale

for _ in range(9):
    f(tf.zeros([3]))
    {line}
"""


@pytest.mark.parametrize(
    ("bases", "method", "line"),
    [
        ("", "__str__", "print(f'{Told()}')"),
        ("", "__bool__", "any([Told()])"),
        ("", "write", "print(x, file=Told())"),
        ("", "__init__", "list(map(Told, [1.0]))"),
        ("(tf.keras.callbacks.Callback)", "on_epoch_end", "model.fit(x, callbacks=[Told()])"),
        ("(tf.keras.optimizers.schedules.LearningRateSchedule)", "__call__", "Told()"),
        ("(dict)", "get", "Told().get(1)"),
    ],
)
def test_what_is_called_unseen_may_bind_a_name(
    build: Build, bases: str, method: str, line: str
) -> None:
    code = RAISING.format(bases=bases, method=method, line=line)
    assert blockers(build(HEAD + code)) == {"changing-python-state"}


@pytest.mark.parametrize(
    ("method", "line"),
    [
        ("__init__", "pass\n\nTold(1.0)"),
        ("warm", "pass\n\ntold = Told()\ntold.warm()"),
    ],
)
def test_what_is_called_in_sight_binds_a_name_there(build: Build, method: str, line: str) -> None:
    code = RAISING.format(bases="", method=method, line=line)
    assert blockers(build(HEAD + code)) == set()


@pytest.mark.parametrize(
    "line",
    [
        "next(numbers)\n\nnumbers = (raised() for _ in range(9))",
        "next(numbers)\n\nnumbers = ((scale := float(n)) for n in range(9))",
        "pass\n\nfor x, _ in zip(made(), (raised() for _ in range(9))):\n    f(x)",
    ],
)
def test_what_a_generator_expression_runs_comes_later(build: Build, line: str) -> None:
    steps, _, made = line.partition("\n\n")
    loop = f"{made}\nfor _ in range(9):\n    f(tf.zeros([3]))\n    {steps}\n"
    code = (
        "def raised():\n    global scale\n    scale += 1.0\n\n"
        "def made():\n    return [tf.zeros([3])] * 9\n\n"
        f"def f(x):\n    return x * scale\n\n{loop}"
    )
    assert blockers(build(HEAD + code)) == {"changing-python-state"}


@pytest.mark.parametrize(
    ("made", "own", "expected"),
    [
        ("tf.keras.layers.Dense(2)", "", {"object-made-on-each-call"}),
        ("tf.keras.Sequential([tf.keras.layers.Dense(2)])", "", {"object-made-on-each-call"}),
        (
            "tf.keras.layers.Dense(2)",
            "    def build(self, shape):\n        self.inner.build(shape)\n",
            set(),
        ),
        ("tf.keras.layers.Dropout(0.5)", "", set()),
    ],
)
def test_keras_3_traces_a_call_that_builds_layers_apart(
    build: Build, made: str, own: str, expected: set[str]
) -> None:
    code = (
        f"{HEAD}class Block(tf.keras.layers.Layer):\n    def __init__(self):\n"
        f"        super().__init__()\n        self.inner = {made}\n{own}"
        "    def call(self, x):\n        return self.inner(x) * 2.0\n"
        "block = Block()\nfor _ in range(9):\n    block(tf.ones([2, 3]))\n"
    )
    assert blockers(build(code), "Block.call") == expected
    model = build(code)
    model.world.tf_version = (2, 15)
    assert not blockers(model, "Block.call")


@pytest.mark.parametrize(
    ("test", "step", "is_endless"),
    [
        ("x[0] > 9.0", "half(x + 1.0, n)", True),
        ("n > 9", "half(x + 1.0, n + 1)", False),
        ("x[0] > 9.0", "tf.add_n([half(x, k) for k in range(n)])", False),
    ],
)
def test_what_calls_itself_ends_by_what_a_trace_knows(
    build: Build, test: str, step: str, is_endless: bool
) -> None:
    code = (
        f"{HEAD}def half(x, n):\n    if {test}:\n        return x\n    return {step}\n"
        "def f(x):\n    return half(x, 3)\nfor _ in range(9):\n    f(tf.ones([3]))\n"
    )
    model = build(code)
    found = [b.message for b in model.ask(Safety).unit_blockers(unit_named(model, "f"))]
    assert any("calls itself" in words for words in found) is is_endless


BESIDE = """
import os
@tf.autograph.experimental.do_not_convert
def kept(x):
    return x if x[0] > 0.0 else -x
def run(function, x):
    return function(x)
def seen(x):
    history.append(x.numpy())
    return x
def norm(x):
    return tf.linalg.global_norm(frozen.trainable_weights) + x
def zeros(sizes):
    return tf.zeros(sizes)
def own(x):
    def shown(v):
        print(v)
        return v
    return tf.py_function(shown, [x], tf.float32)
def f(x):
    BODY
frozen = tf.keras.Sequential([tf.keras.layers.Dense(2)])
def freeze(flag):
    frozen.layers[0].trainable = flag
doubled = lambda v: v * 2.0
for step in range(9):
    freeze(step % 2 == 0)
    f(tf.ones([3]))
    CALL
"""


@pytest.mark.parametrize(
    ("body", "call", "name", "expected"),
    [
        ("return x", "kept(tf.ones([3]))", "kept", {"autograph-limit"}),
        ("return kept(x)", "", "f", {"autograph-limit"}),
        ("return tf.py_function(lambda v: v.numpy(), [x], tf.float32)", "", "f", set()),
        ("return tf.map_fn(lambda v: v.numpy(), x)", "", "f", {"eager-only-call"}),
        ("return tf.py_function(seen, [x], tf.float32)", "", "f", set()),
        ("return x", "own(tf.ones([3]))", "own", set()),
        ("return x + len(os.path.join('a', 'b'))", "", "f", set()),
        ("os.remove('a')\n    return x", "", "f", {"python-side-effect"}),
        ("return tf.RaggedTensor.from_row_lengths(x, [1, 2]).to_tensor()", "", "f", set()),
        ("return x", "norm(tf.ones([3]))", "norm", {"changing-python-state"}),
        ("return x", "zeros((3, 4))", "zeros", set()),
        ("return x", "zeros((3, step))", "zeros", {"varying-python-argument"}),
        (
            "return x",
            "run(lambda v: v * 2.0, tf.ones([3]))",
            "run",
            {"varying-python-argument"},
        ),
        ("return x", "run(doubled, tf.ones([3]))", "run", set()),
    ],
)
def test_what_runs_beside_a_trace_or_without_autograph(
    build: Build, body: str, call: str, name: str, expected: set[str]
) -> None:
    code = BESIDE.replace("BODY", body).replace("CALL", call or "pass")
    assert blockers(build(HEAD + code), name) == expected


@pytest.mark.parametrize(
    ("made", "asked"),
    [
        ("import json\nsettings = json.load(open('x'))", "settings['a']['b'] > 1"),
        ("import yaml\nsettings = yaml.safe_load('a: 1')", "settings.get('a')"),
        ("from absl import flags\nsettings = flags.FLAGS", "settings.rate > 0.5"),
        ("import argparse\nsettings = argparse.ArgumentParser().parse_args()", "settings.rate"),
        ("from yacs.config import CfgNode\nsettings = CfgNode()\nsettings.A = CfgNode()\n"
         "settings.A.rate = 0.5", "settings.A.rate > 0"),
        ("from easydict import EasyDict\nsettings = EasyDict()\nsettings.rate = 2", "settings.rate"),
        ("import ml_collections\nsettings = ml_collections.ConfigDict()", "settings.rate"),
    ],
)  # fmt: skip
def test_what_settings_say_is_no_tensor(build: Build, made: str, asked: str) -> None:
    model = build(f"{HEAD}{made}\ndef step(x):\n    if {asked}:\n        x = x * 2\n    return x\n")
    assert "autograph-limit" not in blockers(model, "step")


def test_what_is_set_in_settings_may_be_a_tensor(build: Build) -> None:
    made = "import argparse\nsettings = argparse.ArgumentParser().parse_args()\nsettings.rate = w"
    asked = "def step(x):\n    if settings.rate:\n        x = x * 2\n    return x\n"
    assert "autograph-limit" in blockers(build(f"{HEAD}{made}\n{asked}"), "step")
