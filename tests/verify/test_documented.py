"""Shapes that docstrings tell of are what a function is called with."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.documented import documented_lists, documented_shapes, least_size
from tfxla_lint.verify.hints import parameters_of
from tfxla_lint.verify.trees import Tree

from .conftest import Verify, outcomes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Overlap of a [n, 4] with b [m, 4].",
            {"a": {"shape": [4, 4], "exact": [1]}, "b": {"shape": [3, 4], "exact": [1]}},
        ),
        ("a [batch, dim] with integer b [batch]", {"a": {"shape": [4, 3]}, "b": {"shape": [4]}}),
        ("Values of a in [0, 1].", {}),
        ("Weighs a by b of [batch, time].", {"b": {"shape": [4, 3]}}),
        ("Counts a. Shapes are [n]. Of [1, 2].", {}),
        ("The products of [n, m].", {"a": {"shape": [4, 3]}, "b": {"shape": [4, 3]}}),
        ("All of a two-dimensional b.", {"b": {"shape": [4, 3]}}),
        ("Says nothing of b.", {}),
        ("Sums b [T + 1, N] over a [T, N].", {"a": {"shape": [4, 3]}, "b": {"shape": [5, 3]}}),
        ("Weighs by b >= 0 [batch].", {"b": {"shape": [4], "low": 0}}),
        ("Counts a [C, C].", {"a": {"shape": [4, 4], "exact": [1], "square": True}}),
    ],
)
def test_what_is_told(text: str, expected: dict[str, dict[str, object]]) -> None:
    """Of `a` and `b`."""
    if "integer b" in text:
        expected["b"]["dtype"] = "int32"
    assert documented_shapes(text, ["a", "b"]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Assigns each length (list of ints <= budget) to a bin.", {"lengths": ("int", "budget")}),
        ("Draws by `seed`, a pair of ints.", {"seed": ("int", None)}),
        ("The `lengths` are lists of strings.", {"lengths": ("text", None)}),
        ("A list of lists of floats lengths.", {}),
    ],
)
def test_what_lists_hold_is_told(text: str, expected: dict[str, tuple[str, str | None]]) -> None:
    found = documented_lists(text, ["lengths", "budget", "seed"])
    assert {name: (row["of"], row.get("most")) for name, row in found.items()} == expected


def test_what_the_one_thing_that_is_passed_is() -> None:
    found = documented_lists("Counts of a list of lists of strings.", ["values"], "values")
    assert found == {"values": {"of": "text", "each": 0}}
    shapes = documented_shapes("Ids of a 1-D string tensor.", ["tokens"], "tokens")
    assert shapes == {"tokens": {"shape": [4], "dtype": "string"}}


def test_words_in_a_row_and_parts_of_arrays() -> None:
    told = documented_shapes("Of the pair of strings a [n], b [n].", ["a", "b"])
    assert told["b"] == {"shape": [4], "dtype": "string"}
    assert documented_shapes("Sums a[rows] of a [n, k].", ["a"]) == {"a": {"shape": [4, 3]}}
    assert documented_shapes("Images are [n, h, w, 2].", ["images"])["images"]["shape"][-1] == 2


def test_one_of_many_says_what_they_are() -> None:
    found = documented_shapes("The index of each point [n, d].", ["points", "centres"])
    assert found == {"points": {"shape": [4, 3]}}


HEAD = "import tensorflow as tf\n\n\n"
OLD = '''\
def loss(y, means):
    """Mean squared distance of y [batch] from the means [batch, parts]."""
    rows = []
    for i in range(y.shape[0]):
        rows.append(tf.reduce_sum(tf.square(y[i] - means[i])))
    return tf.reduce_mean(tf.stack(rows))
'''
NEW = '''\
def loss(y, means):
    """Mean squared distance of y [batch] from the means [batch, parts]."""
    return tf.reduce_mean(tf.reduce_sum(tf.square(y[:, None] - means), axis=1))
'''


def test_functions_are_called_with_it(verify: Verify) -> None:
    assert outcomes(verify(HEAD + OLD, HEAD + NEW, power=True)) == {"loss": "equivalent"}
    wrong = NEW.replace("reduce_mean(", "reduce_sum(")
    assert outcomes(verify(HEAD + OLD, HEAD + wrong, power=True)) == {"loss": "differs"}


def test_what_a_class_says_is_what_its_methods_take(verify: Verify) -> None:
    old = (
        'class Scaler:\n    """Centres the columns of [rows, columns]."""\n\n    def centred(self, x):\n'
        "        columns = tf.unstack(x, axis=1)\n"
        "        return tf.stack([c - tf.reduce_mean(c) for c in columns], axis=1)\n"
    )
    i = old.index("        columns = ")
    new = old[:i] + "        return x - tf.reduce_mean(x, axis=0)\n"
    found = verify(HEAD + old, HEAD + new, power=True)
    assert outcomes(found) == {"Scaler.centred": "equivalent"}
    wrong = new.replace("axis=0", "axis=1, keepdims=True")
    assert outcomes(verify(HEAD + old, HEAD + wrong, power=True)) == {"Scaler.centred": "differs"}


def test_dimensions_are_taken_from_how_it_is_indexed() -> None:
    text = (
        "def f(boxes, ids, row, table):\n"
        "    return boxes[0, 1:3] + boxes[:, 3] + row[2] + table[None, :, 5] + boxes[ids[0]]\n"
    )
    found = {row["name"]: row for row in parameters_of(Tree(text), "f", None)}
    assert found["boxes"]["indexed"] == [1, 4]
    assert "indexed" not in found["row"]
    assert "indexed" not in found["table"]
    assert [name for name, row in found.items() if row.get("places")] == ["ids"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Second difference of two cells or more; 0 at both ends.", 2),
        ("One measurement at least.", 1),
        ("Slopes of at least 3 points.", 3),
        ("Two or more rows, of at least one column.", 0),
        ("The larger of two cells.", 0),
    ],
)
def test_how_many_there_are_at_least(text: str, expected: int) -> None:
    assert least_size(text) == expected


SECOND = '''\
def second(u):
    """Second difference of u [n], two cells or more; nothing flows out at the ends."""
    out = []
    for i in range(len(u)):
        left, right = u[max(i - 1, 0)], u[min(i + 1, len(u) - 1)]
        out.append(left - 2.0 * u[i] + right)
    return tf.stack(out)
'''
SLICED = '''\
def second(u):
    """Second difference of u [n], two cells or more; nothing flows out at the ends."""
    inner = u[:-2] - 2.0 * u[1:-1] + u[2:]
    return tf.concat([[u[1] - u[0]], inner, [u[-2] - u[-1]]], axis=0)
'''


@pytest.mark.parametrize("end", ["", "\n\nprint(second(tf.constant([1.0, 2.0, 4.0, 7.0, 3.0])))\n"])
def test_fewer_rows_than_a_docstring_says_of_do_not_refute(end: str, verify: Verify) -> None:
    found = verify(HEAD + SECOND + end, HEAD + SLICED + end, power=True)
    assert outcomes(found) == {"second": "equivalent"}
    told = ", two cells or more"
    texts = (HEAD + text.replace(told, "") + end for text in (SECOND, SLICED))
    assert outcomes(verify(*texts, power=True)) != {"second": "equivalent"}
    wrong = SLICED.replace("u[-2] - u[-1]", "u[-1] - u[-2]")
    found = verify(HEAD + SECOND + end, HEAD + wrong + end, power=True)
    assert outcomes(found) == {"second": "differs"}


def test_what_a_module_says_of_a_name_is_told_of_those_that_take_it() -> None:
    text = (
        '"""Images are batches [n, h, w, 3]; ``scores`` [n]."""\n\n\ndef f(images, scores):\n    """Of ``scores`` [n, k]."""\n'
        "    return images\n\n\ndef g(images, x):\n    return images\n"
    )
    told = {p["name"]: p.get("documented") for p in parameters_of(Tree(text), "f", None)}
    assert told == {"images": {"shape": [4, 3, 5, 3], "exact": [3]}, "scores": {"shape": [4, 3]}}
    told = {p["name"]: p.get("documented") for p in parameters_of(Tree(text), "g", None)}
    assert told == {"images": {"shape": [4, 3, 5, 3], "exact": [3]}, "x": None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "images: (batch, H, W, C); offsets: (batch, 2) integers.",
            ([4, 3, 5, 2], [4, 2], "int32"),
        ),
        (
            "All images are float32 in [0, 1] of (n, m), offsets (n,) of bool.",
            ([4, 3], [4], "bool"),
        ),
        ("images and offsets: [n, d] of the same size (see below).", ([4, 3], [4, 3], None)),
        ("Turns images (optional, float) by offsets (default, none).", (None, None, None)),
    ],
)
def test_shapes_in_round_brackets_and_of_several_names(
    text: str, expected: tuple[list[int] | None, list[int] | None, str | None]
) -> None:
    found = documented_shapes(text, ["images", "offsets"])
    images, offsets = found.get("images", {}), found.get("offsets", {})
    assert (images.get("shape"), offsets.get("shape"), offsets.get("dtype")) == expected


def test_a_number_that_is_the_same_in_all_calls_is_tried_larger(verify: Verify) -> None:
    old = (
        "def thinned(cloud, count, start: int = 0):\n"
        '    """Indices of so many points of a cloud (n, 3), far from each other; `start` is the first."""\n'
        "    chosen = [start]\n"
        "    nearest = tf.reduce_sum(tf.square(cloud - cloud[start]), axis=1)\n"
        "    while len(chosen) < count:\n        chosen.append(int(tf.argmax(nearest)))\n"
        "        new = tf.reduce_sum(tf.square(cloud - cloud[chosen[-1]]), axis=1)\n"
        "        nearest = tf.minimum(nearest, new)\n    return tf.constant(chosen)\n"
    )
    wrong = old.replace("nearest = tf.minimum(nearest, new)", "nearest = new")
    assert set(outcomes(verify(HEAD + old, HEAD + wrong)).values()) == {"differs"}


def test_gradients_that_the_original_cuts_are_not_held_against_a_rewrite(verify: Verify) -> None:
    old = (
        "def scaled(rows):\n"
        '    """Rows (n, 3) by the largest norm of them."""\n'
        "    return rows / float(tf.reduce_max(tf.norm(rows, axis=1)))\n"
    )
    new = old.replace(
        "float(tf.reduce_max(tf.norm(rows, axis=1)))", "tf.reduce_max(tf.norm(rows, axis=1))"
    )
    found = verify(HEAD + old, HEAD + new)
    assert outcomes(found) == {"scaled": "equivalent"}
    assert "gradients, which the original cuts off" in found[0].note
    wrong = new.replace("axis=1", "axis=0")
    assert outcomes(verify(HEAD + old, HEAD + wrong)) == {"scaled": "differs"}


def test_a_function_that_is_passed_may_have_to_give_one_number(verify: Verify) -> None:
    old = (
        "def searched(fun, x, way, step=1.0):\n"
        '    """The first of step, step / 2, ... that lowers fun from x [n] along way [n]; 0.0 if none does."""\n'
        "    for _ in range(9):\n        if float(fun(x + step * way).numpy()) < float(fun(x).numpy()):\n"
        "            return step\n        step *= 0.5\n    return 0.0\n"
    )
    new = old.replace("    for", "    start = float(fun(x).numpy())\n    for").replace(
        "< float(fun(x).numpy())", "< start"
    )
    assert outcomes(verify(HEAD + old, HEAD + new)) == {"searched": "equivalent"}
    wrong = new.replace("return 0.0", "return step")
    assert outcomes(verify(HEAD + old, HEAD + wrong))["searched"] != "equivalent"


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        (
            "x: [batch, frames]\nn: int32 [batch], each between 1 and frames.",
            "n",
            {"low": 1, "high": 3},
        ),
        ("x: [batch, time]\nn: int32 [batch], 1 .. time.", "n", {"low": 1, "high": 3}),
        ("r: float32 [rows, n], grades 0, 1, 2, ...", "r", {"low": 0, "high": 2, "counted": True}),
        ("p: float32 [rows, classes], softmax outputs.", "p", {"shares": True}),
        ("c: prior covariance of the first of all states, float32 [d, d]", "c", {"definite": True}),
    ],
)
def test_what_values_are(text: str, name: str, told: dict[str, object]) -> None:
    found = documented_shapes(text, ["x", "n", "r", "p", "c"])[name]
    assert {key: found.get(key) for key in told} == told


def test_a_size_that_is_not_known_bounds_nothing() -> None:
    found = documented_shapes("n: int32 [batch], each between 1 and limit", ["n"])["n"]
    assert "high" not in found


TENSOR = {"shape": [4], "dtype": "int32"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [n] int32, sorted; every one is there.", {"a": {**TENSOR, "ascending": True}}),
        ("a: [n] int32, not sorted.", {"a": TENSOR}),
        ("a: [n] int32 in any order, unsorted.", {"a": TENSOR}),
        ("a: int tensor [n] of ids below count.", {"a": {**TENSOR, "low": 0, "high": 1}}),
        ("a: int tensor [n] of ids below others.", {"a": TENSOR}),
        (
            "a: int tensor [n] with 0, 1 or other.",
            {"a": {**TENSOR, "low": 0, "high": 1, "or": "other"}},
        ),
        ("a: one-hot float tensor [n, c].", {"a": {"shape": [4, 3], "onehot": True}}),
        (
            "a: float tensor [n, c].\nb: float tensor of the same shape, softmax output.",
            {"a": {"shape": [4, 3]}, "b": {"shape": [4, 3], "shares": True}},
        ),
        (
            "b: [n].\na: [n, c].\nother: same shape as b.",
            {"b": {"shape": [4]}, "a": {"shape": [4, 3]}, "other": {"shape": [4]}},
        ),
        (
            "Given as two int32 tensors `a` and `b` of shape [n].",
            {"a": TENSOR, "b": TENSOR},
        ),
    ],
)
def test_what_values_have_to_be(text: str, expected: dict[str, dict[str, object]]) -> None:
    found = documented_shapes(text, ["a", "b", "count", "other"])
    assert found == expected


POOLED = '''
import tensorflow as tf


def pooled(x, groups, num_groups):
    """Sums of the rows of each group, the larger first.

    Args:
        x: [rows, features].
        groups: [rows] int32, sorted; every group has a row.
    """
    found = []
    for group in range(num_groups):
        rows = [x[i] for i in range(x.shape[0]) if int(groups[i]) == group]
        found.append(tf.add_n(rows) if rows else tf.zeros_like(x[0]))
    return tf.stack(found)
'''
BY_SEGMENTS = """
import tensorflow as tf


def pooled(x, groups, num_groups):
    sums = tf.math.segment_sum(x, groups)
    more = num_groups - tf.shape(sums)[0]
    return tf.concat([sums, tf.zeros([more, x.shape[1]], x.dtype)], 0)
"""
MEANS = BY_SEGMENTS.replace("segment_sum", "segment_mean")


def test_arguments_are_in_order_where_that_is_told(verify: Verify) -> None:
    assert "differs" not in outcomes(verify(POOLED, BY_SEGMENTS)).values()
    assert outcomes(verify(POOLED, MEANS))["pooled"] == "differs"


SHARES = '''
import tensorflow as tf


def dice(masks, probs):
    """Mean over the batch of what is shared, of the classes that are present.

    Args:
        masks: one-hot float tensor [batch, pixels, classes].
        probs: float tensor of the same shape, softmax output.
    """
    found = []
    for mask, prob in zip(masks, probs):
        scores = []
        for c in range(mask.shape[-1]):
            if float(tf.reduce_sum(mask[:, c])) == 0.0:
                continue
            scores.append(tf.reduce_sum(mask[:, c] * prob[:, c]) / tf.reduce_sum(mask[:, c]))
        found.append(tf.add_n(scores) / len(scores))
    return tf.reduce_mean(tf.stack(found))
'''
WHOLE = """
import tensorflow as tf


def dice(masks, probs):
    size = tf.reduce_sum(masks, 1)
    there = tf.cast(size > 0.0, tf.float32)
    scores = tf.math.divide_no_nan(tf.reduce_sum(masks * probs, 1), size)
    return tf.reduce_mean(tf.reduce_sum(scores * there, 1) / tf.reduce_sum(there, 1))
"""
OF_ALL = WHOLE.replace(
    "tf.reduce_mean(tf.reduce_sum(scores * there, 1) / tf.reduce_sum(there, 1))",
    "tf.reduce_sum(scores * there) / tf.reduce_sum(there)",
)


def test_some_rows_of_ones_and_zeros_lack_classes(verify: Verify) -> None:
    assert outcomes(verify(SHARES, WHOLE))["dice"] != "differs"
    assert outcomes(verify(SHARES, OF_ALL))["dice"] == "differs"
