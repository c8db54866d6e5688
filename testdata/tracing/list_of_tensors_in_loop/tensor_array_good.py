# The array is one already; the list beside it is filled under a test of Python's.
import tensorflow as tf


@tf.function
def squares(x, verbose):
    found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    names = []
    if verbose:
        names.append("squares")
    for value in x:
        found = found.write(found.size(), value * value)
    return found.stack(), len(names)


squares(tf.constant([1.0, 2.0]), True)
