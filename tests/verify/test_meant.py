"""Right rewrites whose arguments, options and settings a search has to find: what is meant, and what shows it."""

from __future__ import annotations

import ast

import pytest

from tfxla_lint.verify.changes import changes_between
from tfxla_lint.verify.mutants import mutants_of, without_bounds_of
from tfxla_lint.verify.ran import Changed
from tfxla_lint.verify.switches import Switches
from tfxla_lint.verify.trees import Tree

from .conftest import Verify, is_refuted, outcomes

HEAD = "import numpy as np\nimport tensorflow as tf\n\n\n"
#: By what has to be found: the original, a right rewrite, and what makes that a wrong one.
FOUND = {
    "whole numbers of a documented shape": (
        'def f(labels, x):\n    """Counts ``labels`` [batch] beside ``x`` [batch]."""\n'
        "    lab = [int(v) for v in labels.numpy()]\n    total = tf.constant(0.0)\n"
        "    for i in range(len(lab)):\n        for k in range(len(lab)):\n"
        "            if lab[i] == lab[k]:\n                total += x[i] * x[k]\n    return total\n",
        "def f(labels, x):\n    same = tf.cast(labels[:, None] == labels[None, :], x.dtype)\n"
        "    return tf.reduce_sum(same * x[:, None] * x[None, :])\n",
        ("same * x", "x"),
    ),
    "a row of what is ignored": (
        'def f(labels, x, ignore=255):\n    """Of integer ``labels`` [batch, size] and ``x`` [batch, size]."""\n'
        "    total, count = tf.constant(0.0), 0\n"
        "    for i in range(labels.shape[0]):\n        keep = tf.not_equal(labels[i], ignore)\n"
        "        kept = tf.boolean_mask(x[i], keep)\n        if kept.shape[0] == 0:\n            continue\n"
        "        total += tf.reduce_sum(kept)\n        count += int(kept.shape[0])\n"
        "    return total / max(count, 1)\n",
        "def f(labels, x, ignore=255):\n    keep = tf.not_equal(labels, ignore)\n"
        "    count = tf.reduce_sum(tf.cast(keep, x.dtype))\n"
        "    return tf.reduce_sum(tf.where(keep, x, 0.0)) / tf.maximum(count, 1.0)\n",
        ("tf.where(keep, x, 0.0)", "x"),
    ),
    "places in an array": (
        "def f(scores, tokens):\n    out = scores.numpy().copy()\n"
        "    for i, row in enumerate(tokens.numpy()):\n        for token in set(row.tolist()):\n"
        "            out[i, token] = 0.5 * out[i, token]\n    return tf.constant(out)\n",
        "def f(scores, tokens):\n"
        "    hot = tf.one_hot(tokens, tf.shape(scores)[-1], on_value=True, off_value=False)\n"
        "    seen = tf.reduce_any(hot, axis=1)\n    return tf.where(seen, 0.5 * scores, scores)\n",
        ("0.5 * scores", "0.6 * scores"),
    ),
}
COUNTER = """\
class Share:
    def __init__(self):
        self.hit = tf.Variable(0.0)

    def add(self, labels, scores, weights=None):
        guesses = np.argmax(np.asarray(scores), axis=-1).reshape(-1)
        given = np.ones(len(guesses)) if weights is None else np.asarray(weights).reshape(-1)
        for t, p, w in zip(labels.numpy(), guesses, given):
            if t == p:
                self.hit.assign_add(float(w))
        return float(self.hit)
"""
ADD = COUNTER[COUNTER.index("        guesses") : COUNTER.index("        return")]
ADD_AT_ONCE = """\
        hit = tf.cast(tf.equal(tf.cast(labels, tf.int64), tf.argmax(scores, axis=-1)), tf.float32)
        if weights is not None:
            hit = hit * tf.cast(weights, tf.float32)
        self.hit.assign_add(tf.reduce_sum(hit))
"""
USE = "\n\nprint(Share().add(tf.constant([0, 2, 1]), tf.constant([[3.0, 1, 2], [0, 1, 2], [2, 0, 1]])))\n"


@pytest.mark.parametrize("name", FOUND)
def test_arguments_that_suit_both_versions_are_found(name: str, verify: Verify) -> None:
    old, new, edit = FOUND[name]
    (verdict,) = verify(HEAD + old, HEAD + new, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    assert is_refuted(verify(HEAD + old, HEAD + new.replace(*edit)))


def test_what_may_be_left_out_need_not_be_taken_in_each_shape(verify: Verify) -> None:
    new = COUNTER.replace(ADD, ADD_AT_ONCE)
    found = verify(HEAD + COUNTER + USE, HEAD + new + USE, power=True)
    assert outcomes(found) == {"Share.add": "equivalent"}
    wrong = new.replace("hit * tf", "hit * 0.5 * tf")
    assert is_refuted(verify(HEAD + COUNTER + USE, HEAD + wrong + USE, power=True))


def test_an_image_may_be_meant_where_a_list_is_gone_through(verify: Verify) -> None:
    old = (
        'def f(images, which):\n    """Mirrors where ``which`` [n] is true."""\n    out = []\n'
        "    for image, w in zip(images, which):\n"
        "        out.append(tf.reverse(image, axis=[1]) if w else image)\n    return tf.stack(out)\n"
    )
    new = (
        "def f(images, which):\n    which = tf.cast(which, tf.bool)[:, None, None, None]\n"
        "    return tf.where(which, tf.reverse(images, axis=[2]), images)\n"
    )
    assert not is_refuted(verify(HEAD + old, HEAD + new, power=True))
    wrong = new.replace("axis=[2]", "axis=[1]")
    assert outcomes(verify(HEAD + old, HEAD + wrong, power=True)) != {"f": "equivalent"}


def test_numbers_below_zero_are_no_places_that_anybody_means(verify: Verify) -> None:
    old, new, _ = FOUND["places in an array"]
    old, new = (
        text.replace("0.5 *", "(0.5 if bool(tf.reduce_sum(scores) > 0) else 2.0) *")
        for text in (old, new)
    )
    asked = [HEAD + text + "\n\ndef g(x):\n    return x > 0\n" for text in (old, new)]
    assert not is_refuted(verify(*asked))


# Wrong versions


def test_each_of_several_units_has_wrong_versions() -> None:
    many = "".join(f"    a{i} = x * {i}.5\n" for i in range(20))
    old = f"def f(x):\n{many}    return a1\n\n\ndef g(x):\n    y = x * 2\n    return y\n"
    new = old.replace(".5\n", ".25\n").replace("x * 2\n", "2 * x\n")
    trees = (Tree(old), Tree(new))
    found = mutants_of(trees[1], Changed(*trees, changes_between(*trees)))
    assert {"f", "g"} == {mutant.unit for mutant in found}


def test_a_variable_that_begins_with_something_else_is_a_wrong_version() -> None:
    old = "class A:\n    def __init__(self):\n        self.n = 0\n"
    new = old.replace("= 0", "= tf.Variable(0, trainable=False)")
    trees = (Tree(old), Tree(new))
    found = mutants_of(trees[1], Changed(*trees, changes_between(*trees)))
    assert [mutant.words for mutant in found] == ["line 3: another `0`"]


def test_gradients_that_are_zero_leave_the_variables_as_they_are(tensorflow: None) -> None:
    from tfxla_lint.verify.worker.further import bare_choices
    from tfxla_lint.verify.worker.values import Maker

    choice = {"grads": {"k": "pairs", "dtype": "float32"}}
    zeros, *_ = bare_choices(choice)
    maker = Maker({}, {})
    first, second = (maker.make("grads", spec["grads"], 0) for spec in (choice, zeros))
    assert [v is w for (_, v), (_, w) in zip(first, second, strict=True)] == [True, True]
    assert [float(abs(g.numpy()).max()) > 0 for g, _ in (*first, *second)] == [
        True,
        True,
        False,
        False,
    ]


# What has to be reached


@pytest.mark.parametrize(
    ("new", "count"),
    [
        ("if tf.logical_and(a > 0, b > 0):", 0),
        ("if tf.logical_and(a > 0, a > 0):", 2),
    ],
)
def test_a_function_may_join_what_operators_join(new: str, count: int) -> None:
    old = (
        "def f(a, b, c):\n    if a > 0 and b > 0:\n        return a\n    else:\n        return b\n"
    )
    trees = (Tree(old), Tree(old.replace("if a > 0 and b > 0:", new)))
    found = without_bounds_of(*trees, Changed(*trees, changes_between(*trees)), 0)
    assert sum("hangs on" in mutant.lack for mutant in found) == count


def test_a_condition_may_be_asked_for_a_choice() -> None:
    old = (
        "def f(x, most):\n    for v in x:\n        if v > 0.0:\n            most = min(most, 1 / v)\n"
        "    return most\n"
    )
    new = "def f(x, most):\n    v = max(x)\n    return min(most, 1 / v) if v > 0.0 else most\n"
    trees = (Tree(old), Tree(new))
    found = without_bounds_of(*trees, Changed(*trees, changes_between(*trees)), 0)
    assert not [mutant.words for mutant in found if "is not so" in mutant.lack]


def test_a_bound_that_is_well_passed_may_only_move_the_last_digit(verify: Verify) -> None:
    old = (
        "def f(x, mask):\n    rows = []\n    for i in range(x.shape[0]):\n"
        "        kept = tf.boolean_mask(x[i], mask[i])\n"
        "        rows.append(tf.reduce_sum(kept * tf.nn.softmax(kept)))\n"
        "    return tf.stack(rows)\n"
    )
    new = (
        "def f(x, mask):\n    s = tf.where(mask, x, -1e9)\n"
        "    e = tf.nn.softmax(s, axis=1) * tf.cast(mask, x.dtype)\n"
        "    e = tf.math.divide_no_nan(e, tf.reduce_sum(e, axis=1, keepdims=True))\n"
        "    return tf.reduce_sum(x * e, axis=1)\n"
    )
    end = (
        "\n\nfor turn in range(2):\n    x = tf.random.stateless_normal([4, 5], [turn, 3])\n"
        '    print("%.3f" % float(f(x, tf.constant([[True, True, False, True, False]] * 4))[0]))\n'
    )
    assert outcomes(verify(HEAD + old + end, HEAD + new + end, power=True)) == {"f": "equivalent"}


# Options and settings

PARSED = """\
import argparse
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=4)
parser.add_argument("--clip", type=float, default=50.0)
args = parser.parse_args()
x = tf.reshape(tf.range(12.0), [12, 1])
w = tf.Variable([[1.0]])
total = 0.0
for start in range(0, 12, args.rows):
    part = x[start : start + args.rows]
    loss = float(tf.reduce_mean(part * w))
    total += loss * len(part)
    grad = tf.clip_by_norm(tf.reduce_mean(part, axis=0, keepdims=True), args.clip)
    w.assign_sub(0.01 * grad)
print(total / 12)
"""


def test_options_that_code_comes_to_read_have_another_value(verify: Verify) -> None:
    wrong = PARSED.replace("loss * len(part)", "loss").replace(
        "total / 12", "total * args.rows / 12"
    )
    assert Switches(Tree(PARSED), Tree(wrong)).more == {"rows"}
    assert is_refuted(verify(PARSED, wrong, power=True))


def test_a_bound_of_the_command_line_is_reached(verify: Verify) -> None:
    assert list(Switches(Tree(PARSED), Tree(PARSED)).bounding({"clip", "rows"})) == [
        ({"clip"}, ("--clip", "0.5"))
    ]
    text = PARSED.replace("grad = tf.clip_by_norm(", "grad = clipped(").replace(
        "for start", "\n\n@tf.function\ndef clipped(g, most):\n    return {}\n\n\nfor start"
    )
    right = text.format("g * most / tf.maximum(tf.norm(g), most)")
    (verdict,) = verify(PARSED, right, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    wrong = text.format("tf.clip_by_value(g, -2.0 * most, 2.0 * most)")
    assert is_refuted(verify(PARSED, wrong, power=True))


BOXED = """\
class Body:
    def __init__(self, x, box=None):
        self.x = tf.Variable(x)
        self.box = box

    def step(self, dt):
        x = self.x + dt
        if self.box is not None:
            x = tf.clip_by_value(x, -self.box, self.box)
        self.x.assign(x)
        return self.x.numpy()


"""
USED = "body = Body([1.0, 2.0])\nfor _ in range(3):\n    print(body.step(0.5))\n"


@pytest.mark.parametrize("end", ["", USED])
def test_a_trace_may_keep_what_no_code_sets_later(end: str, verify: Verify) -> None:
    new = BOXED.replace(
        "        x = self.x + dt\n",
        "        return self._step(dt).numpy()\n\n    @tf.function\n"
        "    def _step(self, dt):\n        x = self.x + dt\n",
    ).replace("return self.x.numpy()", "return self.x.read_value()")
    assert ast.parse(new)
    (verdict,) = verify(HEAD + BOXED + end, HEAD + new + end, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    wrong = new.replace("-self.box, self.box)", "-self.box, 2 * self.box)")
    (verdict,) = verify(HEAD + BOXED + end, HEAD + wrong + end, power=True)
    assert verdict.outcome.value != "equivalent"


def test_a_flag_that_no_program_turns_is_turned(verify: Verify) -> None:
    old = BOXED.replace("box=None", "box=2.0, wraps=False").replace(
        "        self.x = tf", "        self.wraps = wraps\n        self.x = tf"
    )
    old = old.replace("if self.box is not None", "if self.wraps")
    new = old.replace(
        "        x = self.x + dt\n",
        "        return self._step(dt).numpy()\n\n    @tf.function\n"
        "    def _step(self, dt):\n        x = tf.add(self.x, dt)\n",
    ).replace("return self.x.numpy()", "return self.x.read_value()")
    new = new.replace(
        "x = tf.clip_by_value(x, -self.box, self.box)",
        "x = -tf.clip_by_value(-x, -self.box, self.box)",
    )
    (verdict,) = verify(HEAD + old + USED, HEAD + new + USED, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    wrong = new.replace("x = -tf.clip", "x = tf.clip")
    (verdict,) = verify(HEAD + old + USED, HEAD + wrong + USED, power=True)
    assert verdict.outcome.value != "equivalent"


def test_what_the_rewritten_version_asks_for_says_what_is_meant(verify: Verify) -> None:
    old = (
        "def f(items, limit):\n    rows = []\n    for row in items:\n"
        "        rows.append(row[max(0, row.shape[0] - limit):])\n"
        "    return tf.RaggedTensor.from_row_lengths(tf.concat(rows, 0), [r.shape[0] for r in rows])\n"
    )
    new = (
        "def f(items, limit):\n    place = tf.range(tf.size(items.values, out_type=tf.int64))\n"
        "    place -= tf.gather(items.row_starts(), items.value_rowids())\n"
        "    length = tf.gather(items.row_lengths(), items.value_rowids())\n"
        "    return tf.ragged.boolean_mask(items, items.with_values(place >= length - limit))\n"
    )
    assert outcomes(verify(HEAD + old, HEAD + new)) == {"f": "equivalent"}
    wrong = new.replace("place >= length", "place > length")
    assert is_refuted(verify(HEAD + old, HEAD + wrong))


def test_an_argument_that_only_the_original_takes_need_not_be_meant(verify: Verify) -> None:
    old = (
        "def _mean(values):\n    return float(np.mean(values)) if values else 0.0\n\n\n"
        "def f(x):\n    return _mean([float(v) for v in x.numpy() if v > 0])\n"
    )
    new = old.replace("if values", "if len(values)").replace(
        "[float(v) for v in x.numpy() if v > 0]", "x.numpy()[x.numpy() > 0]"
    )
    assert not is_refuted(verify(HEAD + old, HEAD + new))


def test_what_comes_behind_what_is_left_out_is_passed_by_name(verify: Verify) -> None:
    old = (
        "def f(x, mode='mean', scale=7.0):\n    if mode == 'mean':\n        out = 0.0\n"
        "        for i in range(x.shape[0]):\n            out += x[i] / scale\n        return out / x.shape[0]\n"
        "    raise ValueError(mode)\n"
    )
    new = (
        "def f(x, mode='mean', scale=7.0):\n    if mode == 'mean':\n"
        "        return tf.reduce_mean(x / scale, axis=0)\n    raise ValueError(mode)\n"
    )
    assert outcomes(verify(HEAD + old, HEAD + new)) == {"f": "equivalent"}
    assert is_refuted(verify(HEAD + old, HEAD + new.replace("x / scale", "x / 7.0")))


COUNTS = """\
class Counts:
    def __init__(self):
        self.hit, self.miss = (tf.Variable(tf.zeros([3]), trainable=False) for _ in range(2))

    def add(self, hit, miss):
        self.hit.assign_add(hit)
        self.miss.assign_add(miss)

    def result(self):
        shares = []
        for i in range(3):
            both = float(self.hit[i] + self.miss[i])
            if both == 0:
                continue
            shares.append(float(self.hit[i]) / both)
        return float(np.mean(shares)) if shares else 0.0


counts = Counts()
for turn in range(2):
    counts.add([1.0, 2.0, 3.0], [1.0, 1.0, 2.0])
    print(counts.result())
"""


def test_something_that_was_never_counted_is_left_out(verify: Verify) -> None:
    loop = COUNTS[COUNTS.index("        shares = []") : COUNTS.index("\n\ncounts = ")]
    right = (
        "        both = self.hit + self.miss\n        known = tf.cast(both > 0, tf.float32)\n"
        "        shares = tf.math.divide_no_nan(self.hit, both)\n"
        "        return float(tf.math.divide_no_nan(tf.reduce_sum(shares), tf.reduce_sum(known)))\n"
    )
    found = verify(HEAD + COUNTS, HEAD + COUNTS.replace(loop, right), power=True)
    assert not is_refuted(found)
    wrong = right.replace("tf.reduce_sum(known)", "3.0")
    assert is_refuted(verify(HEAD + COUNTS, HEAD + COUNTS.replace(loop, wrong), power=True))


def test_a_function_that_is_passed_hangs_on_a_number_for_each_row(tensorflow: None) -> None:
    import tensorflow as tf

    from tfxla_lint.verify.worker.values import Maker

    step = Maker({}, {}).make("step", {"k": "function", "returns": 2}, 0)
    state = tf.zeros([2, 3])
    first, second = (step(tf.constant(tokens), state)[1] for tokens in ([0, 1], [2, 1]))
    assert [bool(tf.reduce_any(first[i] != second[i])) for i in range(2)] == [True, False]
