# Cached, looked at once, or not trained on: Python's share does not come again.
import tensorflow as tf


def load(path):
    return tf.py_function(lambda p: tf.strings.length(p), [path], tf.int32)


def scaled(row):
    return tf.cast(row, tf.float32) / 255.0


def train(model, paths, rows):
    model.fit(tf.data.Dataset.from_tensor_slices(paths).map(load).cache().batch(8))
    model.fit(tf.data.Dataset.from_tensor_slices(rows).map(scaled).batch(8))
    for length in tf.data.Dataset.from_tensor_slices(paths).map(load).batch(8).take(1):
        print(length)


def look(paths):
    for length in tf.data.Dataset.from_tensor_slices(paths).map(load).batch(8):
        print(length)
