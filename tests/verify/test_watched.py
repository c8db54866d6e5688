"""What a program leaves behind is compared wherever it is: locals, objects, files, tables, digits."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Verify, is_refuted, outcomes

PROGRAM = """\
import json
import os
import tempfile

import numpy as np
import tensorflow as tf


class Ema:
    def __init__(self, w):
        self.shadow = tf.Variable(w, trainable=False)
        self.count = 0

    def update(self, w):
        self.shadow.assign_sub(1e-3 * (self.shadow - w))
        self.count += 1


def text_ids(words, table):
    table.insert(words, tf.strings.length(words))
    return tf.size(words)


def note(log, value):
    log.append(value)


def rows(n):
    return tf.data.Dataset.range(n).map(lambda x: x * 2).batch(2)


def save(w, folder):
    np.save("weights.npy", w.numpy())
    tf.train.Checkpoint(w=w).write("run/checkpoint-1")
    with open(os.path.join(folder, "log.json"), "w") as file:
        json.dump({"norm": float(tf.norm(w)), "steps": 3}, file)
    with tf.summary.create_file_writer("logs").as_default():
        tf.summary.scalar("norm", tf.norm(w), step=3)


def main():
    w = tf.Variable([1.0, -2.0])
    slow = tf.Variable([5.0, 5.0])
    ema = Ema(w)
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int32, 0)
    log = []
    for i in range(3):
        w.assign_sub([0.1, 0.2])
        slow.assign_add(1e-3 * w)
        ema.update(w)
        note(log, 0.5 * i)
    count = text_ids(tf.constant(["a", "bcd"]), table)
    total = sum(int(tf.reduce_sum(x)) for x in rows(4))
    save(w, tempfile.mkdtemp())
    print("%.0f" % float(tf.reduce_sum(slow)), int(count), total)


main()
"""
WRONG = {
    "a slow update": ("1e-3 * w)", "1.1e-3 * w)"),
    "a slow average": ("1e-3 * (self", "1.2e-3 * (self"),
    "a count of an object": ("self.count += 1", "self.count += 2"),
    "a count that a graph freezes": ("    def update(", "    @tf.function\n    def update("),
    "a table": ("table.insert(words, tf.strings.length(words))", "table.insert(words, [1, 2])"),
    "a list that is passed": ("log.append(value)", "log.append(value + 1)"),
    "the order of elements": ("lambda x: x * 2).batch(2)", "lambda x: 6 - x * 2).batch(2)"),
    "an array file": ("w.numpy())", "w.numpy() + 1e-2)"),
    "a checkpoint": ("Checkpoint(w=w)", "Checkpoint(w=tf.Variable(w * 1.01))"),
    "a JSON file elsewhere": ('"steps": 3', '"steps": 4'),
    "a summary": ('"norm", tf.norm(w), step', '"norm", 2 * tf.norm(w), step'),
    "a file that is missing": ('    np.save("weights.npy", w.numpy())\n', ""),
    "digits that are not printed": (
        "float(tf.reduce_sum(slow))",
        "float(tf.reduce_sum(slow)) + 0.01",
    ),
}
RIGHT = {
    "a step in a graph": ("def text_ids(", "@tf.function\ndef text_ids("),
    "another formula": (
        "assign_sub(1e-3 * (self.shadow - w))",
        "assign(0.999 * self.shadow + 1e-3 * w)",
    ),
    "another pipeline": ("range(n).map(lambda x: x * 2).batch(2)", "range(0, 2 * n, 2).batch(2)"),
    "another way to save": ('np.save("weights.npy", w.numpy())', 'np.save("weights", np.array(w))'),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_what_changed_is_seen(change: tuple[str, str], verify: Verify) -> None:
    assert is_refuted(verify(PROGRAM, PROGRAM.replace(*change)))


@pytest.mark.parametrize("change", RIGHT.values(), ids=RIGHT)
def test_what_computes_the_same_is_equivalent(change: tuple[str, str], verify: Verify) -> None:
    verdicts = verify(PROGRAM, PROGRAM.replace(*change))
    assert set(outcomes(verdicts).values()) == {"equivalent"}


def test_packages_that_only_draw_are_done_without_and_named(verify: Verify) -> None:
    old = """\
import tensorflow as tf
import wandb
from tqdm import tqdm

w = tf.Variable(1.0)
for x in tqdm([1.0, 2.0, 3.0]):
    w.assign_sub(0.1 * x)
    wandb.log({"w": float(w)})
"""
    (verdict,) = verify(old, old.replace("0.1 * x", "x * 0.1"))
    assert verdict.outcome.value == "equivalent"
    assert "run without packages that are not installed: " in verdict.note
    assert "wandb" in verdict.note
    assert is_refuted(verify(old, old.replace("0.1 * x", "0.2 * x")))


def test_a_version_that_a_script_asks_for_is_the_reason(verify: Verify) -> None:
    old = """\
import tensorflow as tf

assert tf.__version__.startswith("2.3."), ""
print(float(tf.reduce_sum([1.0, 2.0])))
"""
    (verdict,) = verify(old, old.replace("[1.0, 2.0]", "[2.0, 1.0]"))
    assert verdict.outcome.value == "not checked"
    assert "line 3: assert tf.__version__.startswith" in verdict.reason


def test_a_lost_update_that_is_too_small_to_be_seen_is_not_checked(verify: Verify) -> None:
    old = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0])


def step():
    w.assign_add([1e-12, 1e-12])
    return tf.reduce_sum(w)


print(float(step()))
"""
    (verdict,) = verify(old, old.replace("    w.assign_add([1e-12, 1e-12])\n", ""))
    assert verdict.outcome.value == "not checked"
    assert verdict.reason == "nothing that line 7 of the original does was seen, which is gone"


def test_changes_are_seen_against_how_things_stood_when_changed_code_began(verify: Verify) -> None:
    old = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.set_weights([tf.constant([[3.0], [4.0]]), tf.zeros([1])])
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones([1, 2])) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    for v, g in zip(model.trainable_variables, gradients):
        v.assign_sub(0.01 * g)
"""
    new = old.replace(
        "for i in",
        "@tf.function\ndef step():\n    with tf.GradientTape() as tape:\n        loss = tf.reduce_sum(model(tf.ones([1, 2])) ** 2)\n    return tape.gradient(loss, model.trainable_variables)\n\n\nfor i in",
    )
    begin, end = new.rindex("    with tf"), new.rindex("    for v")
    new = f"{new[:begin]}    gradients = step()\n{new[end:]}"
    (verdict,) = verify(old, new)
    assert verdict.outcome.value == "equivalent"
    assert is_refuted(verify(old, new.replace("0.01 * g", "0.011 * g")))


def test_a_signature_that_takes_one_size_only_is_no_difference(verify: Verify) -> None:
    old = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0])


def step(x):
    w.assign_sub(0.1 * tf.reduce_mean(x, axis=0))
    return tf.reduce_sum(w)


for i in range(3):
    print(float(step(tf.ones([4, 2]) * float(i))))
"""
    signature = "@tf.function(input_signature=[tf.TensorSpec([4, 2], tf.float32)])\ndef step"
    (verdict,) = verify(old, old.replace("def step", signature), power=True)
    assert verdict.outcome.value == "equivalent"


TEXTS = """\
import collections

import tensorflow as tf


def counted(texts):
    counts = collections.Counter()
    for text in texts:
        for word in text.split():
            counts[word] += 1
    return sorted(word for word in counts if counts[word] > 1)


def batches(rows):
    def generate():
        for text, label in rows:
            yield [len(word) for word in text.split()], label

    signature = (tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.float32))
    return tf.data.Dataset.from_generator(generate, output_signature=signature).padded_batch(2)


rows = [("a bc a", 1.0), ("bc def", 0.0), ("def g", 1.0)]
print(counted(text for text, _ in rows))
for lengths, labels in batches(rows):
    print(lengths, labels)
"""
WITHOUT_GENERATORS = (
    TEXTS[: TEXTS.index("    counts = ")]
    + """\
    counts = collections.Counter(word for text in texts for word in text.split())
    return sorted(word for word in counts if counts[word] > 1)


def batches(rows):
    if not rows:
        return tf.data.Dataset.from_tensors((tf.zeros([0, 0], tf.int32), tf.zeros([0]))).take(0)
    texts, labels = zip(*rows)
    lengths = tf.strings.length(tf.strings.split(list(texts)))
    data = tf.data.Dataset.from_tensor_slices((lengths, tf.constant(labels)))
    return data.map(lambda row, label: (row, label)).padded_batch(2)
"""
    + TEXTS[TEXTS.index("\n\nrows = ") :]
)


def test_functions_that_define_generators_are_called_again_with_empty_lists(verify: Verify) -> None:
    assert outcomes(verify(TEXTS, WITHOUT_GENERATORS, power=True)) == {
        "counted": "equivalent",
        "batches": "equivalent",
    }
    wrong = WITHOUT_GENERATORS.replace(".take(0)", ".take(1)")
    assert outcomes(verify(TEXTS, wrong, power=True))["batches"] == "differs"


def test_calls_that_are_made_to_be_timed_are_none_of_the_program(
    tensorflow: None, tmp_path: Path
) -> None:
    from tfxla_lint.verify.worker.sides import Side, run_script

    text = (
        '@__txl_boundary__("inner")\ndef inner(x):\n    return x + 1\n\n\n'
        '@__txl_boundary__("outer")\ndef outer(x):\n    return inner(x) + inner(x)\n\n\nouter(1)\n'
    )
    job = {"path": str(tmp_path / "m.py"), "folder": str(tmp_path)}
    snapshot = run_script(Side(job, {"label": "original", "source": text}, eager=False))
    assert snapshot.times["outer"]["calls"] > 1
    assert {name: len(rows) for name, rows in snapshot.calls.items()} == snapshot.hits
