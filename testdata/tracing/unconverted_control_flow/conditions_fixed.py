# AutoGraph takes booleans for conditions only, and a `raise` becomes an assertion.
# intent: correcting
import tensorflow as tf


@tf.function
def halve(n):
    steps = tf.constant(0)
    while n != 0:
        n = n // 2
        steps += 1
    return steps


@tf.function
def sign(n):
    if n == 0:
        return tf.constant(0)
    return tf.sign(n)


@tf.function
def checked(x):
    # Nothing may be negative.
    tf.debugging.assert_equal(tf.reduce_any(x < 0.0), False, "negative input")
    return tf.sqrt(x)


@tf.function
def finite(x):
    tf.debugging.assert_equal(tf.reduce_all(tf.math.is_finite(x)), True, "overflow")
    # Nine is the limit.
    # Nothing may be larger.
    tf.debugging.assert_equal(tf.reduce_any(x > 9.0), False, "too large")  # Stop.
    return x * 2.0


@tf.function
def turned(x):
    return x if tf.size(x) % 2 != 0 else -x


steps = halve(tf.constant(9))
zero = sign(tf.constant(0))
roots = checked(tf.constant([4.0, 9.0]))
odd = turned(tf.constant([1.0, 2.0, 3.0]))
twice = finite(tf.constant([1.0, 2.0]))
