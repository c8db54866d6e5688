"""What functions do with their arguments, and what docstrings tell of them, says which are tried."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.documented import documented_classes
from tfxla_lint.verify.reports import as_lines

from .conftest import Verify, outcomes

HEAD = "import numpy as np\nimport tensorflow as tf\n\n\n"
#: A function, a right rewrite of a part of it, and a wrong one.
PAIRS = {
    "members that are none": (
        "def norm(grads):\n    total = 0.0\n    for g in grads:\n        if g is not None:\n"
        "            total += float(tf.reduce_sum(tf.square(g)))\n    return total\n",
        (
            "    total = 0.0\n    for g in grads:\n        if g is not None:\n"
            "            total += float(tf.reduce_sum(tf.square(g)))\n    return total\n"
        ),
        (
            "    parts = [tf.reduce_sum(tf.square(g)) for g in grads if g is not None]\n"
            "    return float(tf.add_n(parts)) if parts else 0.0\n"
        ),
        (
            "    parts = [tf.reduce_sum(tf.square(g)) for g in grads if g is not None]\n"
            "    return float(tf.add_n(parts)) if parts else 1.0\n"
        ),
    ),
    "a mask of rows": (
        "def pool(x, mask):\n    rows = []\n    for i in range(x.shape[0]):\n"
        "        kept = tf.boolean_mask(x[i], mask[i])\n"
        "        rows.append(tf.reduce_sum(kept, axis=0) / 2.0)\n    return tf.stack(rows)\n",
        "        rows.append(tf.reduce_sum(kept, axis=0) / 2.0)\n    return tf.stack(rows)\n",
        "        rows.append(tf.reduce_sum(kept, axis=0))\n    return tf.stack(rows) / 2.0\n",
        "        rows.append(tf.reduce_sum(kept, axis=0))\n    return tf.stack(rows) / 3.0\n",
    ),
    "another argument's dimensions": (
        'def chosen(scores, ids):\n    """Sums of the scores at ids [n, t], a score for each."""\n'
        "    rows = []\n    for n in range(ids.shape[0]):\n        total = 0.0\n"
        "        for t in range(ids.shape[1]):\n            total += scores[n, t, int(ids[n, t])]\n"
        "        rows.append(total)\n    return tf.stack(rows)\n",
        (
            "    rows = []\n    for n in range(ids.shape[0]):\n        total = 0.0\n"
            "        for t in range(ids.shape[1]):\n            total += scores[n, t, int(ids[n, t])]\n"
            "        rows.append(total)\n    return tf.stack(rows)\n"
        ),
        "    return tf.reduce_sum(tf.gather(scores, ids, axis=2, batch_dims=2), axis=1)\n",
        "    return tf.reduce_sum(tf.gather(scores, ids, axis=2, batch_dims=2), axis=1) / 2.0\n",
    ),
    "columns that are named one by one": (
        "def sides(boxes):\n    boxes = boxes.numpy()\n    rows = []\n    for i in range(len(boxes)):\n"
        "        rows.append(max(boxes[i, 2] - boxes[i, 0], 0.0) * (boxes[i, 3] - boxes[i, 1]))\n"
        "    return tf.constant(rows, tf.float32)\n",
        (
            "    boxes = boxes.numpy()\n    rows = []\n    for i in range(len(boxes)):\n"
            "        rows.append(max(boxes[i, 2] - boxes[i, 0], 0.0) * (boxes[i, 3] - boxes[i, 1]))\n"
            "    return tf.constant(rows, tf.float32)\n"
        ),
        (
            "    size = boxes[:, 2:] - boxes[:, :2]\n"
            "    return tf.maximum(size[:, 0], 0.0) * size[:, 1]\n"
        ),
        (
            "    size = boxes[:, 2:] - boxes[:, :2]\n"
            "    return tf.maximum(size[:, 0], 0.0) * tf.abs(size[:, 1])\n"
        ),
    ),
    "scores for rows": (
        'def decode(step, tokens, most):\n    """Goes on with tokens [n, t] up to so many.\n\n'
        "    `step` takes tokens [n, t] and returns scores [n, v].\n"
        '    """\n    while tokens.shape[1] < most:\n'
        "        best = tf.argmax(step(tokens), axis=-1).numpy()\n"
        "        tokens = tf.concat([tokens, best[:, None].astype('int32')], axis=1)\n"
        "    return tokens\n",
        (
            "        best = tf.argmax(step(tokens), axis=-1).numpy()\n"
            "        tokens = tf.concat([tokens, best[:, None].astype('int32')], axis=1)\n"
        ),
        (
            "        best = tf.argmax(step(tokens), axis=-1, output_type=tf.int32)\n"
            "        tokens = tf.concat([tokens, best[:, tf.newaxis]], axis=1)\n"
        ),
        (
            "        best = tf.argmin(step(tokens), axis=-1, output_type=tf.int32)\n"
            "        tokens = tf.concat([tokens, best[:, tf.newaxis]], axis=1)\n"
        ),
    ),
    "how often in a row": (
        "class Scale(tf.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.scale = tf.Variable(8.0)\n        self.good = tf.Variable(0)\n"
        "        self.most = 3\n\n    def update(self, finite):\n"
        "        self.good.assign(tf.where(finite, self.good + 1, 0))\n"
        "        if self.good >= self.most:\n            self.scale.assign(self.scale * 2.0)\n"
        "            self.good.assign(0)\n        return self.scale.read_value()\n",
        "            self.scale.assign(self.scale * 2.0)\n            self.good.assign(0)\n",
        "            self.scale.assign(2.0 * self.scale)\n            self.good.assign(0)\n",
        "            self.scale.assign(2.0 * self.scale)\n",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_such_arguments_tell_right_from_wrong(name: str, verify: Verify) -> None:
    text, old, right, wrong = PAIRS[name]
    assert old in text
    verdicts = verify(HEAD + text, HEAD + text.replace(old, right), power=True)
    assert set(outcomes(verdicts).values()) == {"equivalent"}, [v.reason for v in verdicts]
    verdicts = verify(HEAD + text, HEAD + text.replace(old, wrong), power=True)
    assert set(outcomes(verdicts).values()) == {"differs"}, [v.reason for v in verdicts]


#: What no argument that is found shows, with the reason.
UNSEEN = {
    "a dtype": (
        "def f(x, y):\n    return tf.cast(tf.add(x, y), tf.float32) * 2.0\n",
        ("tf.cast(tf.add(x, y), tf.float32)", "tf.add(x, y)"),
        "nothing of another dtype was seen in `tf.cast(tf.add(x, y), tf.float32)` (line 6 of the original)",
    ),
    "a part": (
        "def f(x):\n    return tf.reduce_sum(x, axis=0)\n",
        ("tf.reduce_sum(x, axis=0)", "tf.reduce_sum(x[-1000:], axis=0)"),
        "nothing was seen that `x[-1000:]` (line 6) leaves out",
    ),
    "a condition": (
        "def f(x):\n    done = np.zeros(2, bool)\n    done |= np.array([False, True])\n"
        "    while x < 4.0 and not done.all():\n        x = x + 1.0\n    return x\n",
        (" and not done.all()", ""),
        "nothing was seen that hangs on `not done.all()` (line 8 of the original)",
    ),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_none_shows_is_named(name: str, verify: Verify) -> None:
    text, (old, new), words = UNSEEN[name]
    assert old in text
    (verdict,) = verify(HEAD + text, HEAD + text.replace(old, new), power=True)
    assert (verdict.outcome.value, verdict.reason) == ("not checked", words)


def test_another_dtype_is_passed_where_code_casts(verify: Verify) -> None:
    text = "def f(grads):\n    return [tf.reduce_sum(tf.square(tf.cast(g, tf.float32))) for g in grads]\n"
    new = text.replace("tf.square(tf.cast(g, tf.float32))", "tf.cast(tf.square(g), tf.float32)")
    (verdict,) = verify(HEAD + text, HEAD + new, power=True)
    assert verdict.outcome.value == "not checked"
    assert "another dtype" in verdict.reason


def test_numbers_below_one_need_not_be_taken(verify: Verify) -> None:
    text = (
        "def f(ragged, n=2):\n    rows = []\n    for row in ragged:\n"
        "        ids = [str(int(i)) for i in row]\n"
        '        rows.append(["_".join(ids[k : k + n]) for k in range(len(ids) - n + 1)])\n'
        "    return tf.ragged.constant(rows, dtype=tf.string, ragged_rank=1)\n"
    )
    new = (
        "def f(ragged, n=2):\n    words = ragged.with_values(tf.strings.as_string(ragged.values))\n"
        '    return tf.strings.ngrams(words, n, separator="_")\n'
    )
    (verdict,) = verify(HEAD + text, HEAD + new, power=True)
    assert verdict.outcome.value == "equivalent", verdict.reason
    assert "numbers" in verdict.note


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("`step` takes int32 tokens [n, t] and returns float logits [n, v].", True),
        ("`step` takes tokens [n, t] and returns them [n, t].", False),
        ("`step(x)`: it gets tokens [n, t] (all of one length) and gives scores [n, v].", True),
        ("`step` takes tokens [n, t].", False),
        ("Takes tokens [n, t] and returns scores [n, v].", False),
    ],
)
def test_a_function_of_rows_is_told(text: str, is_told: bool) -> None:
    assert documented_classes(text, "step") is is_told


ROWS = """\
SIZE = 4


def chains(x):
    rows = []
    for step in range(3):
        x = x + tf.random.stateless_normal([SIZE], [7, step])
        rows.append(x)
    return tf.stack(rows)


print(chains(tf.zeros([SIZE])))
"""


def test_a_row_that_is_spread_over_all_is_not_meant(verify: Verify) -> None:
    new = ROWS.replace(
        "def chains", "@tf.function(input_signature=[tf.TensorSpec([4])])\ndef chains"
    )
    (verdict,) = verify(HEAD + ROWS, HEAD + new, power=True)
    assert verdict.outcome.value != "differs", verdict.reason


FILLED = """\
x = tf.reshape(tf.sin(tf.range(12.0)), [6, 2])
found = []
for i in range(0, 6, 2):
    found.append(tf.reduce_max(x[i : i + 2], axis=1).numpy())
print(float(np.mean(np.concatenate(found))))
"""


def test_what_is_filled_piece_by_piece_may_be_made_at_once(verify: Verify) -> None:
    old = FILLED[FILLED.index("found = []") :]
    new = "found = tf.reduce_max(x, axis=1)\nprint(float(tf.reduce_mean(found)))\n"
    verdicts = verify(HEAD + FILLED, HEAD + FILLED.replace(old, new), power=True)
    assert outcomes(verdicts) == {"<module>": "equivalent"}, verdicts[0].reason
    wrong = new.replace("axis=1", "axis=0")
    verdicts = verify(HEAD + FILLED, HEAD + FILLED.replace(old, wrong), power=True)
    assert outcomes(verdicts) == {"<module>": "differs"}


TWO_CLASSES = """\
class {name}(tf.Module):
    def __init__(self, bins=5):
        super().__init__()
        self.bins = bins
        self.counts = tf.Variable(tf.zeros([bins]))

    def update(self, x):
        for i in range(self.bins):
            self.counts[i].assign(self.counts[i] + tf.reduce_sum(x) * float(i))


"""


def test_a_size_that_two_classes_are_made_with_is_not_set_alone(verify: Verify) -> None:
    old = HEAD + TWO_CLASSES.format(name="First") + TWO_CLASSES.format(name="Second")
    loop = old[old.index("        for i in") : old.index("\n\n\nclass Second")]
    whole = (
        "        places = tf.range(5.0)\n        self.counts.assign_add(tf.reduce_sum(x) * places)"
    )
    (verdict,) = verify(old, old.replace(loop, whole, 1), power=True)
    assert "set what no code here does" not in verdict.reason


#: A function, a right rewrite of a part of it, and one that differs where the function does not mean.
MEANT = {
    "a number that fits in": (
        "def patch(x, size, fill=0.5):\n    out = x.numpy().copy()\n"
        "    top = x.shape[1] - size\n    out[:, top:] = fill\n    return tf.constant(out)\n",
        "    out = x.numpy().copy()\n    top = x.shape[1] - size\n    out[:, top:] = fill\n"
        "    return tf.constant(out)\n",
        "    at = tf.range(x.shape[1]) >= x.shape[1] - size\n    return tf.where(at, fill, x)\n",
    ),
    "lengths are never below zero": (
        "def cut(tokens, lengths, fill=-1):\n    out = tokens.numpy().copy()\n"
        "    for b in range(out.shape[0]):\n        out[b, int(lengths[b]) :] = fill\n"
        "    return tf.constant(out)\n",
        "    out = tokens.numpy().copy()\n    for b in range(out.shape[0]):\n"
        "        out[b, int(lengths[b]) :] = fill\n    return tf.constant(out)\n",
        "    kept = tf.sequence_mask(lengths, tokens.shape[1])\n"
        "    return tf.where(kept, tokens, tf.cast(fill, tokens.dtype))\n",
    ),
    "members of a list up to a limit": (
        'def packed(lengths, budget):\n    """The bin of each length (list of ints <= budget)."""\n'
        "    room, bins = [], []\n    for n in lengths:\n        for b, free in enumerate(room):\n"
        "            if free >= n:\n                break\n        else:\n"
        "            room.append(budget)\n            b = len(room) - 1\n        room[b] -= n\n"
        "        bins.append(b)\n    return np.array(bins)\n",
        "    room, bins = [], []\n    for n in lengths:\n        for b, free in enumerate(room):\n"
        "            if free >= n:\n                break\n        else:\n"
        "            room.append(budget)\n            b = len(room) - 1\n        room[b] -= n\n"
        "        bins.append(b)\n    return np.array(bins)\n",
        "    room, bins = np.full(len(lengths), budget), np.zeros(len(lengths), int)\n"
        "    for i, n in enumerate(lengths):\n        b = int(np.argmax(room >= n))\n"
        "        room[b] -= n\n        bins[i] = b\n    return bins\n",
    ),
}


@pytest.mark.parametrize(("whole", "old", "new"), MEANT.values(), ids=MEANT)
def test_what_is_not_meant_refutes_nothing(verify: Verify, whole: str, old: str, new: str) -> None:
    text = HEAD + whole
    assert old in text
    (verdict,) = verify(text, text.replace(old, new), power=True)
    assert verdict.outcome.value == "equivalent", verdict.reason


CALLED = """\
class Chain:
    def __init__(self, ops, seed=0):
        self.ops = list(ops)
        self.seed = seed

    def __call__(self, x):
        for k, op in enumerate(self.ops):
            x = op(x, [self.seed + k, 3])
        return x
"""


def test_members_of_a_list_that_are_called_are_functions(verify: Verify) -> None:
    head = "        for k, op in enumerate(self.ops):\n            x = op(x, [self.seed + k, 3])\n"
    right = "        for op, k in zip(self.ops, range(99)):\n            x = op(x, [k + self.seed, 3])\n"
    wrong = right.replace("k + self.seed", "self.seed")
    verdicts = verify(HEAD + CALLED, HEAD + CALLED.replace(head, right), power=True)
    assert outcomes(verdicts) == {"Chain.__call__": "equivalent"}, verdicts[0].reason
    verdicts = verify(HEAD + CALLED, HEAD + CALLED.replace(head, wrong), power=True)
    assert outcomes(verdicts) == {"Chain.__call__": "differs"}


def test_what_a_call_is_passed_that_differs_is_shown(verify: Verify) -> None:
    old = HEAD + "def scaled(x, rate=0.5, *, names=()):\n    return x * rate\n"
    (verdict,) = verify(old, old.replace("x * rate", "x + rate"))
    assert verdict.called.startswith("x=float32 tensor [[")
    assert "rate=0.5" in verdict.called
    assert f"    called with {verdict.called}" in as_lines(verdict)
