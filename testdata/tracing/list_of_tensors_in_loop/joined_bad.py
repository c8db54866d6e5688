# Parts joined along the first axis: `TensorArray.concat` gives what `tf.concat` would.
# intent: correcting
import tensorflow as tf


@tf.function
def rotations(x, count):
    parts = []
    for turn in tf.range(count):
        parts.append(tf.roll(x, turn, axis=0) * 2.0)
    return tf.concat(parts, axis=0)


@tf.function
def powers(x, limit):
    rows = []
    while tf.reduce_max(x) < limit:
        x = x * x
        rows.append(x)
    return tf.concat(rows, 0)


first = rotations(tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant(4))
second = powers(tf.constant([1.5, 2.0]), tf.constant(100.0))
