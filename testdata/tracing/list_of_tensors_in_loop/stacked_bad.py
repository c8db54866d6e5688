# A list filled in a graph loop becomes a TensorArray, sized by the loop where that is known.
# intent: correcting
import tensorflow as tf


@tf.function
def squares(n):
    found = []
    for i in tf.range(n):
        found.append(i * i)
    return tf.stack(found)


@tf.function
def halves(limit):
    steps = []  # Each step on the way down.
    value = tf.constant(8.0)
    while value > limit:
        steps.append(value)
        value = value / 2.0
    return tf.stack(steps)


@tf.function
def outer(x):
    rows = []
    for value in x:
        scaled = x * value
        rows.append(scaled)
    return tf.stack(rows, axis=1)


@tf.function(jit_compile=True)
def compiled(x):
    rows = []
    for i in tf.range(3):
        rows.append(x[i] * 2.0)
    return tf.stack(rows)


first = squares(tf.constant(4))
second = halves(tf.constant(0.9))
third = outer(tf.constant([1.0, 2.0]))
fourth = compiled(tf.constant([1.0, 2.0, 3.0]))
