"""An operation with a bound that only one version has: a value has to reach the bound."""

from __future__ import annotations

import ast

import pytest

from tfxla_lint.verify.bounds import is_bounded, without_bounds
from tfxla_lint.verify.changes import changes_between
from tfxla_lint.verify.mutants import mutants_of
from tfxla_lint.verify.pairs import Options
from tfxla_lint.verify.ran import Changed
from tfxla_lint.verify.trees import Tree
from tfxla_lint.verify.weighing import Weighing

from .conftest import Verify, outcomes
from .mutation import plain

HEAD = "import tensorflow as tf\n"
LOST = {
    "relu": ("tf.nn.relu(x)", "x"),
    "clip": ("tf.clip_by_value(x, -60.0, 60.0)", "x"),
    "what keeps from overflow": ("tf.reduce_logsumexp(x)", "tf.math.log(tf.reduce_sum(tf.exp(x)))"),
}
PROGRAM = "for i in range(3):\n    print(float(f(tf.range(5.0) + i)))\n"


def text_of(expression: str) -> str:
    return f"{HEAD}def f(x):\n    return tf.reduce_sum({expression})\n"


@pytest.mark.parametrize("end", ["", PROGRAM], ids=["library", "program"])
@pytest.mark.parametrize(("before", "after"), LOST.values(), ids=LOST)
def test_what_is_lost_shows_far_out(before: str, after: str, end: str, verify: Verify) -> None:
    found = verify(text_of(before) + end, text_of(after) + end, power=True)
    assert outcomes(found) == {"f": "differs"}


def test_a_bound_that_no_value_reaches_is_named(verify: Verify) -> None:
    text = HEAD + "def f():\n    return tf.minimum(tf.range(3.0), 5.0)\nprint(f())\n"
    (verdict,) = verify(
        text, text.replace("tf.minimum(tf.range(3.0), 5.0)", "tf.range(3.0)"), power=True
    )
    assert verdict.outcome.value == "not checked"
    said = "`tf.minimum(tf.range(3.0), 5.0)` (line 3 of the original)"
    assert verdict.reason == f"no value was seen to reach the bound of {said}"


def test_a_bound_that_is_reached_is_no_reason(verify: Verify) -> None:
    text = text_of("tf.maximum(x, 0.0)")
    (verdict,) = verify(text, text_of("tf.nn.relu(x)"), power=True)
    assert verdict.outcome.value == "equivalent"


#: The mean of what a mask keeps: where that is nothing, what is divided by is no matter.
MASKED = """\
def f(x, mask):
    count = tf.reduce_sum(tf.cast(mask, tf.float32))
    if count > 0:
        return tf.reduce_sum(tf.boolean_mask(x, mask)) / count
    return tf.zeros([])
"""
SAFE = """\
def f(x, mask):
    kept = tf.cast(mask, tf.float32)
    count = tf.reduce_sum(kept)
    mean = tf.reduce_sum(tf.where(mask, x, 0.0)) / tf.where(count > 0, count, 1.0)
    return tf.where(count > 0, mean, 0.0)
"""
CALLED = """\
for i in range(4):
    print(float(f(tf.constant([1.0, 2.0, 4.0]) + i, tf.constant([i > 0, i > 1, i > 2]))))
"""


def test_a_bound_that_is_reached_and_changes_nothing_is_no_reason(verify: Verify) -> None:
    (verdict,) = verify(HEAD + MASKED + CALLED, HEAD + SAFE + CALLED, power=True)
    assert verdict.outcome.value == "equivalent", verdict.reason
    wrong = SAFE.replace("mean, 0.0", "mean, 1.0")
    found = verify(HEAD + MASKED + CALLED, HEAD + wrong + CALLED, power=True)
    assert outcomes(found) == {"f": "differs"}


def test_a_loop_that_counts_what_is_left_reaches_no_bound() -> None:
    loop = "TURNS = 40\nfor i in range(TURNS):\n    print(LEFT)\n"
    given = "given = float(input())\n"
    for head, left, is_asked in (
        ("", "min(10, TURNS - i)", False),
        (given, "min(10, given - i)", True),
        ("", "min(10.0, float(TURNS))", True),
        ("best, waited = 9.0, 0\nwaited += 1\n", "min(TURNS - i, 6 - waited)", False),
        ("waited = 0\nwaited = 0 if input() else waited + 1\n", "min(9, 6 - waited)", False),
        ("waited = 0\nwaited += len(input())\n", "min(9, 6 - waited)", True),
    ):
        old, new = Tree(head + loop.replace("LEFT", "10")), Tree(head + loop.replace("LEFT", left))
        changed = Changed(old, new, changes_between(old, new))
        statements = tuple({"<module>": changed.both("<module>")[side]} for side in (0, 1))
        assert bool(list(without_bounds((old, new), statements))) is is_asked


def without(before: str, after: str) -> list[str]:
    old, new = Tree(text_of(before)), Tree(text_of(after))
    changed = Changed(old, new, changes_between(old, new))
    statements = tuple({"f": changed.both("f")[side]} for side in (0, 1))
    lines = [row.text.splitlines()[-1] for row in without_bounds((old, new), statements)]
    return [plain(line.strip().removeprefix("return tf.reduce_sum")[1:-1]) for line in lines]


def test_which_versions_are_without_a_bound() -> None:
    assert without("tf.nn.relu(x)", "tf.maximum(0.0, x)") == ["x", "x"]
    assert without("tf.nn.relu(x) + 1", "1 + tf.nn.relu(x)") == []
    assert without("tf.where(x > 0, x, -x)", "tf.abs(x)") == ["x", "x"]
    assert without("tf.clip_by_global_norm([x], 1.0)[0]", "x") == [
        "tf.clip_by_global_norm([x], 1e+30)[0]"
    ]
    assert without("max(1.0, x)", "tf.maximum(1.0, x + 0)") == []
    assert without("max(1.0, x)", "tf.minimum(1.0, x + 0)") == ["x", "x + 0"]
    assert without("np.clip(x, 0, 1)", "tf.clip_by_value(x + 0, 0, 1)") == []
    # What is bounded may come from elsewhere; the bound may not be another one.
    clip = "tf.clip_by_value({}, -1.0, {})"
    assert without(clip.format("x", 1.0), clip.format("x + 0", 1.0)) == []
    assert without(clip.format("x", 1.0), clip.format("x", 5.0)) == ["x", "x"]
    assert without("tf.maximum(x, 0.0)", "tf.maximum(0.0 + x, 0.0)") == []
    assert is_bounded((Tree(text_of("tf.nn.relu(x)")), Tree(text_of("x"))))
    assert not is_bounded((Tree(text_of("x + 1")), Tree(text_of("1 + x"))))


def test_a_choice_that_is_written_out_is_the_same_as_a_call_or_not() -> None:
    chosen = "x if y > 0 else 1.0"
    assert without(chosen, "tf.where(y > 0, x, 1.0)") == []
    assert without("tf.where(self.y > 0, x, 1.0)", "x if z.y > 0 else 1.0") == []
    for other in ("tf.where(y > 0, x, 0.0)", "tf.where(y >= 0, x, 1.0)"):
        assert without(chosen, other) == ["x"]
    assert without(chosen, "tf.where(y > 0, 1.0, x)") == ["x"]


def test_a_size_is_no_value_that_could_be_wrong() -> None:
    old, new = Tree(text_of("x")), Tree(text_of("x * len(x)"))
    changed = Changed(old, new, changes_between(old, new))
    assert not [m for m in mutants_of(new, changed) if "len(__txl_other__(x))" in m.text]
    assert all(ast.parse(m.text) for m in mutants_of(new, changed))


def test_a_bound_without_which_nothing_ends_well_is_reached() -> None:
    old, new = Tree(text_of("tf.nn.relu(x)")), Tree(text_of("x"))
    weighing = Weighing(old, new, changes_between(old, new), Options(power=True))
    rows = weighing.job(str)["mutants"]
    (bound,) = [r["number"] for r in rows if r["is_bound"]]
    others = {str(r["number"]): "seen" for r in rows if not r["is_bound"]}
    report = {"verdict": "equivalent", "ran": [[3], [3]]}
    weighing.add({**report, "power": {str(bound): "same"}})
    assert "to reach the bound of" in weighing.lack("f")
    # Where it was tried with other arguments it failed, or did not end.
    weighing.add({**report, "power": {str(bound): "nothing"}})
    # That says nothing of the rest.
    assert "no change to it was tried" in weighing.lack("f")
    weighing.add({**report, "power": others})
    assert weighing.lack("f") == ""


def test_a_bound_without_which_a_call_fails_is_reached(verify: Verify) -> None:
    old = (
        "def f(rows, limit=3):\n    while len(rows) < limit:\n        rows = [*rows, 0.0]\n"
        "    return tf.constant(rows)\n"
    )
    new = (
        "def f(rows, limit=3):\n    more = max(limit - len(rows), 0)\n"
        "    return tf.constant(rows + [0.0] * more, shape=[len(rows) + more])\n"
    ).replace("[0.0] * more", "list(np.zeros(more))")
    end = "print(f([1.0, 2.0], 4), f([3.0, 2.5], limit=5))\n"
    numpy = "import numpy as np\n" + HEAD
    (verdict,) = verify(numpy + old + end, numpy + new + end, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
