# AutoGraph takes booleans for conditions only, and a `raise` becomes an assertion.
# intent: correcting
import tensorflow as tf


@tf.function
def halve(n):
    steps = tf.constant(0)
    while n:
        n = n // 2
        steps += 1
    return steps


@tf.function
def sign(n):
    if not n:
        return tf.constant(0)
    return tf.sign(n)


@tf.function
def checked(x):
    # Nothing may be negative.
    if tf.reduce_any(x < 0.0):
        raise ValueError("negative input")
    return tf.sqrt(x)


@tf.function
def finite(x):
    if not tf.reduce_all(tf.math.is_finite(x)): raise ValueError("overflow")
    if tf.reduce_any(x > 9.0):  # Nine is the limit.
        # Nothing may be larger.
        raise ValueError("too large")  # Stop.
    return x * 2.0


@tf.function
def turned(x):
    return x if tf.size(x) % 2 else -x


steps = halve(tf.constant(9))
zero = sign(tf.constant(0))
roots = checked(tf.constant([4.0, 9.0]))
odd = turned(tf.constant([1.0, 2.0, 3.0]))
twice = finite(tf.constant([1.0, 2.0]))
