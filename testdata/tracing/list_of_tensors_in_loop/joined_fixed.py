# Parts joined along the first axis: `TensorArray.concat` gives what `tf.concat` would.
# intent: correcting
import tensorflow as tf


@tf.function
def rotations(x, count):
    parts = tf.TensorArray(tf.float32, size=count)
    for turn in tf.range(count):
        parts = parts.write(turn, tf.roll(x, turn, axis=0) * 2.0)
    return parts.concat()


@tf.function
def powers(x, limit):
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    while tf.reduce_max(x) < limit:
        x = x * x
        rows = rows.write(rows.size(), x)
    return rows.concat()


first = rotations(tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant(4))
second = powers(tf.constant([1.5, 2.0]), tf.constant(100.0))
