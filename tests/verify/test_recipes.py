"""What libraries are called with is taken from docstrings, tests and other files of the project."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tfxla_lint.verify.pairs import Pair
from tfxla_lint.verify.recipes import objects_for, recipes_for

from .conftest import Verify, outcomes

LIBRARY = '''\
"""Mixing.

>>> Mixer({"a": {"scale": 2.0}}).mix("a", tf.ones([3]))
"""

import tensorflow as tf


class Mixer:
    def __init__(self, table):
        self.scales = {name: row["scale"] for name, row in table.items()}

    def mix(self, name, x):
        return x * self.scales[name] + 1.0


def gated(rows, gates):
    assert set(gates) == {"low", "high"} and gates["low"]["at"] < gates["high"]["at"]
    low, high = gates["low"]["at"], gates["high"]["at"]
    return tf.clip_by_value(rows, low, high) / (high - low)
'''
TEST = """\
import numpy as np
import tensorflow as tf

from kit.mixing import gated as cut

GATES = {"low": {"at": -1.0}, "high": {"at": 1.5}}


def helper(fixture):
    return cut(fixture, GATES)


def test_cut(scale=2.0):
    rows = tf.random.normal([4, 3]) * scale
    unused = open("nowhere")
    np.testing.assert_equal(cut(rows, gates=GATES).shape, [4, 3])
"""


#: A test that imports the module as it stands, with a helper; another one asks for a fixture.
HELPED = """\
import mixing


def plain(x, rows=3):
    return [(lambda y: x * y)(row) for row in range(rows)]


def given():
    return 1.0


def test_helped():
    mixing.gated(plain(2.0), {"low": {"at": -1.0}, "high": {"at": 1.5}})


def test_given(given):
    mixing.gated(given, {"low": {"at": -1.0}, "high": {"at": 1.5}})
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """The library in a project with a test."""
    for name, text in {
        "pyproject.toml": "",
        "kit/__init__.py": "",
        "kit/mixing.py": LIBRARY,
        "tests/test_mixing.py": TEST,
    }.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "project" / "kit" / "mixing.py"


def test_recipes_hold_what_a_call_needs_and_no_more(library: Path) -> None:
    pair = Pair(library, "mixing.py", LIBRARY, LIBRARY)
    (recipe,) = recipes_for(pair, "gated")
    assert recipe.call == "cut(rows, gates=GATES)"
    assert recipe.place == "test_mixing.py"
    assert "cut = __txl_module__.gated" in recipe.setup
    assert "scale = 2.0" in recipe.setup
    assert "nowhere" not in recipe.setup
    (recipe,) = recipes_for(pair, "Mixer.mix")
    assert (recipe.setup, recipe.place) == ("", "a docstring")


def test_helpers_of_tests_belong_to_recipes(tmp_path: Path) -> None:
    for name, text in (("pyproject.toml", ""), ("test_mixing.py", HELPED)):
        (tmp_path / name).write_text(text)
    pair = Pair(tmp_path / "mixing.py", "mixing.py", LIBRARY, LIBRARY)
    (recipe,) = recipes_for(pair, "gated")
    assert recipe.call.startswith("mixing.gated(plain(2.0), ")
    assert recipe.setup.startswith("mixing = __txl_module__\n\ndef plain(")


def test_several_names_may_be_imported_at_once(library: Path) -> None:
    test = library.parents[1] / "tests" / "test_mixing.py"
    test.write_text(TEST.replace("import gated as cut", "import Mixer, gated as cut"))
    (recipe,) = recipes_for(Pair(library, "mixing.py", LIBRARY, LIBRARY), "gated")
    assert "Mixer, cut = (__txl_module__.Mixer, __txl_module__.gated)" in recipe.setup


@pytest.mark.parametrize(
    ("old", "new", "unit", "expected"),
    [
        ("/ (high - low)", "* (1.0 / (high - low))", "gated", "equivalent"),
        ("/ (high - low)", "/ (high + low)", "gated", "differs"),
        ("x * self.scales[name] + 1.0", "1.0 + self.scales[name] * x", "Mixer.mix", "equivalent"),
        ("x * self.scales[name] + 1.0", "x + self.scales[name]", "Mixer.mix", "differs"),
    ],
)
def test_libraries_are_called_as_their_project_does(
    old: str, new: str, unit: str, expected: str, library: Path, verify: Verify
) -> None:
    assert outcomes(verify(LIBRARY, LIBRARY.replace(old, new), library)) == {unit: expected}


TURNED = """\
import tensorflow as tf


def turned(pair, points):
    mirrored = pair * tf.constant([1.0, -1.0])
    rows = []
    for i in range(points.shape[0]):
        a, b = tf.unstack(pair)
        c, d = tf.unstack(points[i])
        e, f = tf.unstack(mirrored)
        rows.append(tf.stack([a * c * e - b * d * f, (a * d + b * c) * e]))
    return tf.stack(rows)
"""
CALLS_TURNED = """\
import tensorflow as tf

import kit.mixing


def test_turned():
    pair = {pair}
    assert kit.mixing.turned(pair, tf.constant([[1.0, 2.0]])).shape == [1, 2]
"""


@pytest.mark.parametrize(
    ("pair", "new", "expected"),
    [
        ("tf.constant([0.6, 0.8])", "tf.unstack(pair * 1.0)", "equivalent"),
        # Where a pair is a table of two rows all is done element by element, and the columns' signs go.
        ("tf.constant([0.6, 0.8])", "tf.unstack(pair[::-1])[::-1]", "equivalent"),
        ("tf.constant([0.6, 0.8])", "tf.unstack(mirrored)", "differs"),
        # What merely runs says nothing where nobody can say what is meant.
        ("open('nowhere').pair", "tf.unstack(pair * 1.0)", "not checked"),
    ],
)
def test_arguments_are_of_the_kinds_that_the_project_passes(
    pair: str, new: str, expected: str, library: Path, verify: Verify
) -> None:
    test = library.parents[1] / "tests" / "test_mixing.py"
    test.write_text(CALLS_TURNED.format(pair=pair))
    rewritten = TURNED.replace("tf.unstack(pair)", new)
    assert outcomes(verify(TURNED, rewritten, library)) == {"turned": expected}


#: Tests that are passed what the file makes, or one of several values, and one that goes through some.
PASSED = """\
import pytest

from kit.mixing import gated

GATES = {"low": {"at": -1.0}, "high": {"at": 1.5}}


@pytest.fixture
def rows():
    yield [1.0, 2.0]


def test_rows(rows):
    gated(rows, GATES)


@pytest.mark.parametrize("high, low", [(2.0, -1.0), (3.0, 1.0)])
def test_several(high, low):
    gated([0.5], {"low": {"at": low}, "high": {"at": high}})


def test_each():
    for count, (low, name) in enumerate([(0.0, "high"), (1.0, "high")], 2):
        gated([0.1] * count, {"low": {"at": low}, name: {"at": 2.5}})
"""


def test_what_tests_are_passed_belongs_to_recipes(library: Path) -> None:
    (library.parents[1] / "tests" / "test_mixing.py").write_text(PASSED)
    recipes = recipes_for(Pair(library, "mixing.py", LIBRARY, LIBRARY), "gated")
    made = []
    for recipe in recipes:
        scope = {"__txl_module__": SimpleNamespace(gated=lambda *given: given)}
        exec(recipe.setup, scope)
        made.append(eval(recipe.call, scope))
    gates = [(-1.0, 1.5), (-1.0, 2.0), (0.0, 2.5)]
    told = [{"low": {"at": low}, "high": {"at": high}} for low, high in gates]
    assert made == list(zip([[1.0, 2.0], [0.5], [0.1, 0.1]], told, strict=True))


RANKED = """\
import tensorflow as tf


class Vocabulary:
    def __init__(self, words, size=None):
        counts = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        self.words = sorted(counts, key=lambda w: (-counts[w], w))[:size]
        self.seen = 0

    def __len__(self):
        return len(self.words)
"""
MADE = """\
import mixing

TEXT = "the cat sat on the mat"


def test_size(size=4):
    assert len(mixing.Vocabulary(TEXT.split(), size)) == 4
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("key=lambda w: (-counts[w], w)", "key=counts.get, reverse=True", "differs"),
        ("        self.seen = 0\n", "        self.more = {}\n        self.seen = tf.Variable(0, trainable=False)\n", "equivalent"),
    ],
    ids=["in another order", "held otherwise"],
)  # fmt: skip
def test_what_makes_objects_is_called_as_the_project_makes_them(
    old: str, new: str, said: str, tmp_path: Path, verify: Verify
) -> None:
    (tmp_path / "test_mixing.py").write_text(MADE)
    path = tmp_path / "mixing.py"
    path.write_text(RANKED)
    verdicts = verify(RANKED, RANKED.replace(old, new), path=path, power=True)
    assert outcomes(verdicts) == {"Vocabulary.__init__": said}


def test_an_object_is_set_up_that_was_empty(tmp_path: Path) -> None:
    (tmp_path / "test_mixing.py").write_text(MADE)
    pair = Pair(tmp_path / "mixing.py", "mixing.py", RANKED, RANKED)
    (recipe,) = recipes_for(pair, "Vocabulary.__init__")
    assert recipe.call == "__txl_empty__.__init__(TEXT.split(), size)"
    made = "mixing.Vocabulary.__new__(mixing.Vocabulary)"
    assert recipe.setup.endswith(f"__txl_empty__ = {made}")


LAYERS = '''\
import tensorflow as tf


class LastPool(tf.keras.layers.Layer):
    """The last step that the mask keeps; zeros where it keeps none."""

    def call(self, x, mask):
        rows = []
        for i in range(x.shape[0]):
            kept = tf.where(mask[i])[:, 0]
            rows.append(x[i, kept[-1]] if len(kept) else tf.zeros_like(x[i, 0]))
        return tf.stack(rows)
'''
POOLED = """\
        last = tf.reduce_max(tf.where(mask, tf.range(tf.shape(x)[1]), -1), axis=1)
        rows = tf.gather(x, tf.maximum(last, 0), batch_dims=1)
        return tf.where(last[:, None] >= 0, rows, tf.zeros_like(rows))
"""
SET_UP = """\
import unittest

import tensorflow as tf

import layers


class LayersTest(unittest.TestCase):
    def setUp(self):
        self.x = tf.reshape(tf.range(24.0), [2, 3, 4])
        self.pool = layers.LastPool()

    def test_changed(self):
        self.pool.count = 2
        self.pool.build([2, 3, 4])
        self.pool.reset(self.x)

    def test_last(self):
        mask = tf.constant([[True, False, True], [True, False, False]])
        self.assertEqual(self.pool(self.x, mask).shape, [2, 4])
"""


def test_an_object_is_called_as_a_test_does_that_is_set_up(tmp_path: Path, verify: Verify) -> None:
    for name, text in (("pyproject.toml", ""), ("test_layers.py", SET_UP)):
        (tmp_path / name).write_text(text)
    path = tmp_path / "layers.py"
    new = LAYERS[: LAYERS.index("        rows = []")] + POOLED
    pair = Pair(path, "layers.py", LAYERS, new)
    (recipe,) = recipes_for(pair, "LastPool.call")
    assert recipe.call == "self.pool(self.x, mask)"
    assert "self = LayersTest('test_last')\nself.setUp()" in recipe.setup
    (recipe,) = recipes_for(pair, "LastPool.reset")
    assert "self.pool.count = 2\nself.pool.build([2, 3, 4])" in recipe.setup
    # The mask that is passed says of which kind others are.
    (verdict,) = verify(LAYERS, new, path=path, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    wrong = new.replace("tf.reduce_max(", "tf.reduce_sum(").replace("-1)", "0)")
    assert outcomes(verify(LAYERS, wrong, path=path)) == {"LastPool.call": "differs"}


OPTIMIZER = """\
import tensorflow as tf


class Adam:
    def __init__(self, variables, rate=0.01):
        self.variables, self.rate = list(variables), rate
        self.square = [tf.Variable(tf.zeros_like(v)) for v in self.variables]
        self.time = tf.Variable(0.0)

    def apply(self, gradients):
        self.time.assign_add(1.0)
        time = float(self.time)
        for variable, gradient, square in zip(self.variables, gradients, self.square):
            square.assign(0.999 * square + 0.001 * gradient ** 2)
            step = gradient / (tf.sqrt(square / (1 - 0.999 ** time)) + 1e-7)
            variable.assign_sub(self.rate * step)
"""
STEPS = """\
import tensorflow as tf

from optim import Adam


def test_steps():
    bias = tf.Variable([0.1, -0.2])
    optimizer = Adam([bias], rate=0.1)
    optimizer.apply([tf.constant([1.0, -1.0])])
    again = Adam([tf.Variable([[3.0]])], rate=0.5)
    again.apply([tf.constant([[2.0]])])
"""


def test_objects_of_several_examples_are_compared_as_they_move(
    tmp_path: Path, verify: Verify
) -> None:
    for name, text in (("pyproject.toml", ""), ("test_optim.py", STEPS)):
        (tmp_path / name).write_text(text)
    path = tmp_path / "optim.py"
    # Of 0.1 a step of 0.1 leaves the rounding of both; that a method is traced hides no object.
    traced = OPTIMIZER.replace("float(self.time)", "self.time.read_value()")
    traced = traced.replace("    def apply", "    @tf.function\n    def apply")
    (verdict,) = verify(OPTIMIZER, traced, path=path, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    wrong = traced.replace(
        "self.rate * step", "(0.1 if len(self.variables[0].shape) < 2 else self.rate / 2) * step"
    )
    (verdict,) = verify(OPTIMIZER, wrong, path=path)
    assert verdict.outcome.value == "differs"
    assert any("example 2" in difference.path for difference in verdict.evidence)


BENDS = """\
import tensorflow as tf


class Bends(tf.keras.layers.Layer):
    def __init__(self, bends, **kwargs):
        super().__init__(**kwargs)
        self.bends = [float(b) for b in bends]

    def call(self, x):
        total = tf.zeros_like(x)
        for left, right in zip(self.bends[:-1], self.bends[1:]):
            total += tf.clip_by_value((x - left) / (right - left), 0.0, 1.0)
        return total
"""
BENT = """\
import tensorflow as tf

import bends

HIGH = 4.0


def test_bends():
    layer = bends.Bends([0.0, 1.0, HIGH])
    layer(tf.constant([[0.5, -1.0], [2.0, 9.0]]))
    bends.Bends([-1.0, 0.0, 1.0])(tf.zeros([2]))
"""


def test_found_calls_are_of_objects_that_tests_make(tmp_path: Path, verify: Verify) -> None:
    for name, text in (("pyproject.toml", ""), ("test_bends.py", BENT)):
        (tmp_path / name).write_text(text)
    path = tmp_path / "bends.py"
    # What the test calls by a name of its own is not known here.
    assert objects_for(Pair(path, "bends.py", BENDS, BENDS), "Bends") == ["Bends([-1.0, 0.0, 1.0])"]
    # The same where the bends rise.
    old = BENDS[BENDS.index("        total") :]
    new = """\
        left, right = tf.constant(self.bends[:-1]), tf.constant(self.bends[1:])
        x = tf.clip_by_value(x, self.bends[0], self.bends[-1])[..., None]
        return tf.reduce_sum(tf.clip_by_value((x - left) / (right - left), 0.0, 1.0), axis=-1)
"""
    (verdict,) = verify(BENDS, BENDS.replace(old, new), path=path)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    wrong = BENDS.replace(old, new.replace("0.0, 1.0)", "0.0, 9.0)"))
    assert outcomes(verify(BENDS, wrong, path=path)) == {"Bends.call": "differs"}


QUARTERS = """\
import tensorflow as tf


def turned(rows, waits):
    waits = tf.convert_to_tensor(waits, tf.float64)
    out = []
    for w, x in tf.convert_to_tensor(rows, tf.float32):
        out.append(tf.stack([w * w - 2.0 * x, w * x]))
    return tf.stack(out), waits / 60.0


def first(rows, radius):
    end = 1
    while end < len(rows) and abs(rows[end][0] - rows[0][0]) <= radius:
        end += 1
    return end
"""
QUARTERED = """\
import turns


def test_turned():
    turns.turned([[0.5, 0.5], [0.5, 0.5]], [60, 60])
    assert turns.first([[1.0, 1.0], [1.1, 1.0], [1.2, 1.0], [3.0, 1.0], [4.0, 1.0], [4.0, 1.0]], 0.5) == 3
"""


def test_lists_that_tests_pass_hold_other_numbers_too(tmp_path: Path, verify: Verify) -> None:
    for name, text in (("pyproject.toml", ""), ("test_turns.py", QUARTERED)):
        (tmp_path / name).write_text(text)
    path = tmp_path / "turns.py"
    i, j = QUARTERS.index("    out = []"), QUARTERS.index("\n\ndef first")
    new = (
        QUARTERS[:i]
        + """\
    w, x = tf.unstack(tf.convert_to_tensor(rows, tf.float32), axis=1)
    return tf.stack([w * w - 2.0 * x, w * x], axis=1), waits / 60.0
"""
        + QUARTERS[j:]
    )
    (verdict,) = verify(QUARTERS, new, path=path, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    # With the test's numbers these give the same, and what comes back is not in a row.
    later = "    return 1 + sum(abs(row[0] - rows[0][0]) <= radius for row in rows[1:])\n"
    for wrong in (
        new.replace("w * x]", "w * w]"),
        new.replace("waits / 60.0", "60.0 / waits"),
        QUARTERS[: QUARTERS.index("    end = 1")] + later,
    ):
        (verdict,) = verify(QUARTERS, wrong, path=path, power=True)
        assert verdict.outcome.value != "equivalent", wrong


SPINS = '''\
import tensorflow as tf


def squares(rows):
    """Products of each row's numbers.

    >>> squares([[0.5, 2.0]]).numpy().tolist()
    [[[0.25, 1.0], [1.0, 4.0]]]
    """
    out = []
    for x, y in tf.convert_to_tensor(rows, tf.float32):
        out.append(tf.stack([tf.stack([x * x, x * y]), tf.stack([y * x, y * y])]))
    return tf.stack(out)


def turned(angles):
    """Where turns by `angles` [steps, 2] end, one after the other.

    >>> turned([[1.5, 0.0]]).numpy().tolist()
    """
    at = tf.constant([1.0, 0.5])
    for angle in tf.convert_to_tensor(angles, tf.float32):
        at = tf.stack([tf.cos(angle[0]) * at[0] + angle[1], at[1] * tf.cos(angle[0])])
    return at


def middle(rows):
    """The sum of rows on the first one's side.

    >>> middle([[1.0, 0.0], [-1.0, 0.0]]).numpy().tolist()
    [2.0, 0.0]
    """
    rows = tf.convert_to_tensor(rows, tf.float32)
    total = tf.zeros([2])
    for row in rows:
        total += row if tf.reduce_sum(row * rows[0]) >= 0 else -row
    return total
'''
SPUN = {
    "squares": (
        """\
    rows = tf.convert_to_tensor(rows, tf.float32)
    return rows[:, :, None] * rows[:, None]
""",
        """\
    x, y = tf.unstack(tf.convert_to_tensor(rows, tf.float32), axis=1)
    return tf.reshape(tf.stack([x * x, x * y, y * x, y * y]), [-1, 2, 2])
""",
        "differs",
    ),
    "turned": (
        """\
    turns = tf.convert_to_tensor(angles, tf.float32)
    step = lambda at, by: tf.stack([tf.cos(by[0]) * at[0] + by[1], at[1] * tf.cos(by[0])])
    return tf.foldl(step, turns, initializer=tf.constant([1.0, 0.5]))
""",
        """\
    turns = tf.convert_to_tensor(angles, tf.float32)
    part = tf.reduce_prod(tf.cos(turns[:, 0]))
    return tf.stack([part + tf.reduce_sum(turns[:, 1]), 0.5 * part])
""",
        "differs",
    ),
    "middle": (
        """\
    rows = tf.convert_to_tensor(rows, tf.float32)
    side = tf.where(tf.linalg.matvec(rows, rows[0]) >= 0, 1.0, -1.0)
    return tf.reduce_sum(side[:, None] * rows, axis=0)
""",
        """\
    rows = tf.convert_to_tensor(rows, tf.float32)
    side = tf.where(rows[:, 0] >= 0, 1.0, -1.0)
    return tf.reduce_sum(side[:, None] * rows, axis=0)
""",
        "not checked",
    ),
}


@pytest.mark.parametrize("name", SPUN)
def test_lists_of_rows_have_more_rows_than_docstrings_show(
    name: str, tmp_path: Path, verify: Verify
) -> None:
    start = SPINS.index('"""\n', SPINS.index("    >>> " + name)) + 4
    end = len(SPINS) if name == "middle" else SPINS.index("\n\n\ndef", start) + 1
    right, wrong, outcome = SPUN[name]
    found = []
    for body in (right, wrong):
        text = SPINS[:start] + body + SPINS[end:]
        found += verify(SPINS, text, path=tmp_path / "spins.py", power=True)
    assert [v.outcome.value for v in found] == ["equivalent", outcome], found


PAYMENTS = '''\
import tensorflow as tf


def paid(rows, more):
    """What was paid for each name.

    >>> paid([["a", 1.0], ["b", 2.5]], [[{"of": 1.0}], [{"of": 2.0}]])
    [2.0, 4.5]
    """
    found = []
    for (_, value), (part,) in zip(rows, more):
        found.append(value + part["of"])
    return tf.constant(found).numpy().tolist()
'''


def test_rows_may_hold_what_is_no_number(tmp_path: Path, verify: Verify) -> None:
    start = PAYMENTS.index("    found = []")
    body = """\
    return (tf.constant([r[1] for r in rows]) + [m[0]["of"] for m in more]).numpy().tolist()
"""
    for text, outcome in ((body, "equivalent"), (body.replace("r[1]", "rows[0][1]"), "differs")):
        (verdict,) = verify(PAYMENTS, PAYMENTS[:start] + text, path=tmp_path / "payments.py")
        assert (verdict.outcome.value, verdict.reason) == (outcome, ""), verdict
