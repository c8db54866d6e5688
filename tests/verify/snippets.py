"""Small modules with no program around them: the original, right rewrites, and wrong ones by hand.

A rewrite is given as replacements in the original's text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Edits = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Snippet:
    """A module with rewrites of it, by name."""

    text: str
    right: dict[str, Edits] = field(default_factory=dict)
    wrong: dict[str, Edits] = field(default_factory=dict)


def edited(text: str, edits: Edits) -> str:
    """The text after the replacements; each must have something to replace."""
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


def decorated(name: str, options: str = "") -> tuple[str, str]:
    """The replacement that puts tf.function on a function at module level."""
    return f"def {name}(", f"@tf.function{options}\ndef {name}("


STEP = Snippet(
    """\
import tensorflow as tf

model = tf.keras.Sequential(
    [
        tf.keras.Input((6,)),
        tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dropout(0.3),
        tf.keras.layers.Dense(3),
    ]
)
optimizer = tf.keras.optimizers.Adam(0.01)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
metric = tf.keras.metrics.Mean()


def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        loss = loss_fn(labels, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    metric.update_state(loss)
    return loss
""",
    right={
        "decorated": (decorated("train_step"),),
        "relaxed": (decorated("train_step", "(reduce_retracing=True)"),),
        "compiled": (decorated("train_step", "(jit_compile=True)"),),
        "wrapped": (
            ("    return loss\n", "    return loss\n\n\ntrain_step = tf.function(train_step)\n"),
        ),
    },
    wrong={
        "dropped update": (
            decorated("train_step"),
            ("    optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n", ""),
        ),
        "dropped metric": (decorated("train_step"), ("    metric.update_state(loss)\n", "")),
        "other mode": (decorated("train_step"), ("training=True", "training=False")),
        "loss after the update": (
            decorated("train_step"),
            ("    return loss\n", "    return loss_fn(labels, model(images))\n"),
        ),
        "Python number for a tensor": (("    return loss\n", "    return float(loss)\n"),),
        "fewer variables": (
            decorated("train_step"),
            ("model.trainable_variables", "model.trainable_variables[:2]"),
        ),
        "a sum for a mean": (
            decorated("train_step"),
            ("loss = loss_fn(labels, logits)", "loss = 4.0 * loss_fn(labels, logits)"),
        ),
    },
)

NORMALISE = Snippet(
    """\
import tensorflow as tf


def normalise(x, eps=1e-6):
    mean = tf.reduce_mean(x, axis=-1, keepdims=True)
    variance = tf.reduce_mean(tf.square(x - mean), axis=-1, keepdims=True)
    return (x - mean) / tf.sqrt(variance + eps)
""",
    right={
        "decorated": (decorated("normalise"),),
        "relaxed": (decorated("normalise", "(reduce_retracing=True)"),),
        "library": (
            (
                "tf.reduce_mean(tf.square(x - mean), axis=-1, keepdims=True)",
                "tf.math.reduce_variance(x, axis=-1, keepdims=True)",
            ),
        ),
        "reciprocal": (("/ tf.sqrt(variance + eps)", "* tf.math.rsqrt(variance + eps)"),),
    },
    wrong={
        "other axis": (decorated("normalise"), ("axis=-1", "axis=0")),
        "swapped operands": (decorated("normalise"), ("return (x - mean)", "return (mean - x)")),
        "no gradient": (
            decorated("normalise"),
            ("return (x - mean)", "return tf.stop_gradient(x - mean)"),
        ),
        "half precision": (
            decorated("normalise"),
            ("    return (x", "    x = tf.cast(tf.cast(x, tf.float16), tf.float32)\n    return (x"),
        ),
        "other dtype": (
            decorated("normalise"),
            (
                "    return (",
                "    return tf.cast(1.0, tf.float64) * tf.cast(0.0, tf.float64) + tf.cast((",
            ),
            ("(variance + eps)", "(variance + eps), tf.float64)"),
        ),
        "fixed batch": (
            decorated("normalise", "(input_signature=[tf.TensorSpec([4, 3], tf.float32)])"),
            ("x, eps=1e-6", "x"),
            ("+ eps", "+ 1e-6"),
        ),
        "frozen argument": (decorated("normalise"), ("+ eps", "+ 1e-6")),
    },
)

AGENT = Snippet(
    """\
import tensorflow as tf


class Agent:
    def __init__(self, size=3):
        self.weights = tf.Variable(tf.ones([size, 2]))
        self.steps = 0
        self.rate = 0.5

    def set_rate(self, rate):
        self.rate = rate

    def value(self, state):
        return tf.matmul(state, self.weights)

    def update(self, state):
        self.steps += 1
        gradient = tf.reduce_mean(state, axis=0)[:, None] * tf.ones([1, 2])
        self.weights.assign_sub(self.rate / self.steps * gradient)
        return tf.reduce_sum(self.weights)
""",
    right={
        "decorated value": (("    def value", "    @tf.function\n    def value"),),
        "counter in a variable": (
            ("self.steps = 0", "self.steps = tf.Variable(0)"),
            ("self.rate = 0.5", "self.rate = tf.Variable(0.5)"),
            ("self.rate = rate", "self.rate.assign(rate)"),
            ("self.steps += 1", "self.steps.assign_add(1)"),
            ("self.rate / self.steps", "self.rate / tf.cast(self.steps, tf.float32)"),
            ("    def update", "    @tf.function\n    def update"),
        ),
        "inner function": (
            (
                "self.weights.assign_sub(self.rate / self.steps * gradient)",
                "self._apply(tf.constant(self.rate / self.steps), gradient)",
            ),
            (
                "    def update",
                "    @tf.function\n    def _apply(self, scale, gradient):\n"
                "        self.weights.assign_sub(scale * gradient)\n\n    def update",
            ),
        ),
    },
    wrong={
        "frozen counter": (("    def update", "    @tf.function\n    def update"),),
        "stale attribute": (
            ("self.steps = 0", "self.steps = tf.Variable(0)"),
            ("self.steps += 1", "self.steps.assign_add(1)"),
            ("self.rate / self.steps", "self.rate / tf.cast(self.steps, tf.float32)"),
            ("    def update", "    @tf.function\n    def update"),
        ),
        "reordered updates": (
            ("        self.steps += 1\n", ""),
            (
                "        return tf.reduce_sum",
                "        self.steps += 1\n        return tf.reduce_sum",
            ),
            ("self.rate / self.steps", "self.rate / max(self.steps, 1)"),
        ),
        "state lost": (("self.weights.assign_sub(", "tf.identity("),),
    },
)

GLOBALS = Snippet(
    """\
import numpy as np
import tensorflow as tf

scale = 1.0
history = []
weights = tf.Variable([1.0, 2.0, 3.0])


def warm_up():
    global scale
    scale = 2.0


def apply(x):
    return x * scale * weights


def record(x):
    history.append(float(tf.reduce_sum(x)))
    return x + 1.0


def noisy(x):
    return x + tf.random.normal([3]) + np.random.uniform()


def drop(x):
    return tf.nn.dropout(x, 0.5) + tf.random.uniform(tf.shape(x))


def clip(values: np.ndarray):
    values[values > 1.0] = 1.0
    return tf.constant(values.sum())
""",
    right={
        "argument made a tensor": (("return x * scale", "return x * tf.constant(scale)"),),
        "decorated dropout": (decorated("drop"),),
        "helper": (
            (
                "    return x + 1.0\n",
                "    return _more(x)\n\n\n@tf.function\ndef _more(x):\n    return x + 1.0\n",
            ),
        ),
    },
    wrong={
        "stale global": (decorated("apply"),),
        "side effect lost": (("    history.append(float(tf.reduce_sum(x)))\n", ""),),
        "frozen random number": (decorated("noisy"),),
        "random number drawn once": (
            (
                "def drop(x):\n    return tf.nn.dropout(x, 0.5) + tf.random.uniform(tf.shape(x))",
                "noise = tf.random.uniform([4, 3])\n\n\n@tf.function\ndef drop(x):\n"
                "    return tf.nn.dropout(x, 0.5) + noise[: tf.shape(x)[0]]",
            ),
        ),
        "other rate": (decorated("drop"), ("dropout(x, 0.5)", "dropout(x, 0.4)")),
        "array not changed in place": (
            ("    values[values > 1.0] = 1.0\n", "    values = np.minimum(values, 1.0)\n"),
        ),
    },
)

LOOP = Snippet(
    """\
import tensorflow as tf


def train(model, optimizer, dataset, epochs):
    losses = []
    for epoch in range(epochs):
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            losses.append(float(loss))
        print("epoch", epoch, "loss", round(losses[-1], 3))
    return losses
""",
    right={
        "hoisted": (
            (
                "    losses = []\n",
                "    losses = []\n\n    @tf.function\n    def step(x, y):\n"
                "        with tf.GradientTape() as tape:\n"
                "            loss = tf.reduce_mean(tf.square(model(x) - y))\n"
                "        gradients = tape.gradient(loss, model.trainable_variables)\n"
                "        optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n"
                "        return loss\n\n",
            ),
            (
                "            with tf.GradientTape() as tape:\n                loss =",
                "            loss = step(x, y)\n            if False:\n                loss =",
            ),
            (
                "            gradients = tape",
                "            if False:\n                gradients = tape",
            ),
            (
                "            optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n            losses",
                "            losses",
            ),
        ),
    },
    wrong={
        "last batch lost": (("in dataset:", "in dataset.take(2):"),),
        "one epoch less": (("range(epochs)", "range(epochs - 1)"),),
        "print lost": (('        print("epoch", epoch, "loss", round(losses[-1], 3))\n', ""),),
        "wrong history": (("losses.append(float(loss))", "losses = [float(loss)]"),),
        "swapped arguments": (
            ("range(epochs)", "range(epochs)"),
            ("model(x) - y", "model(x) - 2 * y"),
        ),
    },
)

STRUCTURES = Snippet(
    """\
import tensorflow as tf


def outputs(x):
    total = tf.reduce_sum(x)
    return {"total": total, "pair": (x * 2.0, [x + 1.0, None]), "count": tf.size(x)}


def ragged(x):
    return tf.RaggedTensor.from_row_lengths(tf.reshape(x, [-1]), [5, tf.size(x) - 5])


def sparse(x):
    return tf.sparse.from_dense(tf.nn.relu(x))


def select(x):
    if tf.reduce_sum(x) > 0.0:
        return x / tf.reduce_max(x)
    return tf.zeros_like(x)


def logs(x):
    return tf.math.log(x)


def rows(x):
    out = []
    for i in range(x.shape[0]):
        out.append(tf.reduce_sum(x[i]) * float(i))
    return tf.stack(out)
""",
    right={
        "decorated outputs": (decorated("outputs"),),
        "decorated ragged": (decorated("ragged"),),
        "decorated sparse": (decorated("sparse"),),
        "decorated select": (decorated("select"),),
        "decorated logs": (decorated("logs"),),
        "vectorised rows": (
            (
                "    out = []\n    for i in range(x.shape[0]):\n"
                "        out.append(tf.reduce_sum(x[i]) * float(i))\n    return tf.stack(out)\n",
                "    axes = tf.range(1, tf.rank(x))\n"
                "    return tf.reduce_sum(x, axis=axes) * tf.cast(tf.range(tf.shape(x)[0]), x.dtype)\n",
            ),
        ),
        "unrolled rows": (decorated("rows"),),
        "where": (
            (
                "    if tf.reduce_sum(x) > 0.0:\n        return x / tf.reduce_max(x)\n"
                "    return tf.zeros_like(x)\n",
                "    return tf.where(tf.reduce_sum(x) > 0.0, x / tf.reduce_max(x), tf.zeros_like(x))\n",
            ),
        ),
    },
    wrong={
        "tuple for a list": (decorated("outputs"), ("[x + 1.0, None]", "(x + 1.0, None)")),
        "lost leaf": (decorated("outputs"), (', "count": tf.size(x)', "")),
        "other lengths": (decorated("ragged"), ("[5, tf.size(x) - 5]", "[4, tf.size(x) - 4]")),
        "dense for sparse": (
            decorated("sparse"),
            ("tf.sparse.from_dense(tf.nn.relu(x))", "tf.nn.relu(x)"),
        ),
        "one branch": (decorated("select"), ("> 0.0", "> -1e9")),
        "off by one": (decorated("rows"), ("float(i)", "float(i + 1)")),
        "missing row": (decorated("rows"), ("range(x.shape[0])", "range(x.shape[0] - 1)")),
    },
)

MADE = Snippet(
    """\
import tensorflow as tf


def make_step(model, optimizer):
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    return step


def make_dataset(x, n):
    return tf.data.Dataset.from_tensor_slices(x).repeat(n).batch(3)


def batches(x):
    for i in range(3):
        yield x * float(i)


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)
        self.tracker = tf.keras.metrics.Mean(name="loss")

    def call(self, x):
        return self.dense(x) * 2.0

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}
""",
    right={
        "made function": (("    def step(", "    @tf.function\n    def step("),),
        "data set": ((".batch(3)", ".batch(3, num_parallel_calls=2)"),),
        "generator": (("x * float(i)", "float(i) * x"),),
        "call": (("    def call", "    @tf.function\n    def call"),),
        "train_step": (("    def train_step", "    @tf.function\n    def train_step"),),
    },
    wrong={
        "made function": (
            ("    def step(", "    @tf.function\n    def step("),
            ("y) ** 2)\n        g", "y) ** 2) * 1.01\n        g"),
        ),
        "data set": ((".batch(3)", ".batch(3, drop_remainder=True)"),),
        "generator": (("range(3)", "range(2)"),),
        "call": (("    def call", "    @tf.function\n    def call"), ("* 2.0", "* 2.1")),
        "train_step": (
            ("    def train_step", "    @tf.function\n    def train_step"),
            ("        self.tracker.update_state(loss)\n", ""),
        ),
    },
)

SCAN = Snippet(
    """\
import numpy as np
import tensorflow as tf

decay = tf.constant(0.9)


def smooth(values):
    state = tf.zeros_like(values[0])
    out = []
    for i in range(values.shape[0]):
        state = decay * state + (1.0 - decay) * values[i]
        out.append(state)
    return tf.stack(out)


def power(x, n: int):
    result = tf.ones_like(x)
    for _ in range(n):
        result = result * x
    return result


def halved(x):
    count = 0
    while float(tf.reduce_max(tf.abs(x))) > 1.0:
        x = x / 2.0
        count += 1
    return x, tf.constant(count)


def gaps(values):
    total = tf.constant(0.0)
    for i in range(1, values.shape[0]):
        total = total + tf.reduce_sum(tf.square(values[i] - values[i - 1]))
    return total


def counts(labels: np.ndarray):
    found = np.zeros(4, np.int64)
    for label in labels.ravel():
        found[int(label) % 4] += 1
    return tf.constant(found)


# tfxla-lint: verify halved(tf.constant([9.0, -3.0, 0.5]))
""",
    right={
        "a TensorArray in a graph loop": (
            (
                "    out = []\n    for i in range(values.shape[0]):\n",
                "    out = tf.TensorArray(values.dtype, size=tf.shape(values)[0])\n"
                "    for i in tf.range(tf.shape(values)[0]):\n",
            ),
            ("        out.append(state)\n", "        out = out.write(i, state)\n"),
            ("    return tf.stack(out)\n", "    return out.stack()\n"),
            decorated("smooth"),
        ),
        "tf.scan": (
            (
                "    state = tf.zeros_like(values[0])\n    out = []\n"
                "    for i in range(values.shape[0]):\n"
                "        state = decay * state + (1.0 - decay) * values[i]\n"
                "        out.append(state)\n    return tf.stack(out)\n",
                "    def follow(state, value):\n"
                "        return decay * state + (1.0 - decay) * value\n\n"
                "    return tf.scan(follow, values, initializer=tf.zeros_like(values[0]))\n",
            ),
        ),
        "tf.while_loop": (
            (
                "    result = tf.ones_like(x)\n    for _ in range(n):\n"
                "        result = result * x\n    return result\n",
                "    _, result = tf.while_loop(\n"
                "        lambda i, _: i < n, lambda i, r: (i + 1, r * x), (0, tf.ones_like(x))\n"
                "    )\n    return result\n",
            ),
        ),
        "a tensor as the condition": (
            ("    count = 0\n", "    count = tf.constant(0)\n"),
            (
                "while float(tf.reduce_max(tf.abs(x))) > 1.0:",
                "while tf.reduce_max(tf.abs(x)) > 1.0:",
            ),
            ("return x, tf.constant(count)", "return x, count"),
            decorated("halved"),
        ),
        "vectorised gaps": (
            (
                "    total = tf.constant(0.0)\n    for i in range(1, values.shape[0]):\n"
                "        total = total + tf.reduce_sum(tf.square(values[i] - values[i - 1]))\n"
                "    return total\n",
                "    return tf.reduce_sum(tf.square(values[1:] - values[:-1]))\n",
            ),
        ),
        "counted by TensorFlow": (
            (
                "    found = np.zeros(4, np.int64)\n    for label in labels.ravel():\n"
                "        found[int(label) % 4] += 1\n    return tf.constant(found)\n",
                "    flat = tf.math.floormod(tf.cast(labels.ravel().astype(np.int64), tf.int32), 4)\n"
                "    return tf.math.bincount(flat, minlength=4, dtype=tf.int64)\n",
            ),
        ),
    },
    wrong={
        "stale state": (("        state = decay * state", "        state = 0.5 * decay * state"),),
        "one turn less": (("for _ in range(n):", "for _ in range(n - 1):"),),
        "reset count": (("        count += 1\n", "        count = 1\n"),),
        "a gap too few": (("range(1, values.shape[0])", "range(2, values.shape[0])"),),
    },
)

SPLIT = Snippet(
    """\
import tensorflow as tf

weights = tf.Variable(tf.fill([3, 2], 0.1))
bias = tf.Variable([0.0, 0.5])
momentum = [tf.Variable(tf.zeros([3, 2])), tf.Variable(tf.zeros([2]))]


def predict(x):
    return tf.nn.softplus(tf.matmul(x, weights) + bias)


def fit(x: tf.Tensor, y: tf.Tensor, rate: float):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(predict(x) - y))
    gradients = tape.gradient(loss, [weights, bias])
    for slot, gradient, variable in zip(momentum, gradients, [weights, bias]):
        slot.assign(0.9 * slot + gradient)
        variable.assign_sub(rate * slot)
    return float(loss)


def best(x, k: int = 2):
    values, indices = tf.math.top_k(tf.reshape(x, [-1]), k=k)
    return {"values": values.numpy(), "indices": indices.numpy()}


def train(x: tf.Tensor, rates=(0.1, 0.05)):
    losses = []
    for rate in rates:
        losses.append(fit(x, tf.zeros([x.shape[0], 2]), rate))
    return losses


# tfxla-lint: verify fit(tf.random.normal([4, 3]), tf.ones([4, 2]), 0.1)
# tfxla-lint: verify train(tf.random.normal([5, 3]))
# tfxla-lint: verify predict(tf.random.normal([2, 3]))
""",
    right={
        "split at the conversion": (
            (
                "def fit(x: tf.Tensor, y: tf.Tensor, rate: float):\n",
                "def fit(x, y, rate):\n"
                "    return float(_fit(x, y, tf.constant(rate, tf.float32)))\n\n\n"
                "@tf.function(reduce_retracing=True)\ndef _fit(x, y, rate):\n",
            ),
            ("    return float(loss)\n", "    return loss\n"),
        ),
        "cast at the call": (
            (
                "losses.append(fit(x, tf.zeros([x.shape[0], 2]), rate))",
                "losses.append(float(fit(x, tf.zeros([x.shape[0], 2]), rate)))",
            ),
        ),
        "input signature": (
            decorated("predict", "(input_signature=[tf.TensorSpec([None, 3], tf.float32)])"),
        ),
        "hoisted list": (
            ("tape.gradient(loss, [weights, bias])", "tape.gradient(loss, trained)"),
            ("zip(momentum, gradients, [weights, bias])", "zip(momentum, gradients, trained)"),
            ("\n\n\ndef predict", "\ntrained = (weights, bias)\n\n\ndef predict"),
        ),
        "compiled inside": (
            (
                "    values, indices = tf.math.top_k(tf.reshape(x, [-1]), k=k)\n",
                "    values, indices = _top(x, k)\n",
            ),
            (
                "def best(",
                "@tf.function\ndef _top(x, k):\n"
                "    return tf.math.top_k(tf.reshape(x, [-1]), k=k)\n\n\ndef best(",
            ),
        ),
        "one assignment": (
            (
                "        slot.assign(0.9 * slot + gradient)\n        variable.assign_sub(rate * slot)\n",
                "        variable.assign_sub(rate * slot.assign(0.9 * slot + gradient))\n",
            ),
        ),
    },
    wrong={
        "old momentum": (
            (
                "        slot.assign(0.9 * slot + gradient)\n        variable.assign_sub(rate * slot)\n",
                "        variable.assign_sub(rate * slot)\n        slot.assign(0.9 * slot + gradient)\n",
            ),
        ),
        "one update": (
            ("zip(momentum, gradients, [weights, bias])", "zip(momentum, gradients, [weights])"),
        ),
        "a tensor for a number": (("    return float(loss)\n", "    return loss\n"),),
        "indices of another type": (("indices.numpy()}", "indices.numpy().astype('int64')}"),),
    },
)

SNIPPETS = {
    "step": STEP,
    "normalise": NORMALISE,
    "agent": AGENT,
    "globals": GLOBALS,
    "loop": LOOP,
    "structures": STRUCTURES,
    "made": MADE,
    "scan": SCAN,
    "split": SPLIT,
}
