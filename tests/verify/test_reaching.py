"""Where two versions compare, round, sort or take means in other ways, inputs have to reach that."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.bounds import without_bounds
from tfxla_lint.verify.changes import changes_between
from tfxla_lint.verify.constants import compared_in, leaves_ties_open
from tfxla_lint.verify.mutants import without_bounds_of
from tfxla_lint.verify.ran import Changed
from tfxla_lint.verify.trees import Tree

from .conftest import Verify, outcomes
from .mutation import plain

HEAD = "import numpy as np\nimport tensorflow as tf\n\n\n"
COUNTED = """\
def f(scores, threshold):
    count = 0
    for score in scores.numpy():
        if score >= threshold:
            count += 1
    return count


print(f(tf.constant([0.2, 0.7, 0.9]), 0.5))
"""
LOOP = COUNTED[COUNTED.index("    count = 0") : COUNTED.index("    return count")]
AT_ONCE = "    count = int(np.sum(scores.numpy() {} threshold))\n"


def test_equal_values_are_passed(verify: Verify) -> None:
    right = COUNTED.replace(LOOP, AT_ONCE.format(">="))
    wrong = COUNTED.replace(LOOP, AT_ONCE.format(">"))
    assert outcomes(verify(HEAD + COUNTED, HEAD + right, power=True)) == {"f": "equivalent"}
    assert outcomes(verify(HEAD + COUNTED, HEAD + wrong, power=True)) == {"f": "differs"}
    library = [HEAD + text.partition("\n\n\nprint")[0] + "\n" for text in (COUNTED, right, wrong)]
    assert outcomes(verify(library[0], library[1], power=True)) == {"f": "equivalent"}
    assert outcomes(verify(library[0], library[2], power=True)) == {"f": "differs"}


#: Programs of which nobody can pass other values, what is changed in them, and what was not seen then.
UNREACHED = {
    "ties": (
        "total = tf.constant(0.0)\nfor v in (0.3, 0.7):\n    if v > 0.5:\n        total += v\nprint(total)\n",
        ("v > 0.5", "v >= 0.5"),
        "no two values were seen to be equal that `v > 0.5` (line 7 of the original) compares",
    ),
    "edges": (
        "total = tf.constant(0.0)\nfor v in (0.3, 1.0):\n    if 0.5 < v <= 1.0:\n        total += v\nprint(total)\n",
        ("0.5 < v <= 1.0", "np.searchsorted([0.5, 1.0], v) == 1"),
        "no two values were seen to be equal that `0.5 < v` (line 7 of the original) compares",
    ),
    "order": (
        "x = tf.range(4.0)\nfor i, v in enumerate(sorted(x.numpy())):\n    print(i, float(v))\n",
        ("sorted(x.numpy())", "x.numpy()"),
        "nothing was seen that hangs on the order of `sorted(x.numpy())` (line 6 of the original)",
    ),
    "rounding": (
        "x = tf.constant([8.00001])\ntotal = 0.0\nfor v in x.numpy():\n"
        "    total += round(float(v), 4)\nprint(total > 1.0, x)\n",
        ("round(float(v), 4)", "float(v)"),
        "no value was seen that hangs on the rounding of `round(float(v), 4)` (line 8 of the original)",
    ),
    "a failure": (
        "x = tf.Variable(1.0)\ntry:\n    x.assign_add(2.0)\nfinally:\n    x.assign(3.0)\nprint(x)\n",
        (
            "try:\n    x.assign_add(2.0)\nfinally:\n    x.assign(3.0)\n",
            "x.assign_add(2.0)\nx.assign(3.0)\n",
        ),
        "nothing was seen to fail that `finally` (line 9 of the original) follows",
    ),
    "uneven parts": (
        "x = tf.reshape(tf.sin(tf.range(12.0)), [12])\ntotal, rows = 0.0, 0\n"
        "for i in range(0, 12, 4):\n"
        "    total += float(tf.reduce_sum(x[i : i + 4]))\n    rows += len(x[i : i + 4])\n"
        "print(total / rows)\n",
        (
            "total, rows = 0.0, 0\nfor i in range(0, 12, 4):\n"
            "    total += float(tf.reduce_sum(x[i : i + 4]))\n    rows += len(x[i : i + 4])\n"
            "print(total / rows)\n",
            "means = []\nfor i in range(0, 12, 4):\n"
            "    means.append(float(tf.reduce_mean(x[i : i + 4])))\nprint(float(np.mean(means)))\n",
        ),
        "all parts that `np.mean(means)` (line 9) takes the mean of were seen to be of one size",
    ),
}


@pytest.mark.parametrize("name", UNREACHED)
def test_what_is_not_reached_is_named(name: str, verify: Verify) -> None:
    text, (old, new), words = UNREACHED[name]
    assert old in text
    verdicts = verify(HEAD + text, HEAD + text.replace(old, new), power=True)
    assert outcomes(verdicts) == {"<module>": "not checked"}
    assert verdicts[0].reason == words


MEANS = """\
def loss_of(batches):
    total, rows = 0.0, 0
    for x in batches:
        total += float(tf.reduce_sum(x * x))
        rows += int(x.shape[0])
    return total / rows


data = np.sin(np.arange(16.0)).astype("float32")
print(loss_of({batches}))
"""
OF_MEANS = """\
def loss_of(batches):
    return float(np.mean([float(tf.reduce_mean(x * x)) for x in batches]))


"""


@pytest.mark.parametrize(
    "batches",
    [
        "[data[i : i + 4] for i in range(0, 16, 4)]",
        "tf.data.Dataset.from_tensor_slices(data).batch(4)",
    ],
)
def test_a_smaller_last_batch_is_passed(batches: str, verify: Verify) -> None:
    old = HEAD + MEANS.replace("{batches}", batches)
    start, end = old.index("def loss_of"), old.index("data =")
    new = old[:start] + OF_MEANS + old[end:]
    assert outcomes(verify(old, new, power=True)) == {"loss_of": "differs"}
    counted = old.replace("float(tf.reduce_sum(x * x))", "float(tf.reduce_mean(x * x)) * len(x)")
    assert outcomes(verify(old, counted, power=True)) == {"loss_of": "equivalent"}


BEST = "def f(scores):\n    order = np.argsort(scores.numpy())[::-1]\n    return int(order[0])\n"
TOP = "def f(scores):\n    return int(tf.math.top_k(scores, 1).indices[0])\n"


@pytest.mark.parametrize("end", ["", "\n\nprint(f(tf.constant([0.2, 0.9, 0.5])))\n"])
def test_an_order_that_nothing_promises_does_not_refute(end: str, verify: Verify) -> None:
    (verdict,) = verify(HEAD + BEST + end, HEAD + TOP + end, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    assert "equal values" in verdict.note
    stable = BEST.replace("scores.numpy())", 'scores.numpy(), kind="stable")')
    (verdict,) = verify(HEAD + stable + end, HEAD + TOP + end, power=True)
    assert verdict.outcome.value == "differs"


PLACE = "def f(x):\n    return tf.argmax(x, axis=1)\n"
OF_LAST = PLACE.replace("tf.argmax(x, axis=1)", "2 - tf.argmax(x[:, ::-1], axis=1)")


@pytest.mark.parametrize(
    "end", ["", "\n\nprint(f(tf.constant([[0.5, 2.0, 1.0], [0.1, 0.2, 0.9]])))\n"]
)
def test_the_place_of_the_last_greatest_is_another_one(end: str, verify: Verify) -> None:
    assert outcomes(verify(HEAD + PLACE + end, HEAD + OF_LAST + end, power=True)) == {
        "f": "differs"
    }


def lacks(before: str, after: str) -> list[str]:
    old, new = (Tree(f"{HEAD}def f(x, y):\n    return {text}\n") for text in (before, after))
    changed = Changed(old, new, changes_between(old, new))
    found = without_bounds_of(old, new, changed, 0)
    lines = [m.text.splitlines()[-1].strip().removeprefix("return ") for m in found]
    return [f"{m.side} {plain(line)}" for m, line in zip(found, lines, strict=True)]


def test_what_is_watched() -> None:
    assert lacks("x > y", "x + 0 > y") == []
    assert lacks("x > y", "y < x + 0") == []
    assert lacks("x > y", "tf.greater(x, y)") == []
    assert lacks("x > y", "x >= y") == ["0 __txl_tie__(x, 'gt', y)", "1 __txl_tie__(x, 'ge', y)"]
    assert lacks("x > y", "tf.less_equal(y, x)") == [
        "0 __txl_tie__(x, 'gt', y)",
        "1 __txl_tie__(y, 'le', x)",
    ]
    # Which of them is the greater shows by itself; at which place it stands, hangs on ties.
    assert lacks("x if x > y else y", "tf.maximum(x, y)") == ["1 x", "1 y"]
    assert lacks("0 if x > y else 1", "tf.argmax([x, y])") == [
        "0 0 if __txl_tie__(x, 'gt', y) else 1"
    ]
    assert lacks("0 <= x < y", "(0 <= x) & (x < y)") == []
    assert lacks("0 <= x < y", "0 <= x <= y") == [
        "0 0 <= x and __txl_tie__(x, 'lt', y)",
        "1 0 <= x and __txl_tie__(x, 'le', y)",
    ]
    assert lacks("0 < x <= y", "np.searchsorted([0, y], x) == 1") == [
        "0 __txl_tie__(0, 'lt', x) and x <= y",
        "0 0 < x and __txl_tie__(x, 'le', y)",
    ]
    assert lacks("round(x, 2)", "tf.round(x)") == ["0 x", "1 x"]
    assert lacks("np.round(x)", "tf.round(x + 0)") == []
    assert lacks("sorted(x)", "x") == ["0 list(x)"]
    assert lacks("np.sort(x)", "tf.sort(x + 0)") == []
    assert lacks("tf.reduce_mean(x)", "np.mean(x)") == []
    # What is asked for twice is one mean.
    assert lacks("np.mean(x), np.mean(x), y.mean()", "np.mean(x + 0), y.mean()") == []
    assert lacks("sum(x) / y", "np.mean([z.mean() for z in x])") == [
        "1 np.mean(__txl_size__([__txl_size__(z, 1).mean() for z in x], 0))"
    ]


def test_what_code_compares_with() -> None:
    tree = Tree("a = x > 0.5 and -1 <= y\nb = tf.less(x, 3.0)\nc = x == 7\n")
    assert sorted(compared_in(tree)) == [-1.0, 0.5, 3.0, 7.0]
    assert leaves_ties_open([Tree("np.argsort(x)").module])
    assert not leaves_ties_open([Tree("np.argsort(x, kind='stable')").module])
    assert not leaves_ties_open([Tree("tf.argsort(x, stable=True)").module])
    assert leaves_ties_open([Tree("tf.argsort(x, stable=False)").module])


def test_what_the_original_asks_for_alone_is_watched() -> None:
    pairs = "sorted(x, key=lambda r: (r[0], r[1]))"
    assert lacks(pairs, "sorted(x, key=lambda r: r[0])") == [
        "0 list(x)",
        "0 sorted(x, key=lambda r: r[0])",
        "1 list(x)",
        "1 sorted(reversed(list(x)), key=lambda r: r[0])",
    ]
    assert lacks(pairs, f"list({pairs})") == []
    assert lacks("[a for a in x if a > y]", "[a for a in x]") == ["0 [a for a in x if True]"]
    assert lacks("[a for a in x if a > y]", "tuple((a for a in x if a > y))") == []
    assert lacks("(x == 1) | (y == 2)", "x == 1") == ["0 False | (y == 2)", "0 (x == 1) | False"]
    assert lacks("x == 1 and y == 2", "(x == 1) & (y == 2)") == []


#: Nothing holds the object when the program has ended.
COUNTER = (
    HEAD
    + """\
class Counter:
    def __init__(self):
        self.counts = np.zeros(3, int)

    def add(self, scores):
        for row in scores.numpy():
            best = 0
            for place in range(3):
                if row[place] > row[best]:
                    best = place
            self.counts[best] += 1


def counted(data):
    counter = Counter()
    for x in data:
        counter.add(x)
    return counter.counts


print(counted([tf.constant([[0.1, 0.7, 0.2], [0.5, 0.1, 0.2]]) * i for i in (1.0, 2.0)]))
"""
)


def test_what_methods_leave_in_objects_that_nobody_holds(verify: Verify) -> None:
    loop = COUNTER[
        COUNTER.index("            best = 0\n") : COUNTER.index("            self.counts[")
    ]
    right = COUNTER.replace(loop, "            best = int(np.argmax(row))\n")
    wrong = COUNTER.replace("row[place] > row[best]", "row[place] >= row[best]")
    assert outcomes(verify(COUNTER, right, power=True)) == {"Counter.add": "equivalent"}
    assert outcomes(verify(COUNTER, wrong, power=True)) == {"Counter.add": "differs"}


def test_a_condition_that_always_holds_may_not_be_lost(verify: Verify) -> None:
    old = (
        "total = tf.constant(0.0)\nfor v in (1.0, 2.0):\n    if v != 7.0:\n        total += v\n"
        "print(total)\n"
    )
    new = old.replace("    if v != 7.0:\n        total += v\n", "    total += v\n")
    (verdict,) = verify(HEAD + old, HEAD + new, power=True)
    assert verdict.outcome.value == "not checked"
    assert (
        verdict.reason == "nothing was seen of where `v != 7.0` (line 7 of the original) is not so"
    )
    seen = verify(HEAD + old.replace("2.0", "7.0"), HEAD + new.replace("2.0", "7.0"), power=True)
    assert outcomes(seen) == {"<module>": "differs"}


SCORED = """\
scores = tf.sin(tf.reshape(tf.range(12.0), [4, 3]))
labels = tf.constant([0, 2, 1, 1])


def scored(k):
    hits, sums = 0, 0.0
    for row, label in zip(scores.numpy(), labels.numpy()):
        rank = 1 + sum(v > row[label] for v in row)
        hits += rank <= k
        sums += 1.0 / rank
    return hits / len(labels), sums / len(labels)


for k in (1, 2):
    print(*scored(k))
"""


def test_means_beside_each_other_need_no_uneven_parts(verify: Verify) -> None:
    start, end = SCORED.index("    hits, sums"), SCORED.index("\n\nfor k")
    new = (
        SCORED[:start]
        + """\
    own = tf.gather(scores, labels, batch_dims=1)[:, None]
    rank = 1 + tf.reduce_sum(tf.cast(scores > own, tf.int64), axis=1).numpy()
    return float(np.mean(rank <= k)), float(np.mean(1.0 / rank))
"""
        + SCORED[end:]
    )
    (verdict,) = verify(HEAD + SCORED, HEAD + new, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")


STEPS = """\
def main():
    weight, total = tf.Variable(1.0), tf.Variable(0.0)
    for row in (1.0, 2.0, 3.0):
        total.assign_add(row * weight)
        norm = float(tf.abs(total))
        if np.isfinite(norm):
            weight.assign_sub(0.1 * total)
        total.assign(0.0)
    print(weight.numpy())


main()
"""


@pytest.mark.parametrize("asked", ["np.isfinite(norm)", "norm < 1000.0"])
def test_what_comes_to_stand_under_a_condition_that_always_holds(
    asked: str, verify: Verify
) -> None:
    old = HEAD + STEPS.replace("np.isfinite(norm)", asked)
    new = old.replace("        total.assign(0.0)", "            total.assign(0.0)")
    (verdict,) = verify(old, new, power=True)
    lack = f"nothing was seen of where `{asked}` (line 12 of the original) is not so"
    assert (verdict.outcome.value, verdict.reason) == ("not checked", lack)
    seen = [text.replace("2.0, 3.0", "1e39, 3.0") for text in (old, new)]
    assert outcomes(verify(*seen, power=True)) == {"main": "differs"}


RANKED = """\
def f(labels, scores, k):
    hits = 0
    for label, row in zip(labels.numpy(), scores.numpy()):
        order = sorted(range(len(row)), key=lambda c: (-row[c], c))
        hits += label in order[:k]
    return hits / len(labels)


print(f(tf.constant([0, 1]), tf.constant([[0.5, 0.25, 0.5], [0.0, 0.5, 0.75]]), 1))
"""
AT_TOP = """\
    best = tf.math.top_k(scores, k).indices
    return float(np.mean(tf.reduce_any(best == labels[:, None], axis=1)))
"""


def test_what_comes_in_order_is_told_by_the_other_one(verify: Verify) -> None:
    body = RANKED[RANKED.index("    hits = 0") : RANKED.index("\n\nprint")]
    right = HEAD + RANKED.replace(body, AT_TOP)
    (verdict,) = verify(HEAD + RANKED, right, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    wrong = right.replace("top_k(scores, k).indices", "top_k(scores[:, ::-1], k).indices")
    wrong = wrong.replace("(best ==", "(2 - best ==")
    assert outcomes(verify(HEAD + RANKED, wrong, power=True)) == {"f": "differs"}


NUCLEUS = """\
def f(rows, p):
    kept = []
    for row in rows.numpy():
        total = 0.0
        for value in row:
            if total >= p:
                break
            total += float(value)
        kept.append(total)
    return tf.constant(kept)


print(f(tf.constant([[0.51, 0.31, 0.18], [0.42, 0.33, 0.25]]), 0.6))
"""
SUMMED = """\
    before = tf.cumsum(rows, axis=1, exclusive=True)
    return tf.reduce_sum(tf.where(before {} p, rows, 0.0), axis=1)
"""


def test_what_is_so_otherwise_takes_the_same_apart(verify: Verify) -> None:
    body = NUCLEUS[NUCLEUS.index("    kept = []") : NUCLEUS.index("\n\nprint")]
    right = HEAD + NUCLEUS.replace(body, SUMMED.format("<"))
    (verdict,) = verify(HEAD + NUCLEUS, right, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    (verdict,) = verify(HEAD + NUCLEUS, right.replace("before < p", "before <= p"), power=True)
    assert verdict.outcome.value != "equivalent"


def test_equals_are_asked_for_where_a_key_changed() -> None:
    old = "def f(x):\n    return sorted(x, {})\n"
    for before, after, expected in (
        ("reverse=True", "key=lambda r: -r[0]", ["key=lambda r: -r[0]"]),
        ("key=lambda r: -r[0]", "key=lambda r: (-r[0], r[1])", ["key=lambda r: -r[0]"]),
        ("key=len", "key=len", []),
    ):
        trees = Tree(old.format(before)), Tree(old.format(after) + "# other\n")
        rows = without_bounds(trees, tuple({"f": [t.functions["f"]]} for t in trees))
        found = [row.text for row in rows if "reversed(list(x))" in row.text]
        assert [key in text for text, key in zip(found, expected, strict=True)] == [True] * len(
            found
        )


def test_the_order_of_equals_has_to_be_seen(verify: Verify) -> None:
    program = HEAD + "rows = [(0.25, 2), (0.5, 1), (0.125, 0)]\nprint(sorted(rows, reverse=True))\n"
    new = program.replace("reverse=True", "key=lambda r: -r[0]")
    (verdict,) = verify(program, new, power=True)
    assert (verdict.outcome.value, "the order of equals" in verdict.reason) == ("not checked", True)
    tied = [text.replace("0.125, 0", "0.25, 1") for text in (program, new)]
    (verdict,) = verify(*tied, power=True)
    assert verdict.outcome.value == "equivalent"


HELD = """\
class Counts:
    def __init__(self, low: float, high: float):
        self.low, self.high = low, high
        self.inside = tf.Variable(0)
        self.above = tf.Variable(0)

    def update(self, values):
"""
ONE_BY_ONE = """\
        for value in values.numpy():
            if value > self.high:
                self.above.assign_add(1)
            elif value >= self.low:
                self.inside.assign_add(1)
"""


@pytest.mark.parametrize(("how", "expected"), [("<=", "equivalent"), ("<", "differs")])
def test_values_equal_to_what_an_object_holds_are_passed(
    how: str, expected: str, verify: Verify
) -> None:
    at_once = (
        f"        inside = (values >= self.low) & (values {how} self.high)\n"
        "        self.inside.assign_add(tf.math.count_nonzero(inside, dtype=tf.int32))\n"
        "        above = tf.math.count_nonzero(values > self.high, dtype=tf.int32)\n"
        "        self.above.assign_add(above)\n"
    )
    verdicts = verify(HEAD + HELD + ONE_BY_ONE, HEAD + HELD + at_once, power=True)
    assert outcomes(verdicts) == {"Counts.update": expected}


def test_what_only_keeps_a_divisor_from_zero_need_not_be_reached(verify: Verify) -> None:
    old = (
        "def f(x):\n    norm = float(np.sqrt(np.sum(np.square(x.numpy()))))\n"
        "    return x / norm if norm > 1.0 else x\n\n\n"
    )
    new = "def f(x):\n    return x * tf.minimum(1.0, 1.0 / tf.maximum(tf.norm(x), 1e-12))\n\n\n"
    used = "for x in ([3.0, 4.0], [0.3, 0.4]):\n    print(f(tf.constant(x)).numpy())\n"
    assert outcomes(verify(HEAD + old + used, HEAD + new + used, power=True)) == {"f": "equivalent"}


def test_a_count_may_be_one_less_where_one_more_is_nothing(verify: Verify) -> None:
    old = (
        "def f(x):\n    found = []\n    for i in range(0, x.shape[0], 2):\n"
        "        found.append(tf.reduce_sum(x[i : i + 2], axis=0))\n    return tf.add_n(found)\n\n\n"
    )
    new = (
        "def f(x):\n    parts = -(-x.shape[0] // 2)\n    total = tf.zeros_like(x[0])\n"
        "    for i in range(parts):\n        total += tf.reduce_sum(x[2 * i : 2 * i + 2], axis=0)\n"
        "    return total\n\n\n"
    )
    used = "print(f(tf.reshape(tf.range(21.0), [7, 3])).numpy())\n"
    assert outcomes(verify(HEAD + old + used, HEAD + new + used, power=True)) == {"f": "equivalent"}
