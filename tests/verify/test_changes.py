from __future__ import annotations

import pytest

from tfxla_lint.verify.changes import MODULE, changes_between
from tfxla_lint.verify.declared import called_name, declared_examples
from tfxla_lint.verify.hints import parameters_of
from tfxla_lint.verify.marks import can_be_watched, has_same_parameters, marked
from tfxla_lint.verify.outside import outside_of
from tfxla_lint.verify.shrink import awaited, is_much_shorter, shrunk
from tfxla_lint.verify.slices import is_reached, slice_for
from tfxla_lint.verify.trees import Tree

OLD = '''\
import numpy as np
import tensorflow as tf

RATE = 0.1
table = np.load("table.npy")
weights = tf.Variable(tf.ones([3]))
layers = []
for size in (3, 4):
    layers.append(tf.keras.layers.Dense(size))


def scale(x):
    """Scale."""
    return RATE * x


def step(x):
    weights.assign_sub(scale(x))
    return weights.read_value()


class Trainer:
    def __init__(self):
        self.rate = 1.0
        self.count = 0

    def set_rate(self, rate):
        self.rate = rate

    def run(self, x, *, flag=True):
        self.count += 1
        return x * self.rate


for _ in range(3):
    step(tf.ones([3]))
print(weights)
'''


def units(old: str, new: str) -> tuple[str, ...]:
    return changes_between(Tree(old), Tree(new)).units


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("return RATE * x", "return x * RATE", ("scale",)),
        ('"""Scale."""', '"""Another text."""', ()),
        ("def step(x):", "@tf.function\ndef step(x):", ("step",)),
        ("    def run", "    @tf.function\n    def run", ("Trainer.run",)),
        ("RATE = 0.1", "RATE = 0.2", (MODULE,)),
        ("RATE = 0.1", "RATE = 0.1  # a comment", ()),
        ("    step(tf.ones([3]))", "    step(tf.zeros([3]))", (MODULE,)),
        ("print(weights)\n", "print(weights)\nstep = tf.function(step)\n", ("step",)),
        (
            "class Trainer:",
            "class Trainer(tf.Module):",
            ("Trainer.__init__", "Trainer.set_rate", "Trainer.run"),
        ),
    ],
)
def test_units(before: str, after: str, expected: tuple[str, ...]) -> None:
    assert before in OLD
    assert units(OLD, OLD.replace(before, after)) == expected


def test_new_names_belong_to_the_functions_that_use_them() -> None:
    new = OLD.replace(
        "def step(x):\n    weights.assign_sub(scale(x))",
        "fast = tf.function(scale)\n\n\ndef step(x):\n    weights.assign_sub(fast(x))",
    )
    assert units(OLD, new) == ("step",)


def test_only_names_given_to_values_are_plain() -> None:
    tree = Tree(OLD)
    assert changes_between(tree, Tree(OLD.replace("RATE = 0.1", "RATE = 0.2"))).is_plain
    assert not changes_between(tree, Tree(OLD.replace("range(3)", "range(4)"))).is_plain


def test_slice_holds_what_a_function_needs_and_keeps_its_lines() -> None:
    text = slice_for(Tree(OLD), {"step"})
    lines = text.split("\n")
    assert "np.load" not in text
    assert "layers" not in text
    assert "class Trainer" not in text
    assert "step(tf.ones([3]))" not in text
    assert lines.index("RATE = 0.1") == OLD.split("\n").index("RATE = 0.1")
    compile(text, "slice", "exec")


def test_slice_keeps_loops_that_prepare() -> None:
    text = slice_for(Tree(OLD + "def use(x):\n    return layers[0](x)\n"), {"use"})
    assert "layers.append" in text
    assert "step(" not in text


def test_reach() -> None:
    tree = Tree(OLD)
    assert is_reached(tree, {"step"})
    assert is_reached(tree, {"scale"})
    assert not is_reached(tree, {"Trainer.run"})


def test_marks_are_statements_of_their_own() -> None:
    tree = Tree(OLD)
    text = marked(tree, ["step"], ["scale", "Trainer.run"], [35])
    assert '@__txl_boundary__("step")\ndef step' in text
    assert '    __txl_hit__("scale")\n    return' in text
    assert '        __txl_hit__("Trainer.run", self)\n        self.count' in text
    compile(text, "marked", "exec")


def test_functions_that_are_handed_on_are_not_watched() -> None:
    assert can_be_watched(Tree(OLD), "step")
    assert not can_be_watched(Tree(OLD + "tf.function(step)\n"), "step")
    assert not can_be_watched(Tree(OLD), "Trainer.__init__")


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("def f(x: int, y=2):\n    pass\n", True),
        ("def f(x, y, total):\n    pass\n", False),
        ("def f(x, *, y):\n    pass\n", False),
    ],
)
def test_what_takes_something_else_is_not_watched(after: str, expected: bool) -> None:
    before = Tree("def f(x, y=1):\n    return x\n")
    assert has_same_parameters(before, Tree(after), "f") is expected


def test_parameters() -> None:
    x, flag = parameters_of(Tree(OLD), "Trainer.run", None)
    assert (x["name"], x["positional"]) == ("x", True)
    assert (flag["name"], flag["positional"], flag["value"]) == ("flag", False, True)


def test_state_that_the_program_changes_is_varied() -> None:
    assert outside_of(Tree(OLD), "Trainer.run").attributes == ("rate",)
    assert outside_of(Tree(OLD), "scale").names == ()
    text = OLD + "def warm():\n    global RATE\n    RATE = 0.5\n"
    assert outside_of(Tree(text), "scale").names == ("RATE",)


def test_declared_examples() -> None:
    text = '# tfxla-lint: verify step(tf.ones([3]))\nx = "# tfxla-lint: verify no(1)"\n'
    assert declared_examples(text) == {"step": ["step(tf.ones([3]))"]}
    assert called_name("Trainer(4).run(x)") == "Trainer.run"
    assert called_name("trainer.run(x)") == "trainer.run"
    assert called_name("1 + 2") == ""


def test_long_programs_are_shortened() -> None:
    text = "EPOCHS = 50\nSIZE = 64\nfit(x, epochs=20, batch=32)\n\n\ndef train(a, steps=1000):\n    pass\n"
    assert shrunk(text) == text.replace("50", "2").replace("20", "2").replace("1000", "2")
    assert is_much_shorter(text)
    assert not is_much_shorter("EPOCHS = 4\nSIZE = 64\n")


def test_what_a_short_run_does_not_come_to() -> None:
    text = (
        "for epoch in range(50):\n"
        "    if epoch == 30:\n"
        "        rate = 0.1\n"
        "    if epoch % 10 == 9:\n"
        "        print(epoch)\n"
        "    elif x > 1:\n"
        "        y = 2\n"
        "    if x > 1:\n"
        "        y = 1\n"
        "while True:\n"
        "    step += 1\n"
        "    if step > 100:\n"
        "        freeze(model)\n"
        "    else:\n"
        "        break\n"
    )
    assert awaited(Tree(text)) == {3: 2, 13: 12}
