# The switch is turned back on the same path, around a comparison that wants it.
import tensorflow as tf


@tf.function
def double(x):
    return 2.0 * x


def eager_and_traced(x):
    tf.config.run_functions_eagerly(True)
    eager = double(x)
    tf.config.run_functions_eagerly(False)
    return eager, double(x)


pair = eager_and_traced(tf.constant(2.0))
