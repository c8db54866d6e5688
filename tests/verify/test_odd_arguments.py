"""Arguments that a search makes and no program passes: what differs there need not refute."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tfxla_lint.verify.constants import has_negatives, never_below
from tfxla_lint.verify.hints import gives_number
from tfxla_lint.verify.trees import Tree

from .conftest import Verify, outcomes

HEAD = "import numpy as np\nimport tensorflow as tf\n\n\n"
LARGEST = """\
def f(values):
    largest = -np.inf
    for value in values.numpy():
        if value > largest:
            largest = value
    return float(largest)
"""
LAST = """\
def f(x):
    last = 0.0
    for row in x.numpy():
        last = float(row.mean())
    return last
"""
#: Both versions of a function: what differs with NaN, or with no rows, alone.
LEFT_OUT = {
    "NaN": (LARGEST, LARGEST.split("\n", 1)[0] + "\n    return float(tf.reduce_max(values))\n"),
    "no rows": (LAST, "def f(x):\n    return float(tf.reduce_mean(x[-1:]))\n"),
}
#: What the original says of them itself is meant.
MEANT = {
    "NaN": (
        LARGEST.replace("if value > largest", "if not np.isnan(value) and value > largest"),
        LEFT_OUT["NaN"][1],
    ),
    "no rows": (
        LAST.replace(
            "    last = 0.0\n", "    if not len(x):\n        return 0.0\n    last = 0.0\n"
        ),
        LEFT_OUT["no rows"][1],
    ),
}
PROGRAM = """

for turn in range(3):
    print(f(tf.constant(np.sin(np.arange(12.0).reshape({shape}) + turn), tf.float32)))
"""


@pytest.mark.parametrize("end", ["", "program"])
@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_nobody_passes_does_not_refute(name: str, end: str, verify: Verify) -> None:
    shape = "12" if name == "NaN" else "3, 4"
    end = PROGRAM.replace("{shape}", shape) if end else ""
    (verdict,) = verify(*(HEAD + text + end for text in LEFT_OUT[name]), power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    assert f"not compared with {name}" in verdict.note
    (verdict,) = verify(*(HEAD + text + end for text in MEANT[name]), power=True)
    assert verdict.outcome.value == "differs"


def test_what_a_program_passes_says_what_is_meant(verify: Verify) -> None:
    old = (
        "def f(scores, batch):\n    total = 0.0\n    for i in range(0, len(scores), batch):\n"
        "        total += float(np.sum(np.exp(scores[i : i + batch])))\n"
        "    return total / len(scores)\n"
    )
    new = "def f(scores, batch):\n    return float(np.mean(np.exp(scores)))\n"
    end = "\n\nprint(f(np.linspace(0.0, 1.0, 8), 4))\n"
    # Without the program nothing says that there is one dimension.
    assert outcomes(verify(HEAD + old, HEAD + new)) == {"f": "differs"}
    found = verify(HEAD + old + end, HEAD + new + end, power=True)
    assert outcomes(found) == {"f": "equivalent"}
    wrong = new.replace("np.mean(", "np.mean(0.9 * ")
    assert outcomes(verify(HEAD + old + end, HEAD + wrong + end)) == {"f": "differs"}


#: What differs for found arguments that nobody says to be meant: with infinity, with shapes that are added
#: in another way, with a size that a range does not take.
NOT_SAID = {
    "NaN": (
        "    total = 0.0\n    for i in range(x.shape[0]):\n        if y[i] > 0.0:\n            total += x[i]\n"
        "    return total\n",
        "    return tf.reduce_sum(x * tf.cast(y > 0.0, tf.float32))\n",
    ),
    "shapes": (
        "    terms = []\n    for a, b in zip(tf.unstack(x), tf.unstack(y)):\n        terms.append(a * b)\n"
        "    return tf.add_n(terms) / len(terms)\n",
        "    return tf.reduce_mean(x * y)\n",
    ),
}


def test_what_is_in_a_list_may_be_numbers(verify: Verify) -> None:
    old = (
        "def f(losses):\n    total = 0.0\n    for loss in losses:\n"
        "        total += tf.reduce_sum(loss)\n    return total / len(losses)\n"
    )
    new = "def f(losses):\n    return tf.reduce_mean(tf.stack(losses))\n"
    (verdict,) = verify(HEAD + old, HEAD + new, power=True)
    assert verdict.outcome.value == "not checked"
    assert "shapes" in verdict.reason
    wrong = new.replace("losses))", "losses[1:]))")
    assert outcomes(verify(HEAD + old, HEAD + wrong, power=True)) == {"f": "differs"}


@pytest.mark.parametrize("name", NOT_SAID)
def test_what_nobody_says_to_be_meant_is_left_open(name: str, verify: Verify) -> None:
    (verdict,) = verify(*(f"{HEAD}def f(x, y):\n{body}" for body in NOT_SAID[name]), power=True)
    assert verdict.outcome.value == "not checked"
    assert name in verdict.reason
    wrong = NOT_SAID[name][1].replace("x *", "2.0 * x *")
    texts = (f"{HEAD}def f(x, y):\n{body}" for body in (NOT_SAID[name][0], wrong))
    assert outcomes(verify(*texts, power=True)) == {"f": "differs"}


#: What hides NaN in one argument lets that in another one go further.
ASKED = (
    "    if tf.math.is_nan(z[0]):\n        return state\n"
    "    return state + 0.5 * z / (1.0 + tf.reduce_sum(state**2))\n"
)
MASKED = (
    "    missing = tf.math.is_nan(z[0])\n    z = tf.where(missing, tf.zeros_like(z), z)\n"
    "    return state + 0.5 * z / (1.0 + tf.reduce_sum(state**2))\n"
)


def test_nan_in_several_arguments_at_once_does_not_refute(verify: Verify) -> None:
    head = f'{HEAD}def f(state, z):\n    """The state [n] after z [n]."""\n'
    (verdict,) = verify(head + ASKED, head + MASKED, power=True)
    assert verdict.outcome.value == "not checked"
    assert "several arguments" in verdict.reason
    for wrong in (
        MASKED.replace("zeros_like(z)", "ones_like(z)"),
        MASKED.replace("tf.zeros_like(z)", "z"),
    ):
        assert outcomes(verify(head + ASKED, head + wrong, power=True)) == {"f": "differs"}


def test_what_goes_through_a_list_takes_a_tensor(verify: Verify) -> None:
    old = "def f(x):\n    total = x[0]\n    for row in x[1:]:\n        total = 0.5 * total + row\n    return total\n"
    new = "def f(x):\n    return tf.foldl(lambda a, b: 0.5 * a + b, x)\n"
    assert outcomes(verify(HEAD + old, HEAD + new, power=True)) == {"f": "equivalent"}
    wrong = new.replace("0.5 * a", "0.6 * a")
    assert outcomes(verify(HEAD + old, HEAD + wrong, power=True)) == {"f": "differs"}


def test_a_dtype_that_is_not_taken_is_not_meant(verify: Verify) -> None:
    old = "def f(x, place):\n    return tf.stack([x[i, int(place[i, 0])] for i in range(x.shape[0])])\n"
    new = "def f(x, place):\n    return tf.gather(x, place[:, 0], axis=1, batch_dims=1)\n"
    assert outcomes(verify(HEAD + old, HEAD + new, power=True)) == {"f": "equivalent"}
    wrong = new.replace("gather(x", "gather(2.0 * x")
    assert outcomes(verify(HEAD + old, HEAD + wrong, power=True)) == {"f": "differs"}


def test_a_list_in_the_place_of_a_tuple_is_the_same_to_a_program(verify: Verify) -> None:
    old = "def f(x):\n    return (x + 1.0, x * 2.0)\n"
    end = "\n\na, b = f(tf.ones([2]))\nprint(a, b)\n"
    new = old.replace("(x + 1.0, x * 2.0)", "[x + 1.0, x * 2.0]")
    assert outcomes(verify(HEAD + old + end, HEAD + new + end)) == {"f": "equivalent"}
    assert outcomes(verify(HEAD + old, HEAD + new)) == {"f": "differs"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x[::-1]", False),
        ("tf.reduce_sum(x, axis=-1)", False),
        ("tf.where(labels == -1, 0, labels)", True),
        ("n if n < 0 else 1", True),
        ("abs(n)", True),
        ("def f(x, ignore=-1): pass", True),
    ],
)
def test_whether_less_than_nothing_means_something(text: str, expected: bool) -> None:
    assert has_negatives(Tree(text)) is expected
    assert has_negatives(Tree(text), is_written=True) is ("-1" in text and expected)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    total = 0.0\n    for r in x:\n        total += r\n    return total / len(x)\n", True),
        ("    n = m = 1\n    a, b = 0, 1\n    return a\n", True),
        ("    a, n = tf.constant(0.0), 0\n    return a / max(n, 1)\n", True),
        ("    total = tf.zeros([3])\n    return total\n", False),
        ("    return x\n", False),
        ("    return None\n", False),
    ],
)
def test_what_adds_up_one_number(body: str, expected: bool) -> None:
    tree = Tree(f"def f(x):\n{body}")
    assert gives_number(tree.functions["f"]) is expected


def test_sizes_that_a_program_passes_need_not_be_a_batchs(tensorflow: None) -> None:
    from tfxla_lint.verify.worker.guessing import Guesses
    from tfxla_lint.verify.worker.kinds import kinds_of
    from tfxla_lint.verify.worker.variations import Last

    def f(u: object, rates: object) -> None: ...

    kinds = kinds_of(Last(f, [np.ones(16), [np.ones((16, 2))]], {}))
    parameters = [{"name": name, "spec": spec} for name, spec in kinds.items()]
    first, second, *_ = Guesses({"parameters": parameters}, {}).first()
    assert (first["u"]["shape"], first["rates"]["parts"][0]["shape"]) == ([4], [4, 2])
    assert (second["u"]["shape"], second["rates"]["parts"][0]["shape"]) == ([16], [16, 2])


def test_what_keras_makes_of_a_programs_model_and_optimizer_is_like_them(tensorflow: None) -> None:
    import tensorflow as tf

    from tfxla_lint.verify.worker.kinds import kinds_of
    from tfxla_lint.verify.worker.values import Maker
    from tfxla_lint.verify.worker.variations import Last

    class Own(tf.keras.layers.Layer):  # type: ignore[misc]
        def call(self, x: object) -> object:
            return x

    def f(net: object, rule: object, own: object, unbuilt: object) -> None: ...

    layers = [tf.keras.Input([6]), tf.keras.layers.Dense(5, "relu"), tf.keras.layers.Dense(3)]
    net, own = tf.keras.Sequential(layers), tf.keras.Sequential([tf.keras.Input([6]), Own()])
    unbuilt = tf.keras.Sequential([tf.keras.layers.Dense(3)])
    kinds = kinds_of(Last(f, [net, tf.keras.optimizers.Adam(0.5), own, unbuilt], {}))
    assert sorted(kinds) == ["net", "rule"]
    maker = Maker({}, {})
    made, rule = (maker.make(name, spec, 0) for name, spec in kinds.items())
    assert [w.shape for w in made.weights] == [w.shape for w in net.weights]
    assert type(rule) is tf.keras.optimizers.Adam
    assert float(rule.learning_rate) == 0.5


def test_the_dtype_of_an_empty_list_is_nobodys_matter(verify: Verify) -> None:
    old = (
        "def f(x):\n    columns = []\n    for turn in range(3):\n"
        "        column = [int(v) + turn for v in x.numpy()]\n        columns.append(column)\n"
        "        if not column:\n            break\n    while len(columns) < 3:\n"
        "        columns.append([0] * len(x))\n    return tf.transpose(tf.constant(columns))\n"
    )
    new = "def f(x):\n    return tf.stack([tf.cast(x, tf.int32) + turn for turn in range(3)], axis=1)\n"
    end = "\n\nfor turn in range(3):\n    print(f(tf.constant([3.0, 1.0, 2.0]) + turn))\n"
    assert outcomes(verify(HEAD + old + end, HEAD + new + end, power=True)) == {"f": "equivalent"}
    wrong = new.replace("tf.int32", "tf.int64")
    assert outcomes(verify(HEAD + old + end, HEAD + wrong + end, power=True)) == {"f": "differs"}


def test_what_variables_hold_after_nan_is_of_nan_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfxla_lint.verify.worker import meant
    from tfxla_lint.verify.worker.comparing import Difference

    some = {"k": "tensor", "shape": [4], "dtype": "float32", "low": -1, "high": 1}
    plans = [
        {"choice": {"x": {**some, **odd}}, "is_bare": bool(odd)}
        for odd in ({}, {"odd": np.nan, "place": 0})
    ]
    pair: Any = SimpleNamespace(job={}, plans=plans, comparison=lambda goes_on: None)
    # Nothing differs where only the plain call is made.
    monkeypatch.setattr(meant, "differences", lambda *args: [])
    kinds = ("call 2: self.count", "the change of self.count")
    call, change = (Difference("value", path, "1", "2") for path in kinds)
    pair.both_with = lambda plans: (len(plans), None)
    assert meant.is_of_nan(pair, [call, change])
    assert not meant.is_of_nan(pair, [change])


WAVES = """\
import numpy as np
import tensorflow as tf


def waves(times):
    rows = []
    for time in times:
        rows.append([np.cos(time), np.sin(time)])
    return np.array(rows, np.float32)


print(tf.reduce_sum(waves(np.arange(4.0)), axis=0))
"""
STACKED = """\
    return np.stack([[np.cos(time), np.sin(time)] for time in times]).astype(np.float32)
"""


@pytest.mark.parametrize(
    ("form", "outcome"), [("", "equivalent"), (".reshape(-1, 2)", "not checked")]
)
def test_what_lacks_dimensions_without_rows_is_not_meant(
    form: str, outcome: str, verify: Verify
) -> None:
    old = WAVES.replace("(rows, np.float32)", f"(rows, np.float32){form}")
    new = old[: old.index("    rows = []")] + STACKED + old[old.index("\n\nprint") :]
    (verdict,) = verify(old, new, power=True)
    assert (verdict.outcome.value, "no rows" in verdict.reason) == (outcome, bool(form)), verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "def f(x, ids):\n    y = x + 0\n    for i in ids:\n        y[i] = y[i] if y[i] > 0 else 0\n    return y\n",
            {"ids"},
        ),
        (
            "def f(x, ids):\n    for i in ids:\n        y = x[i] if i > 0 else 0\n    return y\n",
            {"x"},
        ),
        (
            "def f(x, ids):\n    return g(x, ids)\n\n\ndef g(x, ids):\n    return x[ids > 0]\n",
            {"x"},
        ),
        (
            "def f(x, ids):\n    return [*map(g, x, ids)]\n\n\ndef g(x, ids):\n    return x[ids > 0]\n",
            set(),
        ),
    ],
)
def test_of_what_no_code_asks_whether_it_is_below_zero(text: str, expected: set[str]) -> None:
    assert never_below(Tree(text), "f") == expected


def test_what_nan_spoils_in_both_versions_shows_nothing(verify: Verify) -> None:
    old = (
        "def f(x):\n    low = tf.constant(0.0)\n    for v in x:\n        if v < 0.5:\n            low += v\n"
        "    return tf.stack([tf.reduce_sum(x), low])\n"
    )
    new = (
        "def f(x):\n    low = tf.reduce_sum(x * tf.cast(x < 0.5, x.dtype))\n"
        "    return tf.stack([tf.reduce_sum(x), low])\n"
    )
    (verdict,) = verify(HEAD + old, HEAD + new, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    assert "not compared with NaN" in verdict.note
    # Where neither is spoilt it stays open.
    (verdict,) = verify(
        *(HEAD + text.replace("tf.reduce_sum(x), ", "1.0, ") for text in (old, new))
    )
    assert verdict.outcome.value == "not checked"
