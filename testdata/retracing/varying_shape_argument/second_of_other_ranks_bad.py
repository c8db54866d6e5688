# The rank of what stands beside an argument of changing length may change: a trace for all knows neither's.
import tensorflow as tf

series = tf.random.stateless_normal([40], seed=[1, 2])


@tf.function
def shifted(window, by):
    return tf.reduce_sum(window) + tf.reduce_max(by)


found = []
for size in range(1, 12):
    found.append(shifted(series[:size], tf.zeros([1] * (size % 3 + 1))))
found = tf.stack(found)
