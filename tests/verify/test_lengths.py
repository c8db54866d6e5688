"""Arguments that go along with each other: one row more, a rank, pairs in lists; and refused ones."""

from __future__ import annotations

import pytest

from .conftest import Verify, is_refuted, outcomes

LIBRARY = """\
import tensorflow as tf


def advantages(rewards, dones, values):
    out, last = [None] * rewards.shape[0], tf.zeros_like(rewards[0])
    for t in reversed(range(rewards.shape[0])):
        delta = rewards[t] + 0.9 * values[t + 1] * (1.0 - dones[t]) - values[t]
        last = delta + 0.5 * (1.0 - dones[t]) * last
        out[t] = last
    return tf.stack(out)


def mask_of(lengths, maxlen=None):
    if maxlen is None:
        maxlen = int(tf.reduce_max(lengths))
    return tf.cast(tf.range(maxlen)[None, :] < lengths[:, None], tf.float32)


def best_by(x, target_net, online_net=None):
    q = target_net(x)
    if online_net is None:
        return tf.reduce_max(q, axis=1)
    return tf.gather(q, tf.argmax(online_net(x), axis=1), batch_dims=1)


def overlap(found, wanted):
    if len(found) != len(wanted):
        raise ValueError("as many found as wanted")
    hit = 0
    for f, w in zip(found, wanted):
        hit += len(set(map(tuple, f)) & set(map(tuple, w)))
    return hit
"""
SCANNED = """\
    keep = 1.0 - dones
    deltas = rewards + 0.9 * values[1:] * keep - values[:-1]
    return tf.scan(lambda last, row: row[0] + 0.5 * row[1] * last, (deltas, keep),
                   initializer=tf.zeros_like(rewards[0]), reverse=True)
"""
LOOP = LIBRARY[LIBRARY.index("    out, last") : LIBRARY.index("\n\ndef mask_of")]
MASK = LIBRARY[LIBRARY.index("    if maxlen is") : LIBRARY.index("\n\ndef best_by")]
RAISE = LIBRARY[LIBRARY.index("    if len(found)") : LIBRARY.index("    hit = 0")]
RIGHT = {
    "a row more": (LOOP, SCANNED),
    "a rank": (MASK, "    return tf.sequence_mask(lengths, maxlen, dtype=tf.float32)\n"),
    "what may be left out": (
        "    if online_net is None:\n        return tf.reduce_max(q, axis=1)\n"
        "    return tf.gather(q, tf.argmax(online_net(x), axis=1), batch_dims=1)\n",
        "    by = q if online_net is None else online_net(x)\n"
        "    return tf.gather(q, tf.argmax(by, axis=1), batch_dims=1)\n",
    ),
    "pairs in lists": (
        "    hit = 0\n    for f, w in zip(found, wanted):\n"
        "        hit += len(set(map(tuple, f)) & set(map(tuple, w)))\n    return hit\n",
        "    rows = [(set(map(tuple, f)), set(map(tuple, w))) for f, w in zip(found, wanted)]\n"
        "    return sum(len(f & w) for f, w in rows)\n",
    ),
}
WRONG = {
    "a row more": (LOOP, SCANNED.replace("values[:-1]", "values[1:]")),
    "a parameter that is lost": (
        MASK,
        "    return tf.sequence_mask(lengths, dtype=tf.float32)\n",
    ),
    "the wrong one of two": ("tf.argmax(online_net(x)", "tf.argmax(q"),
    "an exception that is lost": (RAISE, "    wanted = wanted[: len(found)]\n"),
}


@pytest.mark.parametrize("change", RIGHT.values(), ids=RIGHT)
def test_right_rewrites_are_equivalent(change: tuple[str, str], verify_of_many: Verify) -> None:
    verdicts = verify_of_many(LIBRARY, LIBRARY.replace(*change))
    assert set(outcomes(verdicts).values()) == {"equivalent"}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_wrong_rewrites_are_refuted(change: tuple[str, str], verify_of_many: Verify) -> None:
    assert is_refuted(verify_of_many(LIBRARY, LIBRARY.replace(*change)))


FILES = """\
import os
import tempfile
import tensorflow as tf


def lines_of(paths):
    return tf.data.Dataset.from_tensor_slices(paths).flat_map(tf.data.TextLineDataset)


with tempfile.TemporaryDirectory() as folder:
    paths = [os.path.join(folder, name) for name in "ab"]
    for start, path in enumerate(paths):
        with open(path, "w") as file:
            file.writelines(f"{start + i}\\n" for i in range(3))
    print(sum(int(line) for line in lines_of(paths)))
"""


@pytest.mark.parametrize(("length", "said"), [(1, "equivalent"), (2, "differs")])
def test_the_order_of_lines_of_files_that_are_gone(
    length: int, said: str, verify_of_many: Verify
) -> None:
    mixed = f"interleave(tf.data.TextLineDataset, cycle_length={length})"
    (verdict,) = verify_of_many(FILES, FILES.replace("flat_map(tf.data.TextLineDataset)", mixed))
    assert verdict.outcome.value == said


#: A pipeline and what goes through it twice, in another order each time; no batch is short.
SHUFFLED = """\
import tensorflow as tf


def pipeline(rows, size=4):
    data = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: row / 2.0)
    return data.shuffle(32, seed=5).batch(size)


def mean(data):
    count, total = 0, 0.0
    for rows in data:
        count += int(tf.shape(rows)[0])
        total += float(tf.reduce_sum(rows))
    return total / count


data = pipeline(tf.linspace(0.0, 3.0, 24) ** 2)
print("%.2f %.2f" % (mean(data), mean(data)))
"""
CHANGED_PIPELINES = {
    "a short batch that is dropped": ("batch(size)", "batch(size, drop_remainder=True)", "differs"),
    "a short batch that counts as a whole one": (
        "float(tf.reduce_sum(rows))",
        "4.0 * float(tf.reduce_mean(rows))",
        "differs",
    ),
    "a sum that is right": (
        "float(tf.reduce_sum(rows))",
        "float(tf.reduce_mean(rows)) * rows.shape[0]",
        "equivalent",
    ),
    "another way to the same": ("row / 2.0", "row * 0.5", "equivalent"),
}


@pytest.mark.parametrize("change", CHANGED_PIPELINES.values(), ids=CHANGED_PIPELINES)
def test_pipelines_are_tried_with_a_short_batch(
    change: tuple[str, str, str], verify_of_many: Verify
) -> None:
    old, new, said = change
    (verdict,) = verify_of_many(SHUFFLED, SHUFFLED.replace(old, new), power=True)
    assert verdict.outcome.value == said


MEASURES = """\
import tensorflow as tf


def iou(a, b, empty=1.0):
    results = []
    for x, y in zip(a, b):
        both, either = float(tf.reduce_sum(x * y)), float(tf.reduce_sum(tf.maximum(x, y)))
        results.append(both / either if either else empty)
    return tf.constant(results)


def share(mask, empty=0.5):
    count = float(tf.reduce_sum(tf.cast(tf.logical_not(mask), tf.float32)))
    return 1.0 - count / float(tf.size(mask)) if bool(tf.reduce_any(mask)) else empty


def gaps(points, metric="l2"):
    steps = points[:, None] - points[None]
    if metric == "l1":
        return tf.reduce_sum(tf.abs(steps), axis=-1)
    return tf.reduce_sum(steps**2, axis=-1)
"""
REWRITTEN_MEASURES = {
    "what stands for nothing": ("if either else empty", "if either else 1.0", "differs"),
    "the same for nothing": ("if either else empty", "if either != 0.0 else empty", "equivalent"),
    "what stands for nothing that is true": (
        "reduce_any(mask)) else empty",
        "size(mask)) else empty",
        "differs",
    ),
    "another word": ("tf.reduce_sum(tf.abs(steps)", "tf.reduce_max(tf.abs(steps)", "differs"),
    "a word as it was": ("tf.abs(steps), axis=-1", "abs(steps), axis=-1", "equivalent"),
}


@pytest.mark.parametrize("change", REWRITTEN_MEASURES.values(), ids=REWRITTEN_MEASURES)
def test_what_may_be_left_out_is_given_where_it_matters(
    change: tuple[str, str, str], verify_of_many: Verify
) -> None:
    old, new, said = change
    (verdict,) = verify_of_many(MEASURES, MEASURES.replace(old, new), power=True)
    assert verdict.outcome.value == said


CLEANED = """\
import tensorflow as tf


def cleaned(texts):
    return tf.strings.regex_replace(tf.strings.lower(texts), "[^a-z ]", "")


print(cleaned(tf.constant(["A cat!", "the dogs"])).numpy().tolist())
"""


def test_texts_are_tried_with_digits(verify_of_many: Verify) -> None:
    assert is_refuted(verify_of_many(CLEANED, CLEANED.replace("[^a-z ]", "[^a-z0-9 ]"), power=True))


#: It refuses a word that it does not know, and merely does not work with a number for a series.
WORDED = """\
import numpy as np
import tensorflow as tf


def level(series, way="mean"):
    x = series.numpy()
    if way == "mean":
        return tf.constant(float(sum(x)) / len(x))
    if way != "max":
        raise ValueError("unknown way: %s" % way)
    return tf.constant(float(max(x)))
"""
ASKED_FIRST = (
    '    if way not in ("mean", "max"):\n        raise ValueError("unknown way: %s" % way)\n'
    '    if way == "mean":\n        return tf.reduce_sum(series) / tf.cast(tf.shape(series)[0], tf.float32)\n'
    "    return tf.reduce_max(series)\n"
)


def test_only_what_code_itself_refuses_has_to_be_refused_alike(verify_of_many: Verify) -> None:
    right = WORDED[: WORDED.index("    x = series")] + ASKED_FIRST
    assert not is_refuted(verify_of_many(WORDED, right))
    assert is_refuted(verify_of_many(WORDED, right.replace("ValueError", "KeyError")))
