# What may be None is no number: as an index it makes a dimension.
import tensorflow as tf

series = tf.random.stateless_normal([40], seed=[1, 2])
table = tf.reshape(series, [20, 2])


@tf.function(reduce_retracing=True)
def spread(window):
    return tf.reduce_max(window) - tf.reduce_min(window)


found = []
for place in [None, 0]:
    part = table[place]
    for size in range(1, 9):
        found.append(spread(part[:size]))
found = tf.stack(found)
