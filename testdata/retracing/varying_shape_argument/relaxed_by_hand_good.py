# Someone relaxed it, and takes a trace of no rank into account.
import tensorflow as tf

series = tf.random.stateless_normal([40], seed=[1, 2])


@tf.function(reduce_retracing=True)
def spread(window):
    flat = tf.reshape(window, [-1])
    return tf.reduce_max(flat) - tf.reduce_min(flat)


found = []
for data in [series, tf.reshape(series, [20, 2])]:
    for size in range(2, 12):
        found.append(spread(data[:size]))
found = tf.stack(found)
