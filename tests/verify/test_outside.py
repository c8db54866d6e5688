"""What a traced step reads from outside stands there otherwise when it is called again."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.outside import Outside, is_traced_more, outside_of
from tfxla_lint.verify.trees import Tree

from .conftest import Verify, outcomes

HEAD = "import numpy as np\nimport tensorflow as tf\n"
STEP = "def step(x):\n    return tf.reduce_sum(x * x) * ({reads})\n"
TRACED = "@tf.function\ndef step"

#: What is read, and how another function changes it.
READS = {
    "the length of a list": ("LOG = []\ndef note(v):\n    LOG.append(v)\n", "1.0 + len(LOG)"),
    "a text in a dict": (
        "MODE = {'kind': 'train'}\ndef go(m):\n    MODE['kind'] = m\n",
        "1.0 if MODE['kind'] == 'train' else 0.5",
    ),
    "a text that is compared": (
        "KIND = 'a'\ndef use(k):\n    global KIND\n    KIND = k\n",
        "2.0 if KIND == 'b' else 1.0",
    ),
    "what is not set yet": (
        "SCALE = None\ndef scale(s):\n    global SCALE\n    SCALE = s\n",
        "1.0 if SCALE is None else SCALE",
    ),
    "an array": ("RATE = np.ones([1], np.float32)\ndef go(s):\n    RATE[:] = s\n", "RATE"),
    "what is left out": (
        "LEFT_OUT = set()\ndef leave(i):\n    LEFT_OUT.add(i)\n",
        "sum(v for i, v in enumerate([1.0, 2.0, 4.0]) if i not in LEFT_OUT)",
    ),
    "what a layer calls": (
        "layer = tf.keras.layers.Dense(1, kernel_initializer='ones')\nlayer.build([None, 3])\n"
        "def freeze():\n    layer.activation = tf.nn.relu\n",
        "tf.reduce_sum(layer(x))",
    ),
}
PROGRAM = "for i in range(3):\n    print(float(step(tf.ones([2, 3]) * (i + 1.0))))\n"


@pytest.mark.parametrize(("before", "reads"), READS.values(), ids=READS)
def test_a_library_that_keeps_what_other_code_changes(
    before: str, reads: str, verify: Verify
) -> None:
    text = HEAD + before + STEP.replace("{reads}", reads)
    assert outcomes(verify(text, text.replace("def step", TRACED))) == {"step": "differs"}
    assert outcomes(verify(text, text.replace("x * x", "tf.square(x)"))) == {"step": "equivalent"}


@pytest.mark.parametrize("name", ["the length of a list", "a text that is compared"])
def test_a_program_that_keeps_what_other_code_changes(name: str, verify: Verify) -> None:
    before, reads = READS[name]
    text = HEAD + before + STEP.replace("{reads}", reads) + PROGRAM
    assert outcomes(verify(text, text.replace("def step", TRACED))) == {"step": "differs"}
    assert outcomes(verify(text, text.replace("x * x", "tf.square(x)"))) == {"step": "equivalent"}


def test_attributes_of_the_object_whatever_they_hold(verify: Verify) -> None:
    text = HEAD + (
        "class Trainer:\n"
        "    def __init__(self):\n"
        "        self.mode = 'a'\n"
        "    def set_mode(self, m):\n"
        "        self.mode = m\n"
        "    def step(self, x):\n"
        "        return tf.reduce_sum(x * x) * (2.0 if self.mode == 'a' else 3.0)\n"
    )
    (verdict,) = verify(text, text.replace("    def step", "    @tf.function\n    def step"))
    assert verdict.outcome.value == "differs"


def test_what_cannot_be_changed_from_here_is_named(verify: Verify) -> None:
    text = HEAD + (
        "def make():\n"
        "    seen = []\n"
        "    def f(x):\n"
        "        return tf.reduce_sum(x) * (1.0 + len(seen))\n"
        "    def note(v):\n"
        "        seen.append(v)\n"
        "    return f, note\n"
        "f, note = make()\n"
        "for i in range(3):\n"
        "    print(float(f(tf.ones([3]) * (i + 1.0))))\n"
    )
    (verdict,) = verify(text, text.replace("    def f", "    @tf.function\n    def f"))
    assert verdict.outcome.value == "not checked"
    assert "other code may change seen" in verdict.reason


def test_what_nobody_else_changes_is_not_looked_at() -> None:
    text = HEAD + "LOG = []\ndef step(x):\n    LOG.append(1)\n    return x * len(LOG)\n"
    assert outside_of(Tree(text), "step").all == ()
    text += "class A:\n    def __init__(self):\n        self.set()\n    def set(self):\n"
    text += "        self.k = 1\n    def step(self, x):\n        return x * self.k\n"
    assert outside_of(Tree(text), "A.step").all == ()
    assert outside_of(Tree(text), "nowhere") == Outside()
    text = (
        HEAD + "def sort(x):\n    return tf.reverse(x, [0])\ndef step(x):\n    return tf.abs(x)\n"
    )
    assert outside_of(Tree(text), "step").all == ()


def test_what_an_inner_function_calls_its_own_is_nobody_elses() -> None:
    text = (
        "def made(scale):\n    def step(x):\n        loss = scale * x\n        return loss + rate\n"
        "    return step\n\ndef unit(x):\n    return made(2.0)(x)\n\n"
        "rate = 1.0\nfor _ in range(3):\n    loss = unit(1.0)\n    rate = 0.5 * rate\n"
    )
    assert outside_of(Tree(text), "unit").names == ("rate",)


def test_what_is_settled_before_the_first_call_is_not_looked_at() -> None:
    made = "x = tf.zeros([2])\nfor _ in range(3):\n    x = x + 1.0\n"
    scale = "class A:\n    k = 1.0\n    def load(self):\n        self.k = 2.0\n"
    text = HEAD + made + scale + "    def step(self):\n        return x * self.k\na = A()\n"
    before, after = "a.load()\nprint(a.step())\n", "print(a.step())\na.load()\n"
    assert outside_of(Tree(text + before), "A.step").all == ()
    assert outside_of(Tree(text + after), "A.step").all == ("k",)
    assert outside_of(Tree(text + before + "a.load()\n"), "A.step").all == ("k",)
    # Who imports it may call them in any order, where the module itself does not.
    assert outside_of(Tree(text), "A.step").all == ("x", "k")
    again = "for _ in range(3):\n    x = x * 2.0\n"
    assert outside_of(Tree(text + "print(a.step())\n" + again), "A.step").all == ("x", "k")


@pytest.mark.parametrize(
    ("body", "rest", "expected"),
    [
        ("a.k = 2.0; a.step()", "main()\n", ()),
        ("a.k = 2.0; a.step()", "if __name__ == '__main__':\n    sys.exit(main())\n", ()),
        ("a.load(); run(a)", "main()\n", ()),
        ("a.step(); a.k = 2.0", "main()\n", ("k",)),
        # What runs again comes after a call, too, as does what is handed on.
        ("a.k = 2.0; a.step()", "for _ in range(2):\n    main()\n", ("k",)),
        ("a.k = 2.0; a.step()", "main()\nmain()\n", ("k",)),
        ("start(a.load); a.step()", "main()\n", ("k",)),
        ("def f(): a.k = 2.0\n    start(f); a.step()", "main()\n", ("k",)),
    ],
)
def test_what_main_settles_before_the_first_call(
    body: str, rest: str, expected: tuple[str, ...]
) -> None:
    load = "    def load(self):\n        self.k = 3.0\n" if "load" in body else ""
    text = (
        f"class A:\n{load}    def step(self):\n        return self.k\n"
        f"def run(a):\n    a.step()\ndef main():\n    a = A()\n    {body}\n"
    )
    assert outside_of(Tree(HEAD + text + rest), "A.step").all == expected


def test_which_versions_are_traced_more() -> None:
    old, new = Tree("def f(x):\n    return x\n"), Tree("@tf.function\ndef f(x):\n    return x\n")
    assert is_traced_more(old, new)
    assert not is_traced_more(new, new)


def test_what_only_the_original_reads_of_an_object_has_another_value(verify: Verify) -> None:
    old = HEAD + (
        "class A:\n    def __init__(self, taken=()):\n        self.mask = np.zeros(3, np.float32)\n"
        "        self.mask[list(taken)] = 1.0\n    def f(self, x):\n        return self.whole() + x[:, :1]\n"
        "    def whole(self):\n        return self.mask + 1.0\n"
    ).replace("class A", "import numpy as np\nclass A")
    new = old.replace("return self.whole() + x", "return tf.ones([3]) + x")
    assert outcomes(verify(old, new, power=True)) == {"A.f": "not checked"}
    # A size goes with what is made of that size.
    sized = old.replace("taken=()", "size=3").replace("np.zeros(3,", "np.zeros(size,")
    sized = sized.replace("self.mask[list(taken)] = 1.0", "self.size = size")
    sized = sized.replace("+ x[:, :1]", "+ sum(x[:, i : i + 1] for i in range(self.size))")
    summed = sized.replace("range(self.size)", "range(len(self.mask))")
    assert outcomes(verify(sized, summed, power=True)) == {"A.f": "equivalent"}


NOTED = """\
class Notes:
    def __init__(self, rows):
        self.rows, self.sums = rows, []

    def __call__(self, factor):
        self.sums.append(float(tf.reduce_sum(self.rows * factor)))


def main():
    notes = Notes(tf.constant([1.0, 2.0]))
    for i in range(3):
        notes(float(i))
    total = 0.0
    for value in notes.sums:
        total += value
    print(total)


main()
"""
NOTED_IN_A_TRACE = (
    NOTED.replace("    total = 0.0\n    for value in notes.sums:\n        total += value\n", "    total = sum(notes.sums)\n")
    .replace("float(tf.reduce_sum(self.rows * factor))", "float(self.total(tf.constant(factor)))")
    .replace("    def __call__", "    @tf.function\n    def total(self, factor):\n        return tf.reduce_sum(self.rows * factor)\n\n    def __call__")
)  # fmt: skip


def test_what_the_program_starts_with_keeps_nothing(verify: Verify) -> None:
    found = verify(HEAD + NOTED, HEAD + NOTED_IN_A_TRACE, power=True)
    assert outcomes(found) == {"Notes.__call__": "equivalent", "main": "equivalent"}, found
    # What is called more than once may be, and a trace in it keeps what that reads.
    for more in ("", "main()\n"):
        tree = Tree(HEAD + NOTED_IN_A_TRACE + more)
        assert outside_of(tree, "main", in_traces=True).all == (("sums",) if more else ())
    held = NOTED.replace("    print(total)", "    again = lambda: notes.sums[0]\n    print(again)")
    assert outside_of(Tree(HEAD + held), "main", in_traces=True).all == ("sums",)
