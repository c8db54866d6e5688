"""Which arithmetic a graph is known to compute as eager code does, and which losses it loses."""

from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.proof import unit_gaps
from tfxla_lint.source import Source

from .conftest import unit_named

PROGRAM = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3ACTIVATION)])
critic = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1, use_bias=False)])
optimizer = tf.keras.optimizers.SGD(0.1)
accuracy = tf.keras.metrics.CategoricalAccuracy()
binary = tf.keras.metrics.BinaryAccuracy()
w = tf.Variable(tf.ones([4]))
u = tf.Variable(tf.ones([4]))
small = tf.constant(1e-8)


def scaled(v):
    return v / 0.1


def scores(v):
    return critic(v)


def dot(v, by):
    return tf.linalg.matvec(v, by)


def step(x, y):
    BODY


for _ in range(9):
    print(step(tf.ones([8, 4]), tf.ones([8, 3])))
"""


def gaps(body: str, activation: str = "") -> list[str]:
    text = PROGRAM.replace("BODY", body.replace("\n", "\n    "))
    text = text.replace("ACTIVATION", activation and f', activation="{activation}"')
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    return [gap.words for gap in unit_gaps(model, unit_named(model, "step"))]


def given(expression: str) -> str:
    return f"return {expression}"


#: What TensorFlow computes alike, bit for bit or but for rounding.
ALIKE = [
    "tf.reduce_mean(tf.square(model(x) - y))",
    "tf.floor(x)",
    "tf.floor(x[:, 0])",
    "tf.cast(x > 0.5, tf.float32)",
    "tf.argmax(model(x), 1)",
    "tf.argmax(tf.nn.softmax(model(x)), 1)",
    "tf.argmax(x @ tf.transpose(x) + 1.0, 1)",
    "tf.math.log(tf.nn.softmax(model(x)) + 1e-8)",
    "tf.math.log(1.0 - model(x))",
    "1.0 - 0.5 * tf.tanh(x)",
    "tf.cast(x > 0.5, tf.float32) - 1.0",
    "x / 4.0",
    "model(x / 255.0)",
    "model(scaled(x))",
    "tf.reduce_mean(tf.keras.losses.MeanSquaredError()(scaled(x), x))",
    "tf.maximum(x, 0.0)",
    "tf.sqrt(tf.reduce_sum(tf.square(x)) + 1e-8)",
    "x * w + u",
    "tf.nn.l2_loss(w) * 0.01",
]
#: What comes out otherwise in a graph for some numbers: each was seen to.
OTHERWISE = [
    "tf.cast(tf.keras.layers.Flatten()(x / 41.0) >= 1.0, tf.float32)",
    "tf.cast(tf.matmul(x / 41.0, tf.eye(4)) >= 1.0, tf.float32)",
    "tf.keras.layers.Flatten()(x / 41.0)",
    "tf.where(x > 0.5, x / 41.0 - u, x)",
    "tf.maximum(x, tf.keras.layers.Rescaling(3.0)(x))",
    "tf.floor(tf.keras.layers.Rescaling(0.01)(x) * 100.0)",
    "tf.floor(x / 0.1)",
    "tf.reduce_mean(tf.keras.ops.where(x / 41.0 - 1.0, x, 3.0 * x))",
    "tf.where(x / 41.0 - 1.0)",
    "tf.reduce_mean(tf.nn.relu((x / 41.0 - 1.0) @ tf.transpose(x)))",
    "model(x / 220.0 * 2.0 - 1.0)",
    "tf.keras.ops.logical_not(x / 41.0 - 1.0)",
    "tf.keras.ops.any(x / 41.0 - 1.0, axis=1)",
    "tf.keras.losses.Hinge()(x / 41.0, x)",
    "tf.keras.losses.MeanAbsoluteError()(x / 41.0, x)",
    "tf.keras.layers.ReLU(threshold=1.0)(x / 7.0)",
    "tf.floor(scaled(x))",
    "tf.floor(tf.abs(x / 0.1 + 0.5))",
    "tf.floor(tf.divide(x, 0.1))",
    "tf.cast(tf.clip_by_value(x / 0.1, 0.0, 9.0), tf.int32)",
    "tf.round(x * 3.0 * 0.3)",
    "(x / 0.3) // 1.0",
    "tf.sort(x / 3.0)",
    "x / 3.0",
    "tf.cast(1.0 / x > 2.0, tf.float32)",
    "(x - w) + 1e-8",
    "(x - w) + small",
    "tf.add(tf.subtract(x, w), 1e-8)",
    "(tf.reduce_max(x, 1) - tf.reduce_min(x, 1)) + 1e-8",
    "(x + 12582912.0) - 12582912.0",
    "1.0 - tf.reshape(tf.reshape(1.0 - x, [-1]), [8, 4])",
    "tf.exp(x) - 1.0",
    "tf.math.log(1.0 + x)",
    "tf.math.log(tf.ones_like(x) + x)",
    "tf.math.log(tf.nn.softmax(x))",
    "tf.math.log(x / 3.0 - 1.0)",
    "x * 1e20 * 1e20",
    "x * 0.0",
    "x ** 0.5",
    "pow(x, 0.5)",
    "tf.pow(x, w)",
    "tf.maximum(x, 2.0 * x)",
    "tf.maximum(x + x, x)",
    "tf.argmax(tf.sigmoid(x), 1)",
    "tf.reduce_max(tf.math.log(x), 1)",
    "tf.math.top_k(tf.nn.relu(x))[1]",
    "~(x > 0.5)",
    "tf.logical_not(x > 0.5)",
    "1.0 / (x / 3.0 - 0.1)",
    "tf.math.xlogy(x, w)",
    "tf.nn.gelu(x)",
]


@pytest.mark.parametrize("expression", ALIKE)
def test_what_comes_out_alike_is_traced_unasked(expression: str) -> None:
    assert gaps(given(expression)) == []


@pytest.mark.parametrize("expression", OTHERWISE)
def test_what_comes_out_otherwise_is_not(expression: str) -> None:
    assert gaps(given(expression))


@pytest.mark.parametrize(
    ("activation", "asked", "is_alike"),
    [
        ("softmax", "tf.argmax(model(x), 1)", True),
        ("relu", "tf.argmax(model(x), 1)", False),
        ("tanh", "tf.argmax(model(x), 1)", False),
        ("sigmoid", "tf.cast(model(x) > 0.5, tf.float32)", True),
        ("softmax", "tf.math.log(model(x))", False),
        ("sigmoid", "tf.math.log(model(x))", True),
        ("sigmoid", "1.0 - model(x)", True),
        ("exponential", "model(x) - 1.0", False),
        ("hard_sigmoid", "1.0 - model(x)", False),
    ],
)
def test_a_layer_counts_by_what_it_ends_in(activation: str, asked: str, is_alike: bool) -> None:
    assert (gaps(given(asked), activation) == []) is is_alike


@pytest.mark.parametrize(
    "lines",
    [
        ["t = [x / 0.1, y]", "return tf.floor(t[0])"],
        ["a, b = x / 0.1, y", "return tf.floor(a)"],
        ["a = tf.unstack(x / 0.1, axis=1)", "return tf.floor(a[0])"],
        ["v = x", "v /= 0.1", "return tf.floor(v)"],
        ["v = x", "v += 0.1", "v -= 0.3", "return tf.sign(v)"],
        ["v = x", "for c in [12582912.0, -12582912.0]:", "    v = v + c", "return v"],
        ["v = x if x[0, 0] > 0.5 else x / 0.1", "return tf.floor(v)"],
        ["return tf.stack([tf.floor(v / 0.1) for v in tf.unstack(x)])"],
        ["return tf.gather(y, tf.cast(x[:, 0] / 0.1, tf.int32))"],
        ["w.assign(x[0] / 0.1)", "return tf.reduce_mean(w)"],
        ["with tf.GradientTape() as tape:", "    v = tf.reduce_sum(w * w)",
         "return tf.sign(tape.gradient(v, w))"],
    ],
    ids="/".join,
)  # fmt: skip
def test_numbers_are_followed_to_where_they_are_stepped_on(lines: list[str]) -> None:
    assert gaps("\n".join(lines))


@pytest.mark.parametrize(
    ("activation", "line", "is_alike"),
    [
        ("softmax", "accuracy.update_state(y, model(x))", True),
        ("sigmoid", "accuracy.update_state(y, model(x))", False),
        ("sigmoid", "binary.update_state(y, model(x))", True),
        ("sigmoid", "binary.update_state(y, x[:, :3] / 3.0)", False),
        ("", "w.assign(w / 3.0)", False),
        ("", "w.assign(w * 0.5)", True),
    ],
)
def test_what_is_kept_is_asked_for_elsewhere(activation: str, line: str, is_alike: bool) -> None:
    found = gaps(f"{line}\nreturn tf.reduce_mean(x)", activation)
    assert (found == []) is is_alike


TRAINING = """\
with tf.GradientTape() as tape:
    LINES
gradients = tape.gradient(loss, [*model.trainable_variables, w, u])
optimizer.apply_gradients(zip(gradients, [*model.trainable_variables, w, u]))
return loss"""


@pytest.mark.parametrize(
    ("lines", "is_bent"),
    [
        (["loss = tf.reduce_mean(tf.square(model(x) - y))"], True),
        (["loss = tf.reduce_mean(tf.square(model(x) - y)) / 10.0"], True),
        (["loss = tf.reduce_mean(tf.nn.relu(1.0 - critic(x)))"], True),
        (["p = model(x)", "loss = tf.reduce_mean(p[:, :1]) + tf.reduce_sum(tf.exp(p))"], True),
        (["loss = tf.reduce_mean(critic(x))"], False),
        (["loss = tf.reduce_mean(scores(x)) - tf.reduce_mean(scores(x * 2.0))"], False),
        (["loss = tf.reduce_mean(critic(x)) + tf.reduce_mean(tf.square(critic(-x)))"], False),
        (["loss = tf.reduce_mean(w) * tf.reduce_mean(u)"], False),
        (["loss = tf.reduce_sum(w * u)"], False),
        (["loss = tf.reduce_mean(w) * tf.reduce_mean(tf.square(model(x) - y))"], False),
        (["loss = tf.reduce_mean(tf.nn.relu(x * w) @ tf.reshape(u, [4, 1]))"], False),
        (
            [
                "a = tf.stop_gradient(critic(x))",
                "loss = tf.reduce_mean(tf.square(model(x)) * a + tf.square(critic(x)))",
            ],
            False,
        ),
        (
            [
                "v = critic(x)",
                "a = tf.stop_gradient(y - v)",
                "loss = tf.reduce_mean(tf.square(model(x)) * a + tf.square(v))",
            ],
            True,
        ),
        (["a = tf.stop_gradient(y)", "loss = tf.reduce_mean(tf.square(model(x) - a))"], True),
        (
            [
                "b = tf.where(critic(x) > 0.0, 1.0, 0.5)",
                "loss = tf.reduce_mean(tf.square(model(x)) * b + tf.square(critic(x)))",
            ],
            False,
        ),
        (
            [
                "b = tf.cast(tf.argmax(critic(x), 1), tf.float32)",
                "loss = tf.reduce_mean(tf.square(model(x)) * b + tf.square(critic(x)))",
            ],
            False,
        ),
        (
            [
                "rows = tf.gather(x, tf.math.top_k(critic(x)[:, 0])[1])",
                "loss = tf.reduce_mean(tf.square(model(rows))) + tf.reduce_mean(tf.square(critic(x)))",
            ],
            False,
        ),
        (
            [
                "b = tf.round(critic(x))",
                "loss = tf.reduce_mean(tf.square(model(x)) * b + tf.square(critic(x)))",
            ],
            False,
        ),
        (
            [
                "b = tf.nn.sigmoid_cross_entropy_with_logits(labels=critic(x), logits=model(x))",
                "loss = tf.reduce_mean(b)",
            ],
            False,
        ),
        (
            [
                "b = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=model(x))",
                "loss = tf.reduce_mean(b)",
            ],
            True,
        ),
        (["loss = tf.keras.losses.MeanSquaredError()(y, model(x))"], True),
        (["loss = tf.keras.losses.CategoricalCrossentropy()(critic(x), model(x))"], False),
        (["loss = tf.reduce_mean(tf.keras.losses.mse(y, model(x)))"], True),
        (
            ["loss = tf.reduce_mean(tf.tensor_scatter_nd_add(model(x), [[0]], critic(x)[:1]))"],
            False,
        ),
        (["a, b = model(x)", "loss = tf.reduce_mean(tf.square(a)) + tf.reduce_mean(b)"], False),
        (["a, b = model(x)", "loss = tf.reduce_mean(tf.square(a) + tf.exp(b))"], True),
        (["a = model(x)", "loss = tf.reduce_mean(tf.square(a[:, 0]) + a[:, 1])"], False),
    ],
)
def test_losses_that_may_be_linear_in_a_variable(lines: list[str], is_bent: bool) -> None:
    found = gaps(TRAINING.replace("LINES", "\n    ".join(lines)))
    assert (not any("may be linear in a variable" in words for words in found)) is is_bent


@pytest.mark.parametrize(
    ("before", "is_bent"),
    [
        ("soft = tf.tanh(critic(x))", False),
        (
            "with tf.GradientTape() as tape, tape.stop_recording():\n        soft = tf.tanh(critic(x))",
            False,
        ),
        ("soft = tf.tanh(x)", True),
    ],
)
def test_what_a_tape_does_not_see_has_no_gradient(before: str, is_bent: bool) -> None:
    loss = "tf.reduce_mean(tf.square(model(x) - soft) + tf.square(critic(x)))"
    body = f"{before}\n" + TRAINING.replace("LINES", f"loss = {loss}")
    assert (not any("may be linear in a variable" in words for words in gaps(body))) is is_bent


def test_a_model_with_a_part_that_stops_the_gradient_is_not_read_as_a_whole() -> None:
    made = "critic = tf.keras.Sequential("
    stopped = """\
    inputs = tf.keras.Input([4])
    half = tf.keras.layers.Multiply()([model(inputs), tf.keras.ops.stop_gradient(model(inputs))])
    both = tf.keras.Model(inputs, half)
    """
    loss = "loss = tf.reduce_mean(tf.square(model(x)))"
    text = PROGRAM.replace("ACTIVATION", "").replace(made, stopped.replace("    ", "") + made)
    text = text.replace("BODY", TRAINING.replace("LINES", loss).replace("\n", "\n    "))
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    found = [gap.words for gap in unit_gaps(model, unit_named(model, "step"))]
    assert any("may be linear in a variable" in words for words in found)


#: What is applied, or set, in a step whose losses bend all that they read.
APPLIED = """\
with tf.GradientTape() as tape, tf.GradientTape() as other:
    loss = tf.reduce_mean(tf.square(model(x) - y))
    second = tf.reduce_mean(tf.square(critic(x)))
slopes = tape.gradient(loss, model.trainable_variables)
others = other.gradient(second, critic.trainable_variables)
LINES
return loss"""


@pytest.mark.parametrize(
    ("line", "is_ordered"),
    [
        ("optimizer.apply_gradients(zip(slopes, model.trainable_variables))", True),
        ("slopes, _ = tf.clip_by_global_norm(slopes, 1.0)\n"
         "optimizer.apply_gradients(zip(slopes, model.trainable_variables))", True),
        ("slopes = [tf.clip_by_norm(slope, 1.0) for slope in slopes]\n"
         "optimizer.apply_gradients(zip(slopes, model.trainable_variables))", True),
        ("optimizer.apply_gradients(zip(slopes + others, "
         "model.trainable_variables + critic.trainable_variables))", False),
        ("slopes = [slope * tf.norm(w) for slope in slopes]\n"
         "optimizer.apply_gradients(zip(slopes, model.trainable_variables))", False),
        ("optimizer.apply_gradients(zip(slopes, model.trainable_variables))\n"
         "w.assign(u)", False),
        ("optimizer.apply_gradients(zip(slopes, model.trainable_variables))\n"
         "for v, t in zip(model.variables, critic.variables):\n    t.assign(v)", False),
        ("optimizer.apply_gradients([(tf.reduce_mean(x, 0) * u, w), (tf.reduce_mean(x, 0) * w, u)])",
         False),
        ("w.assign(u)", True),
    ],
)  # fmt: skip
def test_updates_that_may_come_before_what_was_read(line: str, is_ordered: bool) -> None:
    found = gaps(APPLIED.replace("LINES", line))
    told = ("a graph then orders less", "which a graph may do before")
    assert (not any(words.endswith(told) for words in found)) is is_ordered


#: What lets the weights of a layer be such that they only move numbers, as the first do not.
WEIGHTS = {
    "drawn by chance": ("", True),
    "set afterwards": ("model.set_weights([tf.eye(4, 3), tf.zeros([3])])\n", False),
    "assigned": ("for v in model.variables:\n    v.assign(tf.ones_like(v))\n", False),
    "told by a word": ("ones = tf.keras.layers.Dense(2, None, True, 'identity')\n", False),
    "begun so": ("ones = tf.keras.layers.Dense(2, kernel_initializer='ones')\n", False),
}


@pytest.mark.parametrize("more", WEIGHTS)
def test_a_quotient_behind_weights_is_off_every_step(more: str) -> None:
    text, is_blended = WEIGHTS[more]
    body = "return tf.cast(model(x / 41.0) >= 1.0, tf.float32)"
    program = PROGRAM.replace("BODY", body).replace("ACTIVATION", "") + text
    model = SemanticModel.build(cst.parse_module(program), Source("example.py", program))
    words = [gap.words for gap in unit_gaps(model, unit_named(model, "step"))]
    assert any("may compute" in each for each in words) is not is_blended
