from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from rules.eager.host_sync_in_loop.freshness import Freshness
from rules.eager.shared.outputs import has_list_of_outputs, has_one_output
from rules.eager.shared.single import is_single
from tests.semantics.conftest import expression, unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.turns import is_run_once, runs_steps, step_loop
from tfxla_lint.semantics.varying.python_arguments import varies

Build = Callable[[str], SemanticModel]

HEAD = """
import numpy as np
import tensorflow as tf
w = tf.Variable(1.0)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
data = tf.data.Dataset.range(100).batch(10)
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = w * x
    w.assign_sub(tape.gradient(loss, w))
    return loss
def plain():
    return 1
"""


def loops(model: SemanticModel) -> list[cst.For | cst.While]:
    return [*model.nodes(cst.For), *model.nodes(cst.While)]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("    mark()\n", 0),
        ("    if i % 3 == 0:\n        mark()\n", 1),
        ("    if i > 3:\n        pass\n    else:\n        mark()\n", 1),
        ("    if i % 3:\n        continue\n    mark()\n", 1),
        ("    mark()\n    if i % 3:\n        continue\n", 0),
        ("    for j in range(9):\n        if j:\n            continue\n    mark()\n", 0),
        ("    x = mark() if i else 0\n", 1),
        ("    i > 3 and mark()\n", 1),
        ("    if mark():\n        pass\n", 0),
        ("    try:\n        pass\n    except ValueError:\n        mark()\n", 1),
    ],
)
def test_conditions(build: Build, body: str, count: int) -> None:
    model = build("for i in range(9):\n" + body)
    outer = model.nodes(cst.For)[0]
    assert len(list(model.loops.frequency.conditions(expression(model, "mark()"), outer))) == count


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for i in range(50):\n    step(1.0)\n", False),
        ("for epoch in range(50):\n    step(1.0)\n", True),
        ("for epoch in range(5000):\n    step(1.0)\n", False),
        ("for epoch_batch in data:\n    step(epoch_batch)\n", False),
        ("for i in range(num_epochs):\n    step(1.0)\n", False),
        ("for i in range(num_epochs):\n    plain()\n", True),
        ("for i in range(steps_per_epoch):\n    step(1.0)\n", False),
        ("for i in range(STEPS_PER_EPOCH):\n    step(1.0)\n", False),
        ("for i in range(50):\n    for x in data:\n        step(x)\n", True),
        (
            "for i in range(50):\n    if i % 9 == 0:\n        for x in data:\n            step(x)\n",
            False,
        ),
        ("for i in range(50):\n    for j in range(20):\n        plain()\n", False),
        ("def run():\n    for x in data:\n        step(x)\nfor i in range(50):\n    run()\n", True),
        ("for i in range(50):\n    model.fit(data)\n", True),
        ("for i in range(50):\n    model.predict(np.ones([1, 2]))\n", False),
    ],
)
def test_runs_steps(build: Build, code: str, expected: bool) -> None:
    model = build(HEAD + code)
    loop = next(node for node in loops(model) if isinstance(model.parent(node), cst.Module))
    assert runs_steps(model, loop) is expected


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("while True:\n    mark()\n", True),
        ("def act():\n    return mark()\nwhile True:\n    act()\n", True),
        ("for i in range(2):\n    mark()\n", False),
        ("for i in range(90):\n    if i % 9 == 0:\n        mark()\n", False),
        ("for x in data.take(1):\n    mark()\n", False),
        ("for x in data:\n    mark()\n    break\n", False),
        ("for x in unknown:\n    mark()\n", False),
        ("def f(x):\n    for i in range(90):\n        mark()\ntf.function(f)(1)\n", False),
    ],
)
def test_step_loop(build: Build, code: str, found: bool) -> None:
    model = build(HEAD + code)
    assert (step_loop(model, expression(model, "mark()")) is not None) is found


@pytest.mark.parametrize(
    ("body", "text", "expected"),
    [
        ("    loss = step(x)\n    use(loss)\n", "loss", True),
        ("    loss, other = step(x), 1\n    use(loss)\n", "loss", True),
        ("    use(tf.abs(step(x)))\n", "tf.abs(step(x))", True),
        ("    y = 2.0 * model(x)\n    use(y[0])\n", "y[0]", True),
        ("    use(x)\n", "x", False),
        ("    use(tf.abs(x))\n", "tf.abs(x)", False),
    ],
)
def test_freshness(build: Build, body: str, text: str, expected: bool) -> None:
    model = build(HEAD + "for x in data:\n" + body)
    fresh = Freshness(model, model.nodes(cst.For)[0])
    assert fresh.is_fresh(expression(model, text)) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for v in range(90):\n    use(v)\n", True),
        ("v = 0\nwhile True:\n    v += 1\n    use(v)\n", True),
        ("v = 1.0\nwhile True:\n    use(v)\n    v = 0.9 * v\n", True),
        ("v = 0\nwhile True:\n    use(v)\n    v = 1\n", False),
        ("for i in range(90):\n    v = i % 2\n    use(v)\n", False),
        ("for i in range(90):\n    v = i > 4\n    use(v)\n", False),
        ("for i in range(90):\n    v = f'{i}'\n    use(v)\n", True),
        ("def go(v):\n    use(v)\nfor i in range(90):\n    go(i)\n", True),
    ],
)
def test_varies(build: Build, code: str, expected: bool) -> None:
    model = build(code)
    call = next(c for c in model.nodes(cst.Call) if model.code(c.func) == "use")
    assert varies(model, call.args[0].value) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x[None]", True),
        ("x[np.newaxis, :]", True),
        ("x.reshape(1, -1)", True),
        ("np.reshape(x, (1, 4))", True),
        ("np.expand_dims(x, 0)", True),
        ("np.array([x])", True),
        ("x[None].astype(float) / 255.0", True),
        ("x[n : n + 1]", True),
        ("x[:1]", False),
        ("x[n : n + 2]", False),
        ("x.reshape(-1, 4)", False),
        ("np.array([x, x])", False),
    ],
)
def test_is_single(build: Build, text: str, expected: bool) -> None:
    model = build(f"import numpy as np\ndef go(x):\n    use({text})\n")
    call = next(c for c in model.nodes(cst.Call) if model.code(c.func) == "use")
    assert is_single(model, call.args[0].value) is expected


MODELS = """
import tensorflow as tf
i = tf.keras.Input((2,))
a = tf.keras.layers.Dense(1)(i)
class Agent:
    def __init__(self, given):
        self.plain = self.build()
        self.two = tf.keras.Model(i, [a, a])
        self.one = tf.keras.Model(i, a)
        self.given = given
        self.changed = tf.keras.Model(i, a)
    def build(self):
        model = tf.keras.Sequential()
        return model
    def swap(self, other):
        self.changed = other
    def use(self):
        return self.{name}
agent = Agent(None)
agent.use()
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [("plain", True), ("one", True), ("two", False), ("given", False), ("changed", False)],
)
def test_has_one_output(build: Build, name: str, expected: bool) -> None:
    model = build(MODELS.replace("{name}", name))
    node = expression(model, f"self.{name}")
    assert isinstance(node, cst.Attribute)
    assert has_one_output(model, node) is expected
    assert has_list_of_outputs(model, node) is (name == "two")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f()\n", True),
        ("f()\nf()\n", False),
        ("for i in range(9):\n    f()\n", False),
        ("[f() for i in range(9)]\n", False),
        ("def main():\n    f()\n", True),
        ("def main():\n    f()\nmain()\n", True),
        ("def other():\n    f()\nother()\nother()\n", False),
    ],
)
def test_is_run_once(build: Build, code: str, expected: bool) -> None:
    model = build("def f():\n    return 1\n" + code)
    assert is_run_once(model, unit_named(model, "f")) is expected
