"""Arguments of functions that nothing calls: own classes, callables, gradients, texts, lengths."""

from __future__ import annotations

import pytest

from .conftest import Verify, is_refuted, outcomes

LIBRARY = """\
import tensorflow as tf


class Schedule:
    def __init__(self, base, warmup, total):
        self.base, self.warmup, self.total = base, warmup, total

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        ratio = tf.clip_by_value((step - self.warmup) / (self.total - self.warmup), 0.0, 1.0)
        return tf.where(step < self.warmup, self.base * step / self.warmup, self.base * ratio)


class Meter:
    def __init__(self, schedule):
        self.schedule = schedule
        self.values = []

    def log(self, step, value):
        self.values.append(float(value) * float(self.schedule(step)))
        return max(self.values)


class Scaled(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")

    def call(self, x):
        self.add_loss(0.5 * tf.reduce_sum(tf.square(self.scale)))
        return x * self.scale


def masked(y_true, y_pred, lengths):
    mask = tf.sequence_mask(lengths, maxlen=tf.shape(y_true)[1], dtype=y_true.dtype)
    error = tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)
    return tf.reduce_sum(error * mask) / tf.maximum(tf.reduce_sum(mask), 1.0)


def clip_and_apply(optimizer, grads_and_vars, limit):
    grads, variables = zip(*grads_and_vars)
    clipped, norm = tf.clip_by_global_norm(grads, limit)
    optimizer.apply_gradients(zip(clipped, variables))
    return norm


def words(texts):
    return tf.strings.split(tf.strings.lower(texts)).to_tensor("<pad>")


def pool(values, row_lengths):
    return tf.reduce_mean(tf.RaggedTensor.from_row_lengths(values, row_lengths), axis=1)


def scaled_by(x, rate):
    return x * rate


def twice(x, rate):
    return 2.0 * scaled_by(x, rate)
"""
WRONG = {
    "an object's number": ("self.base * ratio)", "self.base * ratio * 0.5)"),
    "an object in an object": ("max(self.values)", "self.values[-1]"),
    "the loss of a layer": ("add_loss(0.5 *", "add_loss(0.6 *"),
    "the gradient of a layer": ("x * self.scale", "x * tf.stop_gradient(self.scale)"),
    "lengths": ("error * mask) /", "error) /"),
    "no lengths": ("tf.maximum(tf.reduce_sum(mask), 1.0)", "tf.reduce_sum(mask)"),
    "gradients with variables": ("zip(clipped, variables)", "zip(grads, variables)"),
    "texts": ("tf.strings.lower(texts)", "texts"),
    "row lengths": (
        "from_row_lengths(values, row_lengths), axis",
        "from_row_lengths(values, row_lengths).to_tensor(), axis",
    ),
}
RIGHT = {
    "a graph of lengths": ("def masked(", "@tf.function\ndef masked("),
    "a graph of texts": ("def words(", "@tf.function\ndef words("),
    "parameters in another order": ("def scaled_by(x, rate)", "def scaled_by(rate, x)"),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_wrong_rewrites_are_refuted(change: tuple[str, str], verify_of_many: Verify) -> None:
    assert is_refuted(verify_of_many(LIBRARY, LIBRARY.replace(*change)))


@pytest.mark.parametrize("change", RIGHT.values(), ids=RIGHT)
def test_right_rewrites_are_equivalent(change: tuple[str, str], verify_of_many: Verify) -> None:
    verdicts = verify_of_many(LIBRARY, LIBRARY.replace(*change))
    assert set(outcomes(verdicts).values()) == {"equivalent"}


@pytest.mark.parametrize(("factor", "expected"), [("", "equivalent"), (" * 2.0", "differs")])
def test_a_function_with_other_parameters_is_called_by_its_callers(
    factor: str, expected: str, verify_of_many: Verify
) -> None:
    new = LIBRARY.replace(
        "def scaled_by(x, rate):\n    return x * rate",
        "def scaled_by(x, rate, by):\n    return x * rate * by",
    )
    new = new.replace("scaled_by(x, rate)\n", f"scaled_by(x, rate, 1.0{factor})\n")
    assert expected in outcomes(verify_of_many(LIBRARY, new)).values()


@pytest.mark.parametrize(("given", "expected"), [(", 1.0", "equivalent"), ("", "differs")])
def test_what_a_new_parameter_is_by_default_is_no_matter_where_callers_give_it(
    given: str, expected: str, verify_of_many: Verify
) -> None:
    new = LIBRARY.replace(
        "def scaled_by(x, rate):\n    return x * rate",
        "def scaled_by(x, rate, by=2.0):\n    return x * rate * by",
    )
    new = new.replace("scaled_by(x, rate)\n", f"scaled_by(x, rate{given})\n")
    assert outcomes(verify_of_many(LIBRARY, new))["scaled_by"] == expected


MODELS = """\
import tensorflow as tf


def dice(y_true, y_pred, smooth=1.0):
    inter = tf.reduce_sum(y_true * y_pred, axis=[1, 2])
    total = tf.reduce_sum(y_true, axis=[1, 2]) + tf.reduce_sum(y_pred, axis=[1, 2])
    return 1.0 - (2.0 * inter + smooth) / (total + smooth)


def td_error(q_net, target_net, obs, actions, rewards, next_obs, done, gamma=0.99):
    q = tf.reduce_sum(q_net(obs) * tf.one_hot(actions, q_net.output_shape[-1]), axis=1)
    best = tf.reduce_max(target_net(next_obs), axis=1)
    return rewards + gamma * best * (1.0 - done) - q


class Attention(tf.keras.layers.Layer):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.dim = heads, dim
        self.qkv = tf.keras.layers.Dense(3 * dim)

    def call(self, x):
        b, n = tf.shape(x)[0], tf.shape(x)[1]
        qkv = tf.reshape(self.qkv(x), [b, n, 3, self.heads, self.dim // self.heads])
        q, k, v = tf.unstack(tf.transpose(qkv, [2, 0, 3, 1, 4]))
        scores = tf.matmul(q, k, transpose_b=True) / float(self.dim) ** 0.5
        return tf.matmul(tf.nn.softmax(scores), v)


def parse(line):
    parts = tf.strings.split(line, ",")
    return tf.strings.to_number(parts[:-1]), tf.strings.to_number(parts[-1], tf.int32)


def forward(params, x):
    return tf.tanh(x @ params["w"] + params["b"])


def descend(params, x, y, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((forward(params, x) - y) ** 2)
    grads = tape.gradient(loss, params)
    for k in params:
        params[k].assign_sub(rate * grads[k])
    return loss


class Lookahead:
    def __init__(self, optimizer, k=5):
        self.optimizer, self.k = optimizer, k
        self.slow, self.step = None, 0

    def apply_gradients(self, grads_and_vars):
        pairs = list(grads_and_vars)
        if self.slow is None:
            self.slow = [tf.Variable(v) for _, v in pairs]
        self.optimizer.apply_gradients(pairs)
        self.step += 1
        if self.step % self.k == 0:
            for s, (_, v) in zip(self.slow, pairs):
                s.assign_add(0.5 * (v - s))
                v.assign(s)


class Rule:
    def __init__(self, variables, rate):
        self.variables, self.rate = list(variables), rate
        self.step = 0

    def apply(self, grads):
        self.update(grads)
        self.step += 1


class Decayed(Rule):
    def __init__(self, variables, rate, decay=0.5):
        super().__init__(variables, rate=rate)
        self.decay = decay

    def update(self, grads):
        for v, g in zip(self.variables, grads):
            v.assign_sub(0.1 * (g + self.decay * v))


class Vocabulary:
    def __init__(self, words):
        self.ids = {w: i + 1 for i, w in enumerate(list(words))}

    def encode(self, text, length):
        ids = [self.ids.get(w, 0) for w in text.lower().split()]
        return ids[:length] + [0] * max(0, length - len(ids))


def masked_accuracy(labels, logits, pad_id=0):
    predicted = tf.argmax(logits, axis=-1, output_type=labels.dtype)
    mask = tf.cast(labels != pad_id, tf.float32)
    hits = tf.cast(predicted == labels, tf.float32)
    return tf.reduce_sum(hits * mask) / tf.reduce_sum(mask)


def greedy(step_fn, start_id, end_id, max_len):
    tokens = [start_id]
    for _ in range(max_len):
        tokens.append(int(tf.argmax(step_fn(tf.constant([tokens]))[0, -1])))
        if tokens[-1] == end_id:
            break
    return tf.constant(tokens)
"""
#: Of each function a right rewrite, and a wrong one.
REWRITES = {
    "equal ranks": ("def dice", "@tf.function\ndef dice", "(total + smooth)", "(total + 2.0)"),
    "rows and numbers for each": ("- q", "- tf.identity(q)", "(1.0 - done)", "done"),
    "sizes that divide": ("** 0.5", "** (1.0 / 2.0)", "** 0.5", "** 1.5"),
    "numbers in texts": ("def parse", "@tf.function\ndef parse", "parts[-1]", "parts[0]"),
    "what callees ask for": ("rate * grads[k]", "grads[k] * rate", "rate *", "0.5 * rate *"),
    "every fifth call": (
        "s.assign_add(0.5 * (v - s))",
        "s.assign(0.5 * (s + v))",
        "0.5 *",
        "0.6 *",
    ),
    "variables that a base holds": (
        "(g + self.decay * v)",
        "(self.decay * v + g)",
        "0.1 * (g",
        "0.2 * (g",
    ),
    "words": ("ids[:length] + [0]", "ids[0:length] + [0]", "text.lower()", "text"),
    "results that vary": ("def masked", "@tf.function\ndef masked", "(hits * mask)", "(hits)"),
    "ids": ("for _ in range(max_len)", "for _ in range(0, max_len)", "[0, -1]", "[0, 0]"),
}


@pytest.mark.parametrize("change", REWRITES.values(), ids=REWRITES)
def test_what_functions_really_ask_for_is_found(
    change: tuple[str, str, str, str], verify_of_many: Verify
) -> None:
    right, wrong = MODELS.replace(*change[:2]), MODELS.replace(*change[2:])
    assert set(outcomes(verify_of_many(MODELS, right, power=True)).values()) == {"equivalent"}
    assert is_refuted(verify_of_many(MODELS, wrong))


ASKING = """\
import collections

import numpy as np
import tensorflow as tf

Model = collections.namedtuple("Model", "transition noise")


def predict(model, mean, cov):
    moved = model.transition @ cov @ tf.transpose(model.transition) + model.noise
    return tf.linalg.matvec(model.transition, mean), moved


def mean_pool(vectors, rows):
    picked = rows.with_flat_values(tf.gather(vectors, rows.flat_values))
    return tf.reduce_sum(picked, axis=1)


def kept(labels, amount=0.0, ignore=255):
    keep = tf.cast(tf.not_equal(tf.cast(labels, tf.int32), ignore), tf.float32)
    return (tf.one_hot(tf.cast(labels, tf.int32), 3) + amount) * keep[..., None]


class Counter:
    def __init__(self, classes):
        self.classes = classes
        self.counts = tf.Variable(tf.zeros([classes]))

    def update(self, labels):
        self.counts.assign_add(tf.reduce_sum(tf.one_hot(labels, self.classes), axis=0))

    def reset(self):
        self.counts.assign(tf.zeros_like(self.counts))

    def result(self):
        seen = self.counts.numpy()
        return float(seen[seen > 0].mean()) if (seen > 0).any() else 0.0


class Noisy(tf.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(shape[-1],), initializer="ones", name="scale")

    def call(self, x, training=False):
        if not training:
            return x * self.scale
        return x * tf.stop_gradient(tf.clip_by_value(x, 0.5, 2.0)) * self.scale


class Trainer:
    def __init__(self, size, weight=None):
        self.kept = tf.Variable(tf.ones([size]))
        self.weight = weight

    def step(self, x):
        loss = tf.reduce_sum(self.kept * x)
        if not np.isfinite(float(loss)):
            raise FloatingPointError("the loss is no number")
        self.kept.assign_sub(0.1 * x)
        return float(loss)
"""
_CHECK = """\
        if not np.isfinite(float(loss)):
            raise FloatingPointError("the loss is no number")
"""
_LATE = {
    f"{_CHECK}        self.kept.assign_sub(0.1 * x)\n": (
        f"        self.kept.assign_sub(0.1 * x)\n{_CHECK}"
    )
}
_WRONG_ASKING = {
    "a named tuple": {"+ model.noise": "- model.noise"},
    "a ragged tensor": {"reduce_sum(picked": "reduce_max(picked"},
    "a member that a default stands for": {
        "+ amount) * keep[..., None]": ") * keep[..., None] + amount"
    },
    "a class that never came up": {"seen[seen > 0].mean()": "seen.mean()"},
    "a flag of a layer": {
        "tf.stop_gradient(tf.clip_by_value(x, 0.5, 2.0))": "tf.clip_by_value(x, 0.5, 2.0)"
    },
    "what is left behind an exception": _LATE,
}


@pytest.mark.parametrize("change", _WRONG_ASKING.values(), ids=_WRONG_ASKING)
def test_what_shows_only_with_arguments_of_a_kind_is_seen(
    change: dict[str, str], verify_of_many: Verify
) -> None:
    rewritten = ASKING
    for old, new in change.items():
        assert old in rewritten
        rewritten = rewritten.replace(old, new)
    verdicts = verify_of_many(ASKING, rewritten)
    assert is_refuted(verdicts), verdicts


#: What one method shows of its parameters holds for the other, which tells nothing of dimensions and kinds.
FIELD = """\
import tensorflow as tf


class Field:
    def __init__(self, tags):
        self.moves = tf.Variable(tf.zeros([tags, tags]))
        self.last = tf.Variable(tf.zeros([3]))

    def ends(self, x):
        return tf.reduce_sum(self.last * x, axis=1)

    def score(self, emissions, tags, lengths):
        found = []
        for i in range(emissions.shape[0]):
            total = emissions[i, 0, tags[i, 0]]
            for t in range(1, int(lengths[i])):
                total += self.moves[tags[i, t - 1], tags[i, t]] + emissions[i, t, tags[i, t]]
            found.append(total)
        return tf.stack(found)

    def forward(self, emissions, lengths):
        alpha = emissions[:, 0]
        for t in range(1, emissions.shape[1]):
            new = tf.reduce_logsumexp(alpha[:, :, None] + self.moves[None], axis=1) + emissions[:, t]
            alpha = tf.where((t < lengths)[:, None], new, alpha)
        return tf.reduce_logsumexp(alpha, axis=1)
"""
_TRACED = FIELD.replace("    def forward", "    @tf.function\n    def forward").replace(
    "in range(1, emissions.shape[1])", "in tf.range(1, tf.shape(emissions)[1])"
)


@pytest.mark.parametrize(
    ("rewritten", "unit", "expected"),
    [
        (_TRACED, "Field.forward", "equivalent"),
        (_TRACED.replace("axis=1) + e", "axis=2) + e"), "Field.forward", "differs"),
        # It holds zeros until something trains it.
        (FIELD.replace("(self.last", "(2.0 * self.last"), "Field.ends", "differs"),
    ],
)
def test_methods_tell_of_their_parameters_for_each_other(
    rewritten: str, unit: str, expected: str, verify_of_many: Verify
) -> None:
    assert outcomes(verify_of_many(FIELD, rewritten, power=True)) == {unit: expected}


#: Loops that take members of what they go through for indices, and a number that only its default fits.
COUNTING = """\
import numpy as np
import tensorflow as tf


class Buffer:
    def __init__(self, capacity, size):
        self.rows = np.zeros((capacity, size), np.float32)
        self.place = 0

    def add(self, row):
        self.rows[self.place % len(self.rows)] = row
        self.place += 1

    def taken(self, indices):
        return tf.stack([tf.constant(self.rows[i]) for i in indices])


def one_hot(ids):
    rows = []
    for i in ids:
        row = [0.0] * 5
        row[int(i)] = 1.0
        rows.append(row)
    return tf.constant(rows)


def smoothed(labels, classes, amount=0.1):
    rows = []
    for label in labels.numpy():
        row = [amount / classes] * classes
        row[label] += 1.0 - amount
        rows.append(row)
    return tf.constant(rows, tf.float32)


def masked(values, lengths):
    means = []
    for row, n in zip(values, lengths):
        means.append(tf.reduce_mean(row[: int(n)], axis=0))
    return tf.stack(means)


def precision(scores, relevant, k=3):
    found = []
    for i in range(scores.shape[0]):
        _, best = tf.math.top_k(scores[i], k)
        hits = 0.0
        for j in best.numpy():
            if relevant[i, j]:
                hits += 1.0
        found.append(hits / k)
    return tf.constant(found)
"""


@pytest.mark.parametrize(
    ("unit", "body", "wrong"),
    [
        (
            "Buffer.taken",
            "        return tf.constant(self.rows[np.asarray(indices)])\n",
            ("(indices)]", "(indices) // 2]"),
        ),
        ("one_hot", "    return tf.one_hot(ids, 5)\n", ("(ids,", "(ids + 1,")),
        (
            "smoothed",
            "    return tf.one_hot(labels, classes) * (1.0 - amount) + amount / classes\n",
            ("+ amount / classes\n", "+ amount\n"),
        ),
        (
            "masked",
            "    mask = tf.sequence_mask(lengths, values.shape[1], values.dtype)[..., None]\n"
            "    return tf.reduce_sum(values * mask, axis=1) / tf.reduce_sum(mask, axis=1)\n",
            ("(mask, axis=1)", "(mask, axis=1) * 2.0"),
        ),
        (
            "precision",
            "    _, best = tf.math.top_k(scores, k)\n"
            "    hits = tf.gather(tf.cast(relevant, tf.float32), best, batch_dims=1)\n"
            "    return tf.reduce_sum(hits, axis=1) / k\n",
            ("/ k", "/ (k + 1)"),
        ),
    ],
)
def test_what_loops_take_for_indices_is_whole(
    unit: str, body: str, wrong: tuple[str, str], verify_of_many: Verify
) -> None:
    head, _, rest = COUNTING.partition(f"def {unit.rpartition('.')[2]}(")
    first, _, rest = rest.partition("\n")
    after = rest.partition("\n\n\n")[2]
    new = f"{head}def {unit.rpartition('.')[2]}({first}\n{body}\n\n{after}"
    (verdict,) = verify_of_many(COUNTING, new, power=True)
    assert (verdict.unit, verdict.outcome.value, verdict.reason) == (unit, "equivalent", "")
    assert outcomes(verify_of_many(COUNTING, new.replace(*wrong))) == {unit: "differs"}
