"""A difference that files make together is reported, whichever of them runs what."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.verify.git import changed_pairs
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verdicts import Verdict, status_of
from tfxla_lint.verify.verifier import Verifier

#: Nobody can call `scale` without the object that the program makes.
LIBRARY = """\
import tensorflow as tf


def scaled(holder):
    return holder.weights * 2.0


def counted(x):
    return x + 1.0
"""
TRAIN = """\
import types

import tensorflow as tf
from library import scaled

holder = types.SimpleNamespace(weights=tf.Variable([1.0, 2.0]))


def step(holder):
    holder.weights.assign_sub(0.1 * scaled(holder))


for _ in range(3):
    step(holder)
final = holder.weights.numpy()
"""
COUNTER = """\
import tensorflow as tf

steps = tf.Variable(0)


def number():
    steps.assign_add(1)
    return tf.cast(steps, tf.float32)
"""
COUNTER_IN_PYTHON = COUNTER.replace("tf.Variable(0)", "0").replace(
    "    steps.assign_add(1)\n", "    global steps\n    steps += 1\n"
)
USER = """\
import tensorflow as tf
from counter import number


def step(x):
    return tf.identity(x * number())


if __name__ == "__main__":
    for _ in range(3):
        print(float(step(tf.constant(1.0))))
"""


def verdicts_on(
    folder: Path, worker: Worker, old: dict[str, str], new: dict[str, str]
) -> list[Verdict]:
    """The verdicts on files that changed together, as `verify --git` asks for them."""
    for name, text in new.items():
        (folder / name).write_text(text)
    both = tuple({str(folder / n): t for n, t in side.items()} for side in (old, new))
    pairs = [Pair(folder / n, n, old[n], new[n], (both[0], both[1])) for n in old]
    return Verifier(worker, Options(Limits(), measure=False)).verify_all(pairs)


def told(verdicts: list[Verdict]) -> dict[tuple[str, str], str]:
    return {(v.path, v.unit): v.outcome.value for v in verdicts}


def test_the_file_that_no_program_of_its_own_runs_is_blamed(tmp_path: Path, worker: Worker) -> None:
    old = {"library.py": LIBRARY, "train.py": TRAIN}
    new = {
        "library.py": LIBRARY.replace("* 2.0", "* 2.5"),
        "train.py": TRAIN.replace("0.1 * scaled(holder)", "scaled(holder) * 0.1"),
    }
    verdicts = verdicts_on(tmp_path, worker, old, new)
    assert told(verdicts) == {
        ("library.py", "scaled"): "differs",
        ("train.py", "step"): "equivalent",
    }
    assert status_of(verdicts) == 1


def test_changes_that_only_differ_together_are_not_lost(tmp_path: Path, worker: Worker) -> None:
    old = {"counter.py": COUNTER, "user.py": USER}
    new = {
        "counter.py": COUNTER_IN_PYTHON,
        "user.py": USER.replace("def step", "@tf.function\ndef step"),
    }
    verdicts = verdicts_on(tmp_path, worker, old, new)
    assert told(verdicts)["user.py", "<module>"] == "differs", verdicts
    assert verdicts[-1].note.startswith("the changes of several files differ together")
    assert told(verdicts)["user.py", "step"] == "equivalent"
    assert status_of(verdicts) == 1


def test_right_changes_of_several_files_are_equivalent(tmp_path: Path, worker: Worker) -> None:
    old = {"counter.py": COUNTER, "user.py": USER}
    new = {
        "counter.py": COUNTER.replace("steps, tf.float32", "1 * steps, tf.float32"),
        "user.py": USER.replace("def step", "@tf.function\ndef step"),
    }
    verdicts = verdicts_on(tmp_path, worker, old, new)
    assert set(told(verdicts).values()) == {"equivalent"}, verdicts


def test_what_a_file_names_no_more_is_no_difference(tmp_path: Path, worker: Worker) -> None:
    named = TRAIN.replace("\nholder", "\nRATE = 0.1\nholder", 1).replace("0.1 * s", "RATE * s")
    old = {"library.py": LIBRARY, "train.py": named}
    new = {
        "library.py": LIBRARY.replace("holder.weights * 2.0", "2.0 * holder.weights"),
        "train.py": TRAIN,
    }
    verdicts = verdicts_on(tmp_path, worker, old, new)
    assert "differs" not in told(verdicts).values(), verdicts
    assert told(verdicts)["library.py", "scaled"] == "equivalent"


#: What the library weighs by becomes a parameter that the program's step passes.
WEIGHED = """\
import tensorflow as tf

WEIGHT = 0.5


def weighed(holder):
    return WEIGHT * holder.weights
"""
WEIGHING = """\
import types

import tensorflow as tf
import library

holder = types.SimpleNamespace(weights=tf.Variable([1.0, 2.0]))


def step(holder):
    holder.weights.assign_sub(0.1 * library.weighed(holder))


for i in range(4):
    if i == 2:
        library.WEIGHT = 2.0
    step(holder)
print(holder.weights.numpy())
"""


def test_a_program_beside_it_runs_what_takes_other_parameters(
    tmp_path: Path, worker: Worker
) -> None:
    old = {"library.py": WEIGHED, "train.py": WEIGHING}
    new = {
        "library.py": WEIGHED.replace("weighed(holder)", "weighed(holder, weight)").replace(
            "return WEIGHT", "return weight"
        ),
        "train.py": WEIGHING.replace("weighed(holder)", "weighed(holder, weight)")
        .replace("def step(holder)", "@tf.function\ndef run(weight)")
        .replace("    step(holder)", "    run(tf.constant(library.WEIGHT))"),
    }
    new["train.py"] += "\n\ndef step(holder):\n    run(tf.constant(library.WEIGHT))\n"
    verdicts = verdicts_on(tmp_path, worker, old, new)
    assert told(verdicts)["library.py", "weighed"] == "equivalent", verdicts
    assert "as train.py runs it" in [v.note for v in verdicts if v.path == "library.py"]
    new["train.py"] = new["train.py"].replace("run(tf.constant(library.WEIGHT))", "run(0.5)")
    assert status_of(verdicts_on(tmp_path, worker, old, new)) == 1


def test_a_file_that_was_moved_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    (tmp_path / "old.py").write_text(LIBRARY)
    (tmp_path / "same.py").write_text(TRAIN)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True)
    (tmp_path / "old.py").unlink()
    (tmp_path / "new.py").write_text(LIBRARY.replace("2.0", "2.5"))
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    (pair,) = changed_pairs("HEAD", [])
    assert (pair.shown, "2.0" in pair.original, "2.5" in pair.rewritten) == ("new.py", True, True)


#: A program that did not change, and that reads what lies beside it.
READER = """\
import numpy as np
import tensorflow as tf
from steps import step

weights = tf.Variable([1.0, 2.0])
for row in np.loadtxt("data/rows.txt"):
    step(types_of(weights), tf.constant(row, tf.float32))
print(weights.numpy())
""".replace("types_of(weights)", "Holder(weights)").replace(
    "\nweights =",
    "\n\nclass Holder:\n    def __init__(self, weights):\n        self.kept = weights\n\n\nweights =",
)
STEPS = """\
import tensorflow as tf


def step(holder, row):
    holder.kept.assign_sub(0.1 * row * holder.kept)
"""


@pytest.mark.parametrize(
    ("factor", "outcome"), [("row * 0.1", "equivalent"), ("0.2 * row", "differs")]
)
def test_a_program_that_did_not_change_runs_what_it_imports(
    tmp_path: Path, worker: Worker, factor: str, outcome: str
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "rows.txt").write_text("1.0 0.5\n0.25 2.0\n")
    (tmp_path / "main.py").write_text(READER)
    new = STEPS.replace("0.1 * row", factor)
    verdicts = verdicts_on(tmp_path, worker, {"steps.py": STEPS}, {"steps.py": new})
    assert told(verdicts) == {("steps.py", "step"): outcome}, verdicts
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "main.py", "steps.py"]


SCAN = """\
import tensorflow as tf


class Scan:
    def __init__(self):
        self.w = tf.Variable([1.0, -2.0])

    def __call__(self, rows):
        state = tf.zeros([rows.shape[0], 2])
        for t in range(rows.shape[1]):
            state = 0.5 * state + rows[:, t] * self.w
        return state
"""
RUN = """\
import tensorflow as tf
from scan import Scan


def main():
    scan = Scan()

    def step(rows):
        return tf.reduce_sum(scan(rows))

    for turn in range(3):
        print(float(step(tf.fill([2 + turn, 4, 2], 0.1 * turn))))


main()
"""


def test_what_an_object_is_called_by_is_converted_in_a_trace(
    tmp_path: Path, worker: Worker
) -> None:
    signature = "input_signature=[tf.TensorSpec([None, None, 2])]"
    old = {"scan.py": SCAN, "run.py": RUN}
    new = {
        "scan.py": SCAN.replace("rows.shape[0]", "tf.shape(rows)[0]").replace(
            "in range(rows.shape[1])", "in tf.range(tf.shape(rows)[1])"
        ),
        "run.py": RUN.replace("    def step", f"    @tf.function({signature})\n    def step"),
    }
    assert set(told(verdicts_on(tmp_path, worker, old, new)).values()) == {"equivalent"}


def test_what_is_quoted_is_what_the_two_real_versions_give(tmp_path: Path, worker: Worker) -> None:
    old = {"library.py": LIBRARY, "train.py": TRAIN}
    new = {
        "library.py": LIBRARY.replace("* 2.0", "* 2.5"),
        "train.py": TRAIN.replace("0.1 * scaled(holder)", "0.2 * scaled(holder)"),
    }
    verdicts = verdicts_on(tmp_path, worker, old, new)
    assert told(verdicts)["train.py", "step"] == "differs"
    shown = [row for v in verdicts for row in v.evidence if row.path.startswith("final")]
    assert shown
    # With the library as it was the step alone would give 0.216.
    assert {row.after[:5] for row in shown} == {"0.125"}, shown


#: Alone each file fails, or differs elsewhere than both do together.
HALF = {"library.py": "def half(x):\n    return [x / 2.0]\n"}
HALVING = """\
import tensorflow as tf
from library import half

first = 1.0


def twice(x):
    return tf.stack(half(x)) + 0.5


for turn in range(3):
    first = float(twice(tf.constant(first))[0])
    print(first)
"""


def test_what_fails_without_the_others_is_not_to_blame(tmp_path: Path, worker: Worker) -> None:
    old = {**HALF, "train.py": HALVING}
    new = {
        "library.py": HALF["library.py"].replace("[x / 2.0]", "x / 4.0"),
        "train.py": HALVING.replace("tf.stack(half(x))", "half(x)[None]"),
    }
    verdicts = verdicts_on(tmp_path, worker, old, new)
    assert "differs" in told(verdicts).values()
    after = [row.after for v in verdicts for row in v.evidence]
    assert after
    assert not any("Error" in text for text in after), after
