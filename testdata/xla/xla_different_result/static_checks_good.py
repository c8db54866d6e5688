# Assertions on ranks, static sizes and Python numbers are decided while tracing.
import tensorflow as tf


@tf.function(jit_compile=True)
def scaled(x: tf.Tensor, factor: float = 2.0):
    tf.debugging.assert_rank(x, 2)
    tf.debugging.assert_shapes([(x, ("N", 2))])
    tf.debugging.assert_equal(x.shape[1], 2)
    tf.debugging.assert_positive(factor)
    return x * factor


def run(x):
    tf.debugging.assert_non_negative(x)
    return scaled(x)


result = run(tf.ones([3, 2]))
