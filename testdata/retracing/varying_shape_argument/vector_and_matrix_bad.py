# A vector and a matrix come to one call: a trace for both knows no rank.
import tensorflow as tf

series = tf.random.stateless_normal([40], seed=[1, 2])


@tf.function
def spread(window):
    return tf.reduce_max(window) - tf.reduce_min(window)


def widened(data):
    found = []
    for size in range(2, 12):
        found.append(spread(data[:size]))
    return tf.stack(found)


found = widened(series)
others = widened(tf.reshape(series, [20, 2]))
