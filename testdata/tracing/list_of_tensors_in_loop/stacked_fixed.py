# A list filled in a graph loop becomes a TensorArray, sized by the loop where that is known.
# intent: correcting
import tensorflow as tf


@tf.function
def squares(n):
    found = tf.TensorArray(tf.int32, size=n)
    for i in tf.range(n):
        found = found.write(i, i * i)
    return found.stack()


@tf.function
def halves(limit):
    steps = tf.TensorArray(tf.float32, size=0, dynamic_size=True)  # Each step on the way down.
    value = tf.constant(8.0)
    while value > limit:
        steps = steps.write(steps.size(), value)
        value = value / 2.0
    return steps.stack()


@tf.function
def outer(x):
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for value in x:
        scaled = x * value
        rows = rows.write(rows.size(), scaled)
    return tf.experimental.numpy.moveaxis(rows.stack(), 0, 1)


@tf.function(jit_compile=True)
def compiled(x):
    rows = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        rows = rows.write(i, x[i] * 2.0)
    return rows.stack()


first = squares(tf.constant(4))
second = halves(tf.constant(0.9))
third = outer(tf.constant([1.0, 2.0]))
fourth = compiled(tf.constant([1.0, 2.0, 3.0]))
