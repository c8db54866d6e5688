# Each call passes another name of a file, a Python string: a tf.function would be traced for each of them.
import os
import tempfile

import tensorflow as tf


def load(name):
    raw = tf.io.read_file(name)
    values = tf.io.decode_raw(raw, tf.float32)
    values = tf.reshape(values, [2, 2])
    values = values - tf.reduce_mean(values)
    values = tf.clip_by_value(values, -1.0, 1.0)
    return values / 2.0


def batch(names, folder):
    rows = []
    for name in names:
        path = os.path.join(folder, name)
        rows.append(load(path))
    return tf.stack(rows)


with tempfile.TemporaryDirectory() as place:
    files = [f"part{number}" for number in range(40)]
    for number, file in enumerate(files):
        tf.io.write_file(os.path.join(place, file), tf.constant([1.0, 2.0, 3.0, number]).numpy().tobytes())
    for step in range(20):
        found = batch(files, place)
total = float(tf.reduce_sum(found))
print(total)
