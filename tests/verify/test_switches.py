"""Options and settings that changed code reads: with one value only, a loss of them shows nowhere."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.lost import Lost
from tfxla_lint.verify.switches import Switches
from tfxla_lint.verify.trees import Tree

from .conftest import Verify, outcomes

PROGRAM = """\
import argparse
import tensorflow as tf


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--clip", type=float, default=0.0)
    parser.add_argument("--double", action="store_true")
    args = parser.parse_args()
    w = tf.Variable([1.0, 2.0])
    for step in range(args.steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        grad = tape.gradient(loss, w)
        if args.clip > 0:
            grad = tf.clip_by_norm(grad, args.clip)
        if args.double:
            grad = grad * 2.0
        w.assign_sub(0.1 * grad)
        print(float(loss))


main()
"""
STEP = PROGRAM[PROGRAM.index("        with tf.G") : PROGRAM.index("        print")]
TRACED = """\
        loss = update(args.double)
"""
UPDATE = """\
    @tf.function
    def update(double):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        grad = tape.gradient(loss, w)
        {clipped}
        if double:
            grad = grad * 2.0
        w.assign_sub(0.1 * grad)
        return loss

    for step"""
CLIPPED = "grad = tf.clip_by_norm(grad, args.clip) if args.clip > 0 else grad"


@pytest.mark.parametrize(("clipped", "said"), [(CLIPPED, "equivalent"), ("pass", "differs")])
def test_a_program_is_run_with_options_that_are_off(
    clipped: str, said: str, verify: Verify
) -> None:
    update = UPDATE.replace("{clipped}", clipped)
    after = PROGRAM.replace(STEP, TRACED).replace("    for step", update)
    (verdict,) = verify(PROGRAM, after)
    assert verdict.outcome.value == said
    assert "started with --clip 0.1 --double" in verdict.note


def test_what_can_stand_on_a_command_line() -> None:
    text = (
        'p.add_argument("--lr", type=float, default=0.5)\n'
        'p.add_argument("-e", "--n-epochs", type=int)\n'
        'p.add_argument("--kind", choices=["a", "b", "c"], default="a")\n'
        'p.add_argument("--data", required=True)\n'
        'p.add_argument("--only", action="store_true")\n'
        'flags.DEFINE_float("decay", 0.0, "")\n'
        'flags.DEFINE_bool("mixed", False, "")\n'
        'flags.DEFINE_enum("loss", "l1", ["l1", "l2"], "")\n'
        "f(args.lr, args.n_epochs, args.kind, args.data, F.decay, F.mixed, F.loss)\n"
        "def main():\n    if args.only:\n        return\n"
    )
    before, after = Tree(text), Tree(text.replace("args.lr, ", ""))
    first = "--n-epochs 1 --kind b --decay=0.1 --mixed --loss=l2"
    assert [" ".join(words) for _, words in Switches(before, before).ways()] == [
        first,
        first.replace("1", "2", 1).replace("b", "c", 1).replace("0.1", "2.0"),
        "--lr 0.25",
    ]
    fewer = Switches(before, after)
    assert fewer.lost == {"lr"}
    names, words = next(fewer.ways())
    assert "lr" in names
    assert words[:2] == ("--lr", "0.25")
    assert next(fewer.alone()) == ({"lr"}, ("--lr", "0.25"))


def test_a_lost_option_that_no_run_could_change_is_named(verify: Verify) -> None:
    text = (
        "import argparse\nimport tensorflow as tf\np = argparse.ArgumentParser()\n"
        'p.add_argument("--power", type=float, default=1.0)\nargs = p.parse_args()\n'
        "def step(x):\n    return tf.reduce_sum(x ** args.power)\n"
        "assert vars(args) == {'power': 1.0}\nprint(float(step(tf.range(4.0))))\n"
    )
    (verdict,) = verify(text, text.replace("x ** args.power", "x"))
    assert verdict.outcome.value == "not checked"
    assert "nothing reads the option power any more" in verdict.reason


CLASS = """\
import tensorflow as tf


class Trainer:
    def __init__(self, clip=None):
        self.clip = clip
        self.w = tf.Variable([3.0, 4.0])

    def step(self, x):
        g = x * self.w
        if self.clip is not None:
            g = tf.clip_by_norm(g, self.clip)
        self.w.assign_sub(0.1 * g)
        return tf.reduce_sum(g)


trainer = Trainer()
for i in range(3):
    print(float(trainer.step(tf.constant([1.0, 2.0]) + i)))
"""
LOST = "        if self.clip is not None:\n            g = tf.clip_by_norm(g, self.clip)\n"


def test_a_setting_that_objects_are_made_with(verify: Verify) -> None:
    assert outcomes(verify(CLASS, CLASS.replace(LOST, ""))) == {"Trainer.step": "differs"}


def test_which_settings_are_lost() -> None:
    heard = "class A:\n    def add(self, x):\n        for fn in self.heard:\n            fn(x)\n"
    silent = Lost(Tree(heard), Tree(heard.replace("fn(x)", "pass")))
    assert silent.called("A.add") == ["heard"]
    listed = "class A:\n    def add(self, x):\n        [f(x) for f in self.heard]\n"
    assert Lost(Tree(heard), Tree(listed)).called("A.add") == []
    old = Tree(CLASS)
    assert Lost(old, Tree(CLASS.replace(LOST, ""))).of("Trainer.step") == ["clip"]
    derived = CLASS.replace(LOST, "        g = self.clipped(g)\n").replace(
        "self.clip = clip\n", "self.clip = clip\n        self.clipped = made(clip)\n"
    )
    assert Lost(old, Tree(derived)).of("Trainer.step") == []
    text = "C = {'a': 1, 'b': 2}\ndef f(x, y):\n    return x * C['a'] + y\n"
    lost = Lost(Tree(text), Tree(text.replace(" * C['a'] + y", "")))
    assert lost.keys == {"a"}
    assert lost.of("f") == ["C"]
    assert lost.parameters("f") == ["y"]
    assert Lost(Tree(text), Tree(text)).of("f") == []


def test_options_stand_behind_the_first_command_and_the_others_are_tried() -> None:
    text = (
        'run = sub.add_parser("run")\n'
        'run.add_argument("--drift", type=int, default=0)\n'
        'run.add_argument("--forget", type=float, default=1.0)\n'
        'sub.add_parser("compare")\n'
        "f(args.drift, args.forget)\n"
    )
    ways = [" ".join(words) for _, words in Switches(Tree(text), Tree(text)).ways()]
    assert ways == ["run --drift 1", "run --drift 2", "run --forget 0.5", "compare"]


LOGGED = """\
import argparse
import json
import tensorflow as tf


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="")
    parser.add_argument("--log", default="")
    args = parser.parse_args()
    w = tf.Variable([1.0, 2.0])
    if args.data:
        w.assign(json.load(open(args.data)))
    rows = []
    for step in range(3):
        w.assign_sub(0.1 * w)
        rows.append(float(tf.norm(w)))
    print(rows[-1])
    if args.log:
        with open(args.log, "w") as file:
            json.dump(rows, file)


main()
"""


@pytest.mark.parametrize(
    ("new", "said"),
    [("json.dump(rows[:], file)", "equivalent"), ("json.dump(rows[1:], file)", "differs")],
)
def test_files_that_are_named_on_the_command_line_are_written(
    new: str, said: str, verify: Verify
) -> None:
    rewritten = LOGGED.replace("json.dump(rows, file)", new)
    assert outcomes(verify(LOGGED, rewritten)) == {"main": said}
