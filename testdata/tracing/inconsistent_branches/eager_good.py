# Eager code, and tests that Python decides, may bind a name on one side only.
import tensorflow as tf


def chosen(x):
    if tf.reduce_sum(x) > 0.0:
        sign = tf.constant(1)
    total = 0
    for value in x:
        total += value
        x = tf.concat([x, [value]], 0)
    return sign, total


@tf.function
def by_python(x, negate):
    if negate:
        y = -x
    if not negate:
        return x
    return y


values = tf.constant([0.5, 1.5])
chosen(values)
by_python(values, True)
