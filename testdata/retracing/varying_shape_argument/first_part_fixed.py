# What a conditional expression joins, on each turn but the first, grows as it does where an `if` stands.
import tensorflow as tf

ROWS = tf.reshape(tf.cos(tf.range(24.0)), (12, 2))


@tf.function(reduce_retracing=True)
def spread(x):
    return tf.reduce_max(x) - tf.reduce_min(x)


def follow(rows):
    seen, found = None, []
    for step in range(12):
        row = rows[step : step + 1]
        seen = row if seen is None else tf.concat([seen, row], axis=0)
        found.append(spread(seen))
    return tf.stack(found)


found = follow(ROWS)
