"""Rewrites that are right stay right: what two runs differ in need not be what they compute."""

from __future__ import annotations

import collections
import types

import numpy as np
import pytest

from tfxla_lint.verify.bounds import hides_less
from tfxla_lint.verify.changes import MODULE, changes_between
from tfxla_lint.verify.mutants import mutants_of
from tfxla_lint.verify.ran import Changed
from tfxla_lint.verify.stages import stages_between
from tfxla_lint.verify.trees import Tree
from tfxla_lint.verify.worker.plain import given_back

from .conftest import Verify, is_refuted, outcomes
from .snippets import edited

#: A counter in Python, and what the program changes between two steps.
TRAINER = """\
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable([1.0, -2.0])
        self.frozen = True
        self.steps = 0

    def scale(self):
        return 0.0 if self.frozen else 1.0

    def train_step(self, x):
        self.w.assign_sub(0.1 * x * (1.0 + self.scale()))
        self.steps += 1
        return tf.reduce_sum(self.w)


trainer = Trainer()
for epoch in range(3):
    if epoch == 1:
        trainer.frozen = False
    for i in range(2):
        print(float(trainer.train_step(tf.constant([0.5, 1.0]) * (i + 1.0))))
print(trainer.steps)
"""
TRACED = (
    TRAINER.replace("def scale(self)", "def scale(self, frozen)")
    .replace("self.frozen else", "frozen else")
    .replace(
        "        self.w.assign_sub(0.1 * x * (1.0 + self.scale()))\n",
        "        loss = self._step(x, self.frozen)\n",
    )
    .replace(
        "        return tf.reduce_sum(self.w)\n",
        "        return loss\n\n"
        "    @tf.function\n"
        "    def _step(self, x, frozen):\n"
        "        self.w.assign_sub(0.1 * x * (1.0 + self.scale(frozen)))\n"
        "        return tf.reduce_sum(self.w)\n",
    )
)


def test_counters_stand_alike_when_steps_are_called_again(verify: Verify) -> None:
    verdicts = verify(TRAINER, TRACED, power=True)
    assert set(outcomes(verdicts).values()) == {"equivalent"}, verdicts
    assert is_refuted(verify(TRAINER, TRACED.replace("(x, self.frozen)", "(x, True)"), power=True))


def test_what_python_holds_is_given_back() -> None:
    class Mine:
        count = 0

    mine, drawn = Mine(), np.random.default_rng(1)
    mine.log, mine.seen = [1], {"a": 1}  # type: ignore[attr-defined]
    queue, array = collections.deque([1, 2], maxlen=2), np.zeros(2)
    space = {"mine": mine, "queue": queue, "array": array, "drawn": drawn, "n": 1}
    expected = np.random.default_rng(1).random()
    with given_back([space], {__name__}):
        mine.count += 1
        mine.log.append(2)  # type: ignore[attr-defined]
        mine.seen["b"] = 2  # type: ignore[attr-defined]
        queue.append(3)
        array += 1.0
        drawn.random()
        space["n"] = space["new"] = 2
    assert vars(mine) == {"log": [1], "seen": {"a": 1}}
    assert (list(queue), array.tolist(), drawn.random()) == ([1, 2], [0.0, 0.0], expected)
    assert space["n"] == 1
    assert "new" not in space


def test_what_other_modules_hold_is_left_alone() -> None:
    class Mine:
        count = 0

    mine = Mine()
    with given_back([mine, types], set()):
        mine.count = 1
    assert mine.count == 1


#: Keras notes on a model that it predicted, and what `fit` gave.
FITTED = """\
import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, x):
        return self.dense(x)


net = Net()
x = np.ones([4, 2], np.float32)
print(net.predict(x, verbose=0)[0])
"""


def test_what_keras_notes_for_itself_is_no_state_of_the_program(verify: Verify) -> None:
    direct = FITTED.replace("net.predict(x, verbose=0)", "net(x).numpy()")
    assert outcomes(verify(FITTED, direct)) == {"<module>": "equivalent"}
    assert is_refuted(verify(FITTED, direct.replace("net(x)", "net(2 * x)")))


#: A line search that says how many halvings it took, to a caller that changed with it.
SEARCHED = """\
import tensorflow as tf


def halved(x, most=5):
    for i in range(most):
        if x <= 1.0:
            return x, i
        x = x * 0.5
    return x, most


def run(x):
    value, count = halved(x)
    return float(value) + count


print(run(tf.constant(3.0)), run(tf.constant(0.5)))
"""
COUNTED = SEARCHED.replace(
    """\
    for i in range(most):
        if x <= 1.0:
            return x, i
        x = x * 0.5
    return x, most
""",
    """\
    i = tf.constant(0)
    while i < most and not x <= 1.0:
        x = x * 0.5
        i += 1
    return x, i
""",
).replace("+ count", "+ int(count)")


def test_a_number_becomes_a_tensor_together_with_what_takes_it(verify: Verify) -> None:
    verdicts = verify(SEARCHED, COUNTED, power=True)
    assert not is_refuted(verdicts), verdicts
    assert is_refuted(verify(SEARCHED, COUNTED.replace("i += 1", "i += 2"), power=True))


#: What a parameter takes is written beside it: a tuple of floats.
PINBALL = """\
import tensorflow as tf


def pinball(y, quantiles, levels=(0.1, 0.5, 0.9)):
    total = 0.0
    for i, q in enumerate(levels):
        err = y - quantiles[..., i]
        total += tf.reduce_mean(tf.maximum(q * err, (q - 1.0) * err))
    return total / len(levels)
"""
AT_ONCE = """\
import tensorflow as tf


@tf.function
def pinball(y, quantiles, levels=(0.1, 0.5, 0.9)):
    q = tf.constant(levels, dtype=quantiles.dtype)
    err = y[..., tf.newaxis] - quantiles[..., : len(levels)]
    return tf.reduce_mean(tf.maximum(q * err, (q - 1.0) * err))
"""


def test_a_tuple_of_numbers_stays_one(verify: Verify) -> None:
    assert not is_refuted(verify(PINBALL, AT_ONCE, power=True))
    assert is_refuted(verify(PINBALL, AT_ONCE.replace("(q - 1.0)", "(q + 1.0)")))


#: What training goes through: gradients, and what becomes of them.
STAGES = """\
import tensorflow as tf

w = tf.Variable([1.0, -2.0])
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w) * 8.0
    grads = tape.gradient(loss, [w])
    grads = [g / 8.0 for g in grads]
    if i < 2:
        w.assign_sub(0.1 * grads[0])
print(w.numpy())
"""
AS_A_STEP = """\
import tensorflow as tf

w = tf.Variable([1.0, -2.0])


@tf.function
def gradients():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w) * 8.0
    return loss, tape.gradient(loss, [w])


for i in range(3):
    loss, grads = gradients()
    if i < 2:
        w.assign_sub(0.1 * grads[0] / 8.0)
print(w.numpy())
"""


def test_a_name_may_hold_another_step_of_the_way(verify: Verify) -> None:
    (verdict,) = verify(STAGES, AS_A_STEP, power=True)
    assert (verdict.outcome.value, verdict.note) == (
        "equivalent",
        "not compared, since each version leaves another step of its way there: grads",
    )
    assert is_refuted(verify(STAGES, AS_A_STEP.replace("grads[0] / 8.0", "grads[0]")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Bound as often: the same step.
        ("y = f(x)\nprint(y)\n", "y = g(x)\nprint(y)\n"),
        # What is bound last is read no more: a result.
        ("y = f(x)\ny = f(y)\n", "y = g(x)\n"),
        # A line that stays reads it.
        ("y = x\ny = f(y)\nprint(y)\n", "y = g(x)\nprint(y)\n"),
        # A function reads it.
        (
            "def h():\n    return y\ny = x\ny = f(y)\np(y)\n",
            "def h():\n    return y\ny = g(x)\nq(y)\n",
        ),
        # Another name in as many loops.
        (
            "for i in r:\n    y = f(i, 2)\n    p(y)\n",
            "for i in r:\n    z = f(i, 2)\n    p(z)\n    q()\n",
        ),
        # Another name in fewer loops, and a result.
        ("for i in r:\n    y = f(i, 2)\n", "z = f(i, 2)\nfor i in r:\n    q()\n"),
    ],
)
def test_what_is_a_result_is_compared(old: str, new: str) -> None:
    before, after = Tree(old), Tree(new)
    changed = Changed(before, after, changes_between(before, after)).both(MODULE)
    assert stages_between(before, after, changed) == set()


def test_another_name_may_hold_another_step_of_the_way() -> None:
    before = Tree("for i in r:\n    for j in s:\n        pick = d(0, 9, n)\n        g(p[pick])\n")
    after = Tree("for i in r:\n    picks = w([d(0, 9, n) for j in s])\n    g(p[picks])\n")
    changed = Changed(before, after, changes_between(before, after)).both(MODULE)
    assert stages_between(before, after, changed) == {"pick"}


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        # One value for each turn, and all of them at once.
        ("for i in r:\n    y = f(i)\n    p(y)\n", "y = f(r)\np(y)\n", {"y"}),
        # The function that reads it came with the rewrite.
        (
            "for i in r:\n    y = [f(i)]\n    p(y)\n",
            "def h(i):\n    y.append(f(i))\ny = []\nfor i in r:\n    h(i)\np(y)\n",
            {"y"},
        ),
    ],
)
def test_what_other_loops_bind_is_another_step(old: str, new: str, left: set[str]) -> None:
    before, after = Tree(old), Tree(new)
    changed = Changed(before, after, changes_between(before, after)).both(MODULE)
    assert stages_between(before, after, changed) == left


#: A count in Python becomes a variable: of the object beside others, or behind a property.
COUNTING = """\
import tensorflow as tf


class Bag(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([1.0, -2.0])
        self.seen = 0
        self.z = tf.Variable(3.0)

    def __call__(self, x):
        self.seen += int(tf.size(x))
        return self.w * x + self.z


bag = Bag()
for i in range(3):
    print(bag(tf.constant([1.0, 2.0]) * i).numpy())
print(int(bag.seen))
"""
IN_A_VARIABLE = COUNTING.replace("self.seen = 0", "self.seen = tf.Variable(0)").replace(
    "self.seen += int(tf.size(x))", "self.seen.assign_add(tf.size(x))"
)
TALLY = """\
import tensorflow as tf


class Tally:
    def __init__(self):
        self.total = 0

    def update(self, x):
        self.total += int(tf.reduce_sum(tf.cast(x > 0.0, tf.int32)))

    def reset(self):
        self.total = 0
"""
BEHIND_A_PROPERTY = """\
import tensorflow as tf


class Tally:
    def __init__(self):
        self._sum = tf.Variable(0, dtype=tf.int64)

    @property
    def total(self):
        return int(self._sum)

    @tf.function
    def update(self, x):
        self._sum.assign_add(tf.math.count_nonzero(x > 0.0))

    def reset(self):
        self._sum.assign(0)
"""


def test_a_count_may_become_a_variable_beside_others(verify: Verify) -> None:
    verdicts = verify(COUNTING, IN_A_VARIABLE, power=True)
    assert set(outcomes(verdicts).values()) == {"equivalent"}, verdicts
    assert is_refuted(verify(COUNTING, IN_A_VARIABLE.replace("d(tf.size(x))", "d(1)")))
    assert is_refuted(
        verify(COUNTING, IN_A_VARIABLE.replace("tf.Variable(3.0)", "tf.Variable(4.0)"))
    )


def test_an_attribute_is_what_reading_its_name_gives(verify: Verify) -> None:
    verdicts = outcomes(verify(TALLY, BEHIND_A_PROPERTY, power=True))
    assert (verdicts["Tally.update"], verdicts["Tally.reset"]) == ("equivalent", "equivalent")
    assert is_refuted(verify(TALLY, BEHIND_A_PROPERTY.replace("x > 0.0", "x < 0.0")))


#: What a flag of a variable says is asked by what holds it.
FLAGGED = """\
import tensorflow as tf

rate = {rate}


def scaled(x):
    return rate * x


print(scaled(tf.constant([1.0, 2.0])).numpy())
"""


def test_whether_a_variable_that_nothing_holds_may_be_trained_is_nothing_to_see(
    verify: Verify,
) -> None:
    old, new = (FLAGGED.replace("{rate}", r) for r in ("0.5", "tf.Variable(0.5, trainable=False)"))
    assert set(outcomes(verify(old, new, power=True)).values()) == {"equivalent"}


#: Texts that a program passes in small letters only.
LOWERED = """\
import tensorflow as tf


def lowered(texts):
    return tf.strings.lower(texts, encoding="utf-8")


print(lowered(tf.constant(["Caf\\u00e9", "Tea"])).numpy())
"""


def test_texts_are_passed_in_other_letters_too(verify: Verify) -> None:
    wrong = LOWERED.replace(', encoding="utf-8"', "")
    assert is_refuted(verify(LOWERED, wrong, power=True))


#: Each row by itself, and all of them at once.
ROWS = """\
import tensorflow as tf

table = tf.constant([[1.0, 2.0], [3.0, -4.0], [0.5, 6.0]])


def score(row):
    if row[0] > 1.0:
        return row[0] * 2.0 + row[1]
    return row[1] - row[0]


scores = []
for row in table:
    scores.append(float(score(row)))
print([round(value, 3) for value in scores])
"""
ALL_ROWS = """\
import tensorflow as tf

table = tf.constant([[1.0, 2.0], [3.0, -4.0], [0.5, 6.0]])


def score(rows):
    large = rows[:, 0] > 1.0
    return tf.where(large, rows[:, 0] * 2.0 + rows[:, 1], rows[:, 1] - rows[:, 0])


scores = score(table).numpy().tolist()
print([round(value, 3) for value in scores])
"""


def test_calls_that_were_passed_other_values_are_not_compared(verify: Verify) -> None:
    assert not is_refuted(verify(ROWS, ALL_ROWS, power=True))
    assert is_refuted(verify(ROWS, ALL_ROWS.replace("> 1.0", "> 0.9"), power=True))


#: What one version asks for in its last call the other asks for earlier, with another number of rows.
ASKED = """\
import tensorflow as tf


class Rates:
    def __init__(self):
        self.mean = 0.0
        self.bias = tf.Variable([0.5, -1.0, 2.0])

    def fit(self, values):
        self.mean = float(tf.reduce_mean(values))
        return self.rated([0, 1, 2])

    def rated(self, items):
        return tf.stack([self.mean + self.bias[i] for i in items])

    def best(self):
        scores = [float(self.rated([i])[0]) for i in range(3)]
        return scores.index(max(scores))


rates = Rates()
print(rates.fit(tf.constant([1.0, 2.0, 6.0])).numpy())
print(rates.best())
"""
ASKED_EDITS = (
    (
        "tf.stack([self.mean + self.bias[i] for i in items])",
        "self.mean + tf.gather(self.bias, items)",
    ),
    ("[float(self.rated([i])[0]) for i in range(3)]", "(self.mean + self.bias).numpy().tolist()"),
)


def test_with_another_state_outside_calls_are_compared_that_were_passed_the_same(
    verify: Verify,
) -> None:
    new = edited(ASKED, ASKED_EDITS)
    assert not is_refuted(verify(ASKED, new, power=True))
    wrong = new.replace("return self.mean + tf", "return 1.1 * self.mean + tf")
    assert is_refuted(verify(ASKED, wrong, power=True))


@pytest.mark.parametrize(("given", "count"), [([1.0, 2.0], 1), ([1.0, 3.0], 0)])
def test_calls_made_again_count_where_the_same_was_passed(given: list[float], count: int) -> None:
    from tfxla_lint.sandbox.inside.nodes import Recorder
    from tfxla_lint.verify.worker.judging import Judge
    from tfxla_lint.verify.worker.replays import RESULT, Replay
    from tfxla_lint.verify.worker.sides import Snapshot

    before, after = Snapshot(), Snapshot()
    passed = [Recorder(set()).record(np.array(values)) for values in ([1.0, 2.0], given)]
    gave = [Recorder(set()).record(np.array(number)) for number in (5.0, 6.0)]
    for side, node, result in zip((before, after), passed, gave, strict=True):
        returned = ("branch", "dict", [(RESULT, result)])
        side.replays["f"] = [Replay("called again", [], returned, given=node)]
    assert len(Judge({}).replays(before, after)) == count


@pytest.mark.parametrize(
    ("kind", "is_raised_here", "is_used", "refuses"),
    [
        ("AttributeError", False, True, True),
        ("AttributeError", False, False, False),
        ("ValueError", True, True, False),
    ],
)
def test_a_kind_of_argument_that_no_program_passes_may_be_refused(
    kind: str, is_raised_here: bool, is_used: bool, refuses: bool
) -> None:
    from tfxla_lint.verify.worker.outcomes import is_refusal
    from tfxla_lint.verify.worker.sides import Failure

    error = Failure(kind, "no attribute 'astype'", is_raised_here=is_raised_here)
    assert is_refusal(error, is_used) is refuses


#: Statements, or parts of them, of which another value is no mistake: by name the original and the rewritten body,
#: and what the wrong version would say.
NO_MISTAKES = {
    "how much is made ahead": (
        "    return data.batch(2).prefetch(2)\n",
        "    return data.batch(2).prefetch(tf.data.AUTOTUNE)\n",
        "another `tf.data.AUTOTUNE`",
    ),
    "the order of equals": (
        "    return sorted(data)\n",
        "    return tf.gather(data, tf.argsort(data, stable=True))\n",
        "stable=False",
    ),
    "what a loop needs to be traced": (
        "    for i in range(n):\n        value = data * i\n    return value\n",
        "    value = data\n    for i in tf.range(n):\n        value = data * i\n    return value\n",
        "line 5: another `value`",
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), NO_MISTAKES.values(), ids=NO_MISTAKES)
def test_no_wrong_version_is_made_of_what_changes_no_value(old: str, new: str, said: str) -> None:
    head = "import tensorflow as tf\n\n\ndef f(data, n):\n"
    sides = Tree(head + old), Tree(head + new)
    found = mutants_of(sides[1], Changed(*sides, changes_between(*sides)))
    assert found
    assert not [mutant for mutant in found if said in mutant.words]


@pytest.mark.parametrize(
    ("before", "loop"),
    [
        ("    value = 1.0\n", "        value = data * i\n"),
        ("", "        value = value + data * i\n"),
        ("", "        if i > 2:\n            break\n        value = data * i\n"),
        ("", "        if i > 2:\n            value = data * i\n"),
    ],
    ids=["the original has one", "read", "left before", "not in each turn"],
)
def test_what_a_loop_begins_with_may_be_wrong(before: str, loop: str) -> None:
    head = "import tensorflow as tf\n\n\ndef f(data, n):\n"
    turns = f"    for i in range(n):\n{loop}    return value\n"
    sides = Tree(head + before + turns), Tree(f"{head}    value = data\n{turns}")
    found = mutants_of(sides[1], Changed(*sides, changes_between(*sides)))
    assert [mutant for mutant in found if "another `value`" in mutant.words and mutant.line == 5]


TURNED = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0])


def step(x, double):
    if double:
        x = 2.0 * x
    w.assign_sub(0.1 * tf.tanh(x) * w)
    return tf.reduce_sum(w)


for i in range(4):
    print(float(step(tf.constant([0.5, -0.25]) * (i + 1.0), i % 2 == 0)))
"""


def test_a_flag_that_became_a_tensor(verify: Verify) -> None:
    new = TURNED.replace("def step", "@tf.function\ndef step")
    new = new.replace("i % 2 == 0)", "tf.constant(i % 2 == 0))")
    assert set(outcomes(verify(TURNED, new, power=True)).values()) == {"equivalent"}
    assert is_refuted(verify(TURNED, new.replace("2.0 * x", "3.0 * x"), power=True))


def test_a_size_that_an_error_names(verify: Verify) -> None:
    old = (
        "import tensorflow as tf\n\n\ndef counts(ids, size):\n    rows = []\n"
        "    for i in range(ids.nrows()):\n"
        "        rows.append(tf.math.bincount(ids[i], minlength=size, dtype=tf.float32))\n"
        "    return tf.stack(rows)\n"
    )
    new = (
        "import tensorflow as tf\n\n\ndef counts(ids, size):\n"
        "    hot = tf.one_hot(ids.flat_values, size)\n"
        "    return tf.math.unsorted_segment_sum(hot, ids.value_rowids(), ids.nrows())\n"
    )
    assert outcomes(verify(old, new)) == {"counts": "equivalent"}


@pytest.mark.parametrize(
    ("text", "hides"),
    [("tf.where(k, x, 0.0)", True), ("tf.maximum(x, 0.0)", False), ("max(1, n)", False)],
)
def test_what_a_version_hides_less(text: str, hides: bool) -> None:
    """Whoever takes the larger of two numbers hides no NaN."""
    assert hides_less((Tree(text), Tree("x"))) is hides
