"""What is said of times: of which loop, of which functions, in which words. No time is asserted."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tfxla_lint.verify.html import render
from tfxla_lint.verify.made import compiled, made_in, users_of
from tfxla_lint.verify.marks import can_be_watched, marked
from tfxla_lint.verify.pairs import Pair
from tfxla_lint.verify.reports import as_json, as_lines, time_table
from tfxla_lint.verify.speed import with_remarks
from tfxla_lint.verify.trees import Tree
from tfxla_lint.verify.turns import loops_of, turns_between
from tfxla_lint.verify.verdicts import Outcome, Timing, Verdict
from tfxla_lint.verify.worker.turned import turn_rows

from .conftest import Verify

OLD = """\
import tensorflow as tf

w = tf.Variable(tf.ones([3, 1]))
data = tf.data.Dataset.from_tensor_slices(tf.ones([32, 3])).batch(4)
for epoch in range(3):
    for x in data:
        loss = tf.reduce_mean((x @ w) ** 2)
        w.assign_sub(0.1 * loss * tf.ones_like(w))
    print(epoch, round(float(loss), 3))
"""
STEP = """\
@tf.function
def step(x):
    loss = tf.reduce_mean((x @ w) ** 2)
    w.assign_sub(0.1 * loss * tf.ones_like(w))
    return loss


"""
BODY = OLD.partition("for x in data:\n")[2].partition("    print")[0]
NEW = OLD.replace("for epoch", STEP + "for epoch").replace(BODY, "        loss = step(x)\n")


def headings(old: str, new: str, unit: str = "<module>") -> list[tuple[str, str]]:
    """Where the loops begin that are timed, in both versions."""
    trees = Tree(old), Tree(new)
    return [
        tuple(  # type: ignore[misc]
            tree.text.split("\n")[loops_of(tree, unit)[turn.path].lineno - 1].strip()
            for tree in trees
        )
        for turn in turns_between(*trees, [unit])
    ]


def test_the_loops_around_the_change_are_timed() -> None:
    both = ("for epoch in range(3):", "for x in data:")
    assert headings(OLD, NEW) == [(line, line) for line in both]


def test_a_loop_over_something_else_is_the_same_loop() -> None:
    new = NEW.replace("in data:", "in data.prefetch(1):")
    assert headings(OLD, new)[-1] == ("for x in data:", "for x in data.prefetch(1):")


def test_a_loop_that_is_gone_is_not_timed() -> None:
    new = OLD.replace("    for x in data:\n" + BODY, "    loss = run(data)\n")
    assert headings(OLD, new) == [("for epoch in range(3):",) * 2]


def test_a_loop_that_did_not_change_is_not_timed() -> None:
    tail = "for i in range(9):\n    print(i)\n"
    assert len(headings(OLD + tail, NEW + tail)) == 2


def test_loops_in_functions_are_timed() -> None:
    def inside(text: str) -> str:
        head, _, loop = text.rpartition("for epoch")
        indented = "".join(f"    {line}\n" for line in f"for epoch{loop}".splitlines())
        return f"{head}def main():\n{indented}\n\nif __name__ == '__main__':\n    main()\n"

    assert len(headings(inside(OLD), inside(NEW), "main")) == 2


@pytest.mark.parametrize("indent", ["    ", "\t"])
def test_marked_text_is_code(indent: str) -> None:
    old, new = (Tree(text.replace("    ", indent)) for text in (OLD, NEW))

    turns = turns_between(old, new, ["<module>"])
    for tree in (old, new):
        loops = [loops_of(tree, "<module>")[turn.path] for turn in turns]
        made = [f for f in tree.functions.values() if tree is new]
        text = marked(tree, [], [], [], list(enumerate(loops)), made)
        ast.parse(text)
        assert text.count("__txl_turn__") == 2
        assert text.count("__txl_made__") == len(made)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@tf.function\n", "@tf.function(jit_compile=True)\n"),
        (
            "@tf.function(\n    autograph=False,  # plain\n)\n",
            "@tf.function(autograph=False, jit_compile=True\n\n)\n",
        ),
        ("@tf.function(jit_compile=False)\n", "@tf.function(jit_compile=False)\n"),
        ("@tf.function()\n", "@tf.function(jit_compile=True)\n"),
    ],
)
def test_what_the_rewrite_made_is_compiled(before: str, after: str) -> None:
    old, new = Tree(OLD), Tree(NEW.replace("@tf.function\n", before))
    assert compiled(new, made_in(old, new)) == NEW.replace("@tf.function\n", after)


def test_what_was_there_before_is_not_compiled() -> None:
    other = "@tf.function\ndef other(x):\n    return x\n\n\n"
    old, new = (Tree(text.replace("w = ", other + "w = ", 1)) for text in (OLD, NEW))
    assert [made.name for made in made_in(old, new)] == ["step"]
    assert compiled(new, made_in(old, new)).count("jit_compile") == 1


def test_a_call_of_tf_function_is_compiled() -> None:
    text = "import tensorflow as tf\nfrom tensorflow import function as graph\n\n\ndef f(x):\n    return x\n\n\ng = f\n"
    old, new = Tree(text), Tree(text.replace("g = f", "g = graph(f)"))
    assert "g = graph(f, jit_compile=True)" in compiled(new, made_in(old, new))
    assert users_of(made_in(old, new), new, ["<module>"]) == {"<module>": []}


def test_turns_of_a_program_are_timed(verify: Verify, tmp_path: Path) -> None:
    (verdict,) = verify(OLD, NEW, measure=True, measure_xla=True)
    assert verdict.outcome.value == "equivalent"
    assert [timing.variant for timing in verdict.timings] == ["original", "rewritten", "xla"]
    assert {timing.per for timing in verdict.timings} == {"turn"}
    assert {timing.calls for timing in verdict.timings} == {18}
    original, rewritten, xla = verdict.timings
    assert (original.traces, rewritten.traces, xla.traces) == (None, 1, 1)
    assert original.first_milliseconds is None
    assert rewritten.first_milliseconds is not None
    assert xla.agrees is True


def test_turns_in_a_function_are_timed_though_the_function_could_be(verify: Verify) -> None:
    text, rest = OLD.split("for epoch")
    body = "".join(f"    {line}\n" for line in f"for epoch{rest}".splitlines())
    old = f"{text}def train():\n{body}\n\ntrain()\n"
    new = old.replace("def train", STEP + "def train").replace(
        "".join(f"    {line}\n" for line in BODY.splitlines()), "            loss = step(x)\n"
    )
    (verdict,) = verify(old, new, measure=True)
    assert [(t.per, t.calls) for t in verdict.timings] == [("turn", 18)] * 2
    assert verdict.timings[1].traces == 1


@pytest.mark.parametrize(
    ("text", "name", "is_watched"),
    [
        ("def train_step(x):\n    return x\n\n\ntrain_step(1)\n", "train_step", True),
        ("def step(x):\n    return x\n\n\nlist(map(step, [1]))\n", "step", False),
        (
            "class Net:\n    def train_step(self, x):\n        return x\n\n\nNet().train_step(1)\n",
            "Net.train_step",
            True,
        ),
        (
            "class Net(keras.Model):\n    def train_step(self, x):\n        return x\n",
            "Net.train_step",
            False,
        ),
    ],
)
def test_calls_are_timed_where_nobody_else_looks_at_the_function(
    text: str, name: str, is_watched: bool
) -> None:
    assert can_be_watched(Tree(text), name) is is_watched


def test_few_turns_leave_the_whole_run(verify: Verify) -> None:
    old, new = (
        text.replace("range(3)", "range(1)").replace("[32, 3]", "[8, 3]") for text in (OLD, NEW)
    )
    (verdict,) = verify(old, new, measure=True, measure_xla=True)
    assert [timing.per for timing in verdict.timings] == ["run"] * 3
    assert verdict.timings[2].agrees is True


def test_nothing_is_timed_where_nobody_asks(verify: Verify) -> None:
    (verdict,) = verify(OLD, NEW)
    assert {timing.per for timing in verdict.timings} <= {"run"}


def test_a_version_that_xla_cannot_compile_takes_nothing_with_it(verify: Verify) -> None:
    loss = "    return loss\n\n\n@tf"
    new = NEW.replace("    return loss\n", "    tf.strings.as_string(loss)\n    return loss\n")
    assert loss not in new
    (verdict,) = verify(OLD, new, measure=True, measure_xla=True)
    assert verdict.outcome.value == "equivalent"
    assert {t.variant: t.agrees for t in verdict.timings}.get("xla") is not True


def verdict_with(*timings: Timing, outcome: Outcome = Outcome.EQUIVALENT) -> Verdict:
    return Verdict("a.py", "step", outcome, note="run with fewer epochs", timings=timings)


def timing(variant: str, milliseconds: float, per: str = "call", **more: Any) -> Timing:
    return Timing(variant, milliseconds, per=per, **{"calls": 15, **more})


@pytest.mark.parametrize(
    ("timings", "words"),
    [
        (
            [timing("original", 0.15), timing("rewritten", 0.21)],
            "slower here: 0.21 ms a call against 0.15 ms",
        ),
        (
            [timing("original", 2.0, "turn"), timing("rewritten", 2.5, "turn")],
            "slower here: 2.5 ms a turn of the loop against 2 ms",
        ),
        ([timing("original", 0.15), timing("rewritten", 0.16)], ""),
        ([timing("original", 0.15), timing("rewritten", 0.21, calls=2)], ""),
        ([timing("original", 15, "run"), timing("rewritten", 21, "run")], ""),
        (
            [timing("rewritten", 0.372), timing("xla", 0.12, agrees=True)],
            "XLA would take 0.12 ms a call, 3.1 times faster: see TXL405",
        ),
        ([timing("rewritten", 0.372), timing("xla", 0.12, agrees=False)], ""),
        ([timing("rewritten", 0.372), timing("xla", 0.36, agrees=True)], ""),
    ],
)
def test_what_times_say_is_said_in_words(timings: list[Timing], words: str) -> None:
    verdict = verdict_with(*timings)
    expected = "; ".join(part for part in ("run with fewer epochs", words) if part)
    said = with_remarks(verdict)
    assert (said.note, said.outcome) == (expected, verdict.outcome)
    assert f"    {expected}" in list(as_lines(said))
    assert expected in render([Pair(Path("a.py"), "a.py", "x\n", "y\n")], [said])
    assert as_json([said])["verdicts"][0]["note"] == expected


def test_advice_is_kept_back_where_the_rule_speaks() -> None:
    timings = timing("rewritten", 0.372), timing("xla", 0.12, agrees=True)
    assert with_remarks(verdict_with(*timings), advises=False).note == "run with fewer epochs"


def test_nothing_is_said_of_what_differs() -> None:
    timings = timing("original", 0.1), timing("rewritten", 0.9)
    verdict = verdict_with(*timings, outcome=Outcome.DIFFERS)
    assert with_remarks(verdict) == verdict


def test_times_in_a_line() -> None:
    first, again = timing("original", 25.12, "turn"), timing("rewritten", 0.494, "turn")
    again = replace(again, first_milliseconds=661.9, traces=2)
    xla = timing("xla", 0.3, "turn", agrees=False, traces=1)
    assert time_table([first, again, xla]) == (
        "per turn of the loop: original 25.1 ms, rewritten 0.494 ms (first turn 662 ms, 2 traces),"
        " xla 0.3 ms (1 trace, computes something else)"
    )


def test_a_loop_whose_work_moved_to_another_beside_it_is_not_timed() -> None:
    collecting = "        kept.append(x)\n    for loss in steps(kept):\n        print(loss)\n"
    assert headings(OLD, OLD.replace(BODY, collecting)) == [("for epoch in range(3):",) * 2]


def test_turns_that_do_the_work_of_many_are_timed_by_their_mean() -> None:
    each = [900.0, 500.0, *[4.0] * 58]
    fused = [1500.0, *[0.1] * 9, *[10.1, *[0.1] * 9] * 5]
    old, new = turn_rows([each, fused])
    assert old is not None
    assert new is not None
    assert (old["milliseconds"], old["calls"]) == (4.0, 40)
    assert new["milliseconds"] == pytest.approx(1.1)
    assert new["first_milliseconds"] == 1500.0


def test_a_turn_that_takes_long_once_is_no_burst() -> None:
    slow = [900.0, *[4.0] * 30, 60.0, *[4.0] * 30]
    assert [row and row["milliseconds"] for row in turn_rows([slow, slow])] == [4.0, 4.0]


def test_what_is_done_in_one_turn_only_is_not_timed() -> None:
    fused = [1500.0, *[0.1] * 20, 30.0, *[0.1] * 18]
    assert turn_rows([[4.0] * 40, fused]) == [None, None]
