# Each argument has one rank, whichever list its members are of: one trace serves all.
import tensorflow as tf

series = tf.random.stateless_normal([40], seed=[1, 2])
parts = [series, 2.0 * series, tf.square(series)]


@tf.function(reduce_retracing=True)
def shifted(window, by):
    return tf.nn.softmax(window + by, axis=0)


found = []
for part in parts:
    for size in range(2, 9):
        found.append(tf.reduce_sum(shifted(part[:size], part[0])))
found = tf.stack(found)
