"""What libraries are called with is taken from docstrings, tests and other files of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.verify.pairs import Pair
from tfxla_lint.verify.recipes import recipes_for

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


#: A conjugate and a table that make sense for the test's shapes only; squares fit others by chance.
SHAPES = """\
import tensorflow as tf


def turned(q, points):
    back = q * tf.constant([1.0, -1.0])
    rows = []
    for i in range(points.shape[0]):
        rows.append(points[i] * q[0] - points[i] * back[1])
    return tf.stack(rows)
"""
OF_SHAPES = """\
import tensorflow as tf

from kit.mixing import turned


def test_turned():
    q = tf.constant([0.6, 0.8])
    assert turned(q, tf.ones([5, 3])).shape == [5, 3]
"""


def test_what_a_test_passes_says_what_is_looked_for(library: Path, verify: Verify) -> None:
    (library.parents[1] / "tests" / "test_mixing.py").write_text(OF_SHAPES)
    body = SHAPES.partition("    rows = []\n")[0]
    right = body + "    return points * q[0] - points * back[1]\n"
    (verdict,) = verify(SHAPES, right, library, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    # What it passes has no negative numbers, of which there are some with arguments like them.
    assert outcomes(verify(SHAPES, right.replace("* back", "/ back"), library)) == {
        "turned": "differs"
    }
