"""What a program happens to pass, hold and ask once is made otherwise when it has ended."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.changes import changes_between
from tfxla_lint.verify.ran import Changed
from tfxla_lint.verify.reaching import watched_versions
from tfxla_lint.verify.trees import Tree

from .conftest import Verify, outcomes

HEAD = "import numpy as np\nimport tensorflow as tf\n\n\n"
FILES = HEAD + (
    "class Run:\n"
    "    def __init__(self):\n"
    "        self.w = tf.Variable(tf.ones([3, 1]))\n"
    "        self.best = 1e9\n"
    "    def step(self, x):\n"
    "        self.w.assign_sub(0.1 * x * self.w)\n"
    "        loss = float(tf.reduce_sum(self.w))\n"
    "        if loss < self.best:\n"
    "            self.best = loss\n"
    "            np.save('best.npy', self.w.numpy())\n"
    "    def predict(self, x):\n"
    "        return x @ np.load('best.npy')\n\n\n"
    "run = Run()\n"
    "for i in range(3):\n"
    "    run.step(0.5 + i)\n"
    "print(run.predict(np.ones([2, 3], np.float32)))\n"
)
STAGES = HEAD + (
    "def advance(f, t, x, h):\n"
    "    first = f(t, x)\n"
    "    return x + h * f(t + h, x + h * first)\n\n\n"
    "x = tf.ones([2, 3], tf.float64)\n"
    "for i in range(3):\n"
    "    x = advance(lambda t, s: -s * s, 0.1 * i, x, 0.1)\n"
    "print(x.numpy())\n"
)
EACH = HEAD + (
    "def values(f, times, xs):\n"
    "    rows = []\n"
    "    for i in range(4):\n"
    "        rows.append(f(times[i], xs[i], i))\n"
    "    return tf.stack(rows)\n\n\n"
    "for i in range(3):\n"
    "    print(values(lambda t, x, i: -x * x, tf.range(4.0), tf.ones([4, 3]) * i).numpy())\n"
)
EACH_COUNTED = "    for i in range(4):\n"
LEAVING = HEAD + (
    "def walk(x, until, h):\n"
    "    t = 0.0\n"
    "    for _ in range(20):\n"
    "        last = t + h >= until\n"
    "        size = h * h\n"
    "        if size <= 1.0:\n"
    "            t += h\n"
    "            x = x * 0.5\n"
    "            if last:\n"
    "                break\n"
    "        h = 0.5 * h\n"
    "    return x, h\n\n\n"
    "x, h = walk(tf.ones([3]), 2.0, 1.0)\n"
    "print(x.numpy(), h)\n"
)
INSIDE = "            if last:\n                break\n        h = 0.5 * h\n"
FREED = "        if last:\n            break\n        h = 0.5 * h\n"
TRACES = HEAD + (
    "class Agent:\n"
    "    def __init__(self, replacing=True):\n"
    "        self.replacing = replacing\n"
    "        self.e = tf.Variable(tf.zeros([4]))\n"
    "    def act(self, x):\n"
    "        return int(tf.argmax(self.e + x))\n"
    "    def learn(self, i):\n"
    "        if self.replacing:\n"
    "            self.e[i].assign(1.0)\n"
    "        else:\n"
    "            self.e[i].assign(self.e[i] + 1.0)\n"
    "        self.e.assign(0.5 * self.e)\n"
    "        return i\n\n\n"
)
PROGRAM = (
    "agent = Agent()\nfor i in range(3):\n    print(agent.act(tf.range(4.0)), agent.learn(i))\n"
)
WITH_OPTION = (
    "import argparse\n"
    "parser = argparse.ArgumentParser()\n"
    "parser.add_argument('--accumulating', action='store_true')\n"
    "args = parser.parse_args()\n"
    "agent = Agent(not args.accumulating)\n"
    "for i in [0, 1, 0]:\n"
    "    print(agent.act(tf.range(4.0)), agent.learn(i))\n"
    "print(agent.e.numpy())\n"
    "agent.e.assign(tf.zeros([4]))\n"
)
KEPT = "        one = tf.one_hot(i, 4)\n        old = self.e * (1.0 - one) + one{more}\n        self.e.assign(0.5 * old)\n"
BOTH = " if self.replacing else self.e + one"


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        (FILES, "x @ np.load('best.npy')", "(x @ self.w).numpy()", "differs"),
        (FILES, "x @ np.load('best.npy')", "np.dot(x, np.load('best.npy'))", "equivalent"),
        (STAGES, "f(t + h, x", "f(t, x", "differs"),
        (STAGES, "h * f(t + h, x + h * first)", "f(h + t, first * h + x) * h", "equivalent"),
        (EACH, EACH_COUNTED, EACH_COUNTED.replace("range", "tf.range"), "equivalent"),
        (LEAVING, INSIDE, FREED, "differs"),
    ],
    ids=["a file", "the file", "a time", "the time", "counted", "what leaves a loop"],
)
def test_calls_after_a_program(text: str, old: str, new: str, said: str, verify: Verify) -> None:
    assert set(outcomes(verify(text, text.replace(old, new), power=True)).values()) == {said}


@pytest.mark.parametrize(
    ("program", "more", "said"),
    [(PROGRAM, "", "differs"), (WITH_OPTION, "", "differs"), (WITH_OPTION, BOTH, "equivalent")],
    ids=["a setting", "an option", "the option"],
)
def test_what_a_setting_leaves_in_variables_beside_another_change(
    program: str, more: str, said: str, verify: Verify
) -> None:
    text = TRACES + program
    begin, end = text.index("        if self.rep"), text.index("        return i\n")
    new = text[:begin] + KEPT.format(more=more) + text[end:]
    new = new.replace("int(tf.argmax(self.e + x))", "int(np.argmax((self.e + x).numpy()))")
    verdicts = outcomes(verify(text, new, power=True))
    assert verdicts["Agent.learn"] == said


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [(INSIDE, FREED, 1), (FREED, INSIDE, 1), (INSIDE, INSIDE.replace("0.5", "0.25"), 0)],
    ids=["freed", "bound", "as it was"],
)
def test_what_stands_under_a_condition_in_one_version_only(old: str, new: str, count: int) -> None:
    text = LEAVING.replace(INSIDE, old)
    sides = Tree(text), Tree(text.replace(old, new))
    changes = changes_between(*sides)
    changed = Changed(*sides, changes)
    statements = tuple({"walk": changed.both("walk")[side]} for side in (0, 1))
    found = [row for row in watched_versions(sides, statements) if "size" in row.said]
    assert len(found) == count
    assert all("__txl_kept__ and size <= 1.0" in row.text for row in found)


WORDS_RIGHT = """\
import numpy as np
import tensorflow as tf


def share(target, guessed):
    right = 0
    for a, b in zip(target.numpy(), guessed.numpy()):
        length = int(np.argmax(a == 2)) + 1
        right += bool((a[:length] == b[:length]).all())
    return right / len(target)


TARGET = tf.constant([[5, 3, 2, 0], [4, 2, 0, 0], [3, 6, 2, 0], [4, 4, 2, 0], [6, 2, 0, 0]])
print(share(TARGET, tf.constant([[3, 4, 4, 3]] * 2 + [[6, 5, 2, 3]] * 3)))
"""
AT_ONCE = """\
    end = tf.argmax(tf.cast(target == 2, tf.int32), axis=1, output_type=tf.int32)
    there = tf.range(tf.shape(target)[1])[None, :] <= end[:, None]
    right = tf.reduce_all(tf.logical_or(target == guessed, tf.logical_not(there)), axis=1)
    return float(np.mean(right.numpy()))
"""


def test_whole_numbers_are_alike_in_part(verify: Verify) -> None:
    body = WORDS_RIGHT[WORDS_RIGHT.index("    right = 0") : WORDS_RIGHT.index("\n\nTARGET")]
    new = WORDS_RIGHT.replace(body, AT_ONCE)
    assert outcomes(verify(WORDS_RIGHT, new, power=True)) == {"share": "equivalent"}
    wrong = new.replace("<= end", "< end")
    assert outcomes(verify(WORDS_RIGHT, wrong, power=True)) == {"share": "differs"}
