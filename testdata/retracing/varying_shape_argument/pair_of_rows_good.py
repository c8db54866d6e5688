# What a conditional expression joins with the row before it alone has one size from the second turn on.
import tensorflow as tf

ROWS = tf.reshape(tf.cos(tf.range(24.0)), (12, 2))


@tf.function
def spread(x):
    return tf.reduce_max(x) - tf.reduce_min(x)


def follow(rows):
    last, found = None, []
    for step in range(12):
        row = rows[step : step + 1]
        pair = tf.concat([row, row], axis=0) if last is None else tf.concat([last, row], axis=0)
        last = row
        found.append(spread(pair))
    return tf.stack(found)


found = follow(ROWS)
