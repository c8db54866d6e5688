# A call over several lines gets its name in front, and keeps layout and comment.
# intent: correcting
import tensorflow as tf


@tf.function
def pairs(x):
    rows = tf.TensorArray(tf.float32, size=2)
    for i in tf.range(2):
        rows = rows.write(
            i,
            [x, tf.cast(i, tf.float32)],
        )  # Both.
    return rows.stack()


result = pairs(tf.constant(5.0))
