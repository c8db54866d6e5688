"""How often the turns of a loop reach a place, and how many turns there are at most."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tests.semantics.conftest import expression, unit_named
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repetition import exclude, most_runs

Build = Callable[[str], SemanticModel]
BELOW = ":\n        mark()\n"


@pytest.mark.parametrize(
    ("body", "often"),
    [
        ("    mark()\n", Often.ALWAYS),
        ("    if i == 0" + BELOW, Often.FEW),
        ("    if not i" + BELOW, Often.FEW),
        ("    if i < 2" + BELOW, Often.FEW),
        ("    if i == total - 1" + BELOW, Often.FEW),
        ("    if total == i + 1" + BELOW, Often.FEW),
        ("    if i in (0, 9)" + BELOW, Often.FEW),
        ("    if i != 0" + BELOW, Often.ALWAYS),
        ("    if i" + BELOW, Often.ALWAYS),
        ("    if i == limits[i]" + BELOW, Often.PERHAPS),
        ("    if i == moved" + BELOW + "    moved = draw()\n", Often.PERHAPS),
        ("    if i % 100 == 0" + BELOW, Often.SELDOM),
        ("    if i % 100" + BELOW, Often.ALWAYS),
        ("    if (i + 1) % 4 == 0" + BELOW, Often.REGULARLY),
        ("    if i % period == 0" + BELOW, Often.NOW_AND_THEN),
        ("    if i % 100 == 0:\n        pass\n    else" + BELOW, Often.ALWAYS),
        ("    if i % 100:\n        continue\n    mark()\n", Often.SELDOM),
        ("    if i == 0:\n        continue\n    mark()\n", Often.ALWAYS),
        ("    if ready and i % 100 == 0" + BELOW, Often.SELDOM),
        ("    if ready or i % 100 == 0" + BELOW, Often.PERHAPS),
        ("    if not (i % 100 == 0 or i == 5)" + BELOW, Often.ALWAYS),
        ("    if 'a%d' % i in names" + BELOW, Often.PERHAPS),
        ("    if OFF" + BELOW, Often.NEVER),
        ("    if not OFF" + BELOW, Often.ALWAYS),
        ("    if ready" + BELOW, Often.PERHAPS),
        ("    if ready" + BELOW + "        ready = False\n", Often.FEW),
        ("    if not self.done" + BELOW + "        self.done = True\n", Often.FEW),
        ("    if ready" + BELOW + "        ready = ask()\n", Often.PERHAPS),
        ("    if ready" + BELOW + "        ready = False\n    ready = True\n", Often.PERHAPS),
        ("    try:\n        go()\n    except ValueError:\n        mark()\n", Often.SELDOM),
        ("    try:\n        go()\n    except E:\n        mark()\n        break\n", Often.FEW),
        ("    x = mark() if i == 3 else 0\n", Often.FEW),
        ("    if ready" + BELOW + "        break\n", Often.FEW),
        ("    if ready:\n        pass\n    else" + BELOW + "        return\n", Often.FEW),
        (
            "    for j in rows:\n        if ready:\n            mark()\n            break\n",
            Often.PERHAPS,
        ),
    ],
)
def test_how_many_turns_reach_a_place(build: Build, body: str, often: Often) -> None:
    model = build(f"OFF = False\nready = begin()\ntotal = count()\nfor i in range(size()):\n{body}")
    loop = model.nodes(cst.For)[0]
    assert model.loops.often(expression(model, "mark()"), loop) is often


def test_a_switch_around_loops_is_for_a_user_to_turn(build: Build) -> None:
    model = build("OWN = False\nif OWN:\n    mark()\nif False:\n    drop()\n")
    module = model.units.module.node
    assert model.loops.often(expression(model, "mark()"), module) is Often.PERHAPS
    assert model.loops.often(expression(model, "drop()"), module) is Often.NEVER


def test_a_switch_that_is_asked_both_ways_is_one_in_a_loop_too(build: Build) -> None:
    code = "LOAD = True\nif LOAD:\n    load()\nfor i in range(9):\n    if not LOAD" + BELOW
    model = build(code)
    loop = model.nodes(cst.For)[0]
    assert model.loops.often(expression(model, "mark()"), loop) is Often.PERHAPS


def test_a_long_period_in_a_short_loop_leaves_a_few_turns(build: Build) -> None:
    model = build("for i in range(300):\n    if i % 100 == 0" + BELOW)
    assert model.loops.often(expression(model, "mark()"), model.nodes(cst.For)[0]) is Often.FEW


def test_a_return_before_thins_the_runs_of_a_function(build: Build) -> None:
    model = build("def f(step):\n    if step % 100:\n        return\n    mark()\n")
    function = unit_named(model, "f").node
    assert model.loops.often(expression(model, "mark()"), function) is Often.SELDOM


@pytest.mark.parametrize(
    ("test", "body", "often"),
    [
        ("not done", "    done = ask()\n    if done" + BELOW, Often.FEW),
        ("not done and n < 9", "    done = ask()\n    if done" + BELOW, Often.FEW),
        ("not self.done", "    go(self)\n    if self.done" + BELOW, Often.FEW),
        ("going", "    going = ask()\n    if not going" + BELOW, Often.FEW),
        ("not done", "    done = ask()\n    if not done" + BELOW, Often.PERHAPS),
        ("not done or n < 9", "    done = ask()\n    if done" + BELOW, Often.PERHAPS),
        ("not done", "    if done" + BELOW + "    done = ask()\n", Often.PERHAPS),
        (
            "not done",
            "    done = ask()\n    if done" + BELOW + "        done = False\n",
            Often.PERHAPS,
        ),
    ],
)
def test_what_ends_a_loop_holds_on_its_last_turn(
    build: Build, test: str, body: str, often: Often
) -> None:
    model = build(f"done, going, n = begin()\nwhile {test}:\n{body}")
    loop = model.nodes(cst.While)[0]
    assert model.loops.often(expression(model, "mark()"), loop) is often


DATA = "tf.data.Dataset.from_tensor_slices(tf.ones([20, 2]))"


@pytest.mark.parametrize(
    ("code", "most"),
    [
        ("for i in range(7):\n    mark()\n", 7),
        ("for i in range(90):\n    mark()\n    if i >= 4:\n        break\n", 5),
        ("for i, x in enumerate(rows):\n    mark()\n    if i == 2:\n        break\n", 3),
        ("for i in itertools.count():\n    if done() or i > 5:\n        break\n    mark()\n", None),
        ("for i in range(90):\n    if i % 2:\n        continue\n    mark()\n"
         "    if i > 4:\n        break\n", 90),
        ("for i in range(90):\n    mark()\n    if done():\n        break\n", 90),
        ("n = 0\nwhile n < 6:\n    mark()\n    n += 2\n", 3),
        ("n = 1\nwhile not n > 4:\n    n = n + 1\n    mark()\n", 4),
        ("n = 0\nwhile n < 6:\n    mark()\n    if odd():\n        n += 1\n", None),
        ("for x in itertools.islice(rows, 4):\n    mark()\n", 4),
        ("for x in itertools.islice(rows, 2, 9):\n    mark()\n", 9),
        (f"for x in {DATA}.batch(8):\n    mark()\n", 3),
        (f"for x in {DATA}.batch(8, drop_remainder=True):\n    mark()\n", 2),
        (f"for x in {DATA}.shuffle(4).batch(5).repeat(3):\n    mark()\n", 12),
        (f"for x in {DATA}.repeat().batch(5):\n    mark()\n", None),
        (f"for i, x in enumerate({DATA}.batch(5)):\n    mark()\n", 4),
        (f"for x in {DATA}.filter(f).batch(5):\n    mark()\n", None),
        (f"for e in range(5):\n    for x in {DATA}.batch(5):\n        mark()\n", 20),
        ("def f():\n    for i in range(3):\n        mark()\nfor j in range(4):\n    f()\nf()\n", 15),
        ("def f():\n    mark()\nrun(f)\n", None),
        ("def f():\n    mark()\n", None),
        ("x = [mark() for y in rows]\n", None),
    ],
)  # fmt: skip
def test_how_often_a_program_runs_a_place(build: Build, code: str, most: int | None) -> None:
    model = build(f"import itertools\nimport tensorflow as tf\n{code}")
    assert most_runs(model, expression(model, "mark()")) == most


@pytest.mark.parametrize(
    ("body", "over"),
    [
        ("while True:\n    pause()\n    mark()\n", "wait"),
        ("while True:\n    if slow:\n        pause()\n    mark()\n", "while"),
        ("while True:\n    model.load_weights(p)\n    mark()\n", "wait"),
        ("while True:\n    mark()\n    plt.savefig(p)\n", "wait"),
        ("while True:\n    for x in xs:\n        mark()\n    plt.savefig(p)\n", "while"),
        ("array = tf.TensorArray(tf.float32, 4)\n"
         "for i in range(9):\n    array = array.write(i, 1.0)\n    mark()\n", "range"),
        ("for i in range(9):\n    try:\n        mark()\n        break\n"
         "    except ValueError:\n        go()\n", "retry"),
        ("for i in range(9):\n    try:\n        mark()\n    except ValueError:\n        go()\n"
         "    else:\n        break\n", "retry"),
        ("for i in range(9):\n    try:\n        mark()\n    except ValueError:\n        go()\n",
         "range"),
        ("n = 1\nwhile n < limit:\n    mark()\n    n *= 2\n", "growth"),
        ("n = 1.0\nwhile n > 0.1:\n    mark()\n    n *= 0.99\n", "while"),
    ],
)  # fmt: skip
def test_turns_that_wait_fail_or_double(build: Build, body: str, over: str) -> None:
    head = (
        "import time\nimport matplotlib.pyplot as plt\nimport tensorflow as tf\nmodel = tf.keras.Sequential()\n"
        "def pause():\n    time.sleep(1)\n"
    )
    model = build(head + body)
    loops: list[cst.For | cst.While] = [*model.nodes(cst.While), *model.nodes(cst.For)]
    assert model.loops.info(loops[0]).over == over


@pytest.mark.parametrize(
    ("code", "of_try", "apart"),
    [
        ("if a:\n    first()\nelse:\n    second()\n", False, True),
        ("if first():\n    pass\nelse:\n    second()\n", False, False),
        ("x = first() if a else second()\n", False, True),
        ("try:\n    first()\nexcept E:\n    second()\n", False, False),
        ("try:\n    first()\nexcept E:\n    second()\n", True, True),
        ("try:\n    first()\nfinally:\n    second()\n", True, False),
        ("first()\nsecond()\n", True, False),
    ],
)
def test_places_that_exclude_each_other(build: Build, code: str, of_try: bool, apart: bool) -> None:
    model = build(code)
    places = expression(model, "first()"), expression(model, "second()")
    assert exclude(model, *places, of_try=of_try) is apart
