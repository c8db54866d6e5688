# Without XLA, an index or a size of any value runs in one trace.
import tensorflow as tf


@tf.function(reduce_retracing=True)
def total(x):
    return tf.reduce_sum(x)


@tf.function
def at(x, n):
    return x[n], tf.zeros([n]), x[tf.argmax(x)]


values = tf.linspace(0.0, 1.0, 10)
totals = []
for step in range(1, 10):
    totals.append(total(values[:step]))
    last = at(values, tf.constant(step))
