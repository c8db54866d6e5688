"""A short draw of generated programs: `--fix` alone changes nothing that they print."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tools.fuzz.grammar import program
from tools.fuzz.printed import first_difference
from tools.fuzz.trial import Run, Server, difference, try_program

SEED = 3000
COUNT = 25
#: What is fixed: most programs of the draw define what a proof does not follow, such as `__iadd__`.
PROVED = """\
import tensorflow as tf

w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = w * w
print(float(y))
"""


@pytest.fixture(scope="module")
def server(tensorflow: None) -> Iterator[Server]:
    with Server() as process:
        yield process


def test_safe_fixes_keep_what_programs_print(server: Server) -> None:
    trials = [
        trial
        for seed in range(SEED, SEED + COUNT)
        for trial in try_program(server, seed, program(seed), ("safe",), None)
    ]
    assert [trial for trial in trials if trial.difference or trial.problems] == []
    (proved,) = try_program(server, 0, {"main.py": PROVED}, ("safe",), None)
    assert (bool(proved.fixed), proved.difference, proved.problems) == (True, None, [])
    assert sum(trial.failed is not None for trial in trials) <= COUNT // 10


@pytest.mark.parametrize("seed", [7145])
def test_programs_that_all_fixes_once_changed_print_the_same(seed: int, server: Server) -> None:
    (trial,) = try_program(server, seed, program(seed, rows=66), ("unsafe",), None)
    assert trial.fixed
    assert (trial.difference, trial.problems) == (None, [])


def test_a_fix_that_changes_what_is_printed_is_told() -> None:
    before = Run("ended", "loss 0.123456\nsteps 3\n")
    assert difference(before, Run("ended", "loss 0.123460\nsteps 3\n")) is None
    assert difference(before, Run("ended", "loss 0.1236\nsteps 3\n")) is not None
    assert difference(before, Run("ended", "loss 0.123456\nsteps 4\n")) is not None
    assert difference(before, Run("raised ValueError", before.output)) is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tf.Tensor(1.0, shape=(), dtype=float32)", "1.0"),
        ("nan", "0.5"),
        ("[1.0 2.0]", "[1.0 2.0 3.0]"),
        ("[1 2]", "[1 3]"),
        ("a\nb", "a"),
    ],
)
def test_other_text_is_a_difference(before: str, after: str) -> None:
    assert first_difference(before, after) is not None


def test_where_arrays_are_broken_is_no_difference() -> None:
    long = "w [1.00000001e-01 2.0\n 3.0]\nend"
    assert first_difference(long, "w [0.1 2.0 3.0]\nend") is None
    assert first_difference(long, "w [0.1 2.0 3.1]\nend") is not None
    assert first_difference("[1.0\n 2.0]", "[1.0]\n[2.0]") is not None


def test_a_program_is_the_same_for_the_same_seed() -> None:
    programs = [program(seed) for seed in range(30)]
    assert programs == [program(seed) for seed in range(30)]
    assert len({str(files) for files in programs}) == 30
