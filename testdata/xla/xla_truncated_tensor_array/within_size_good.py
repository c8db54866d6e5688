# An array that may grow, and does not: no write goes past the size with which it is made.
import tensorflow as tf


@tf.function(jit_compile=True)
def run(x):
    out = tf.TensorArray(tf.float32, size=8, dynamic_size=True, element_shape=[])
    for i in tf.range(8):
        out = out.write(i, x[i] * 2.0)
    other = tf.TensorArray(tf.float32, size=4, dynamic_size=True, element_shape=[])
    for i in range(8):
        other = other.write(i % 4, x[i])
    return out.stack(), other.stack()


@tf.function(jit_compile=True)
def as_asked(x, count):
    out = tf.TensorArray(tf.float32, size=16, dynamic_size=True, element_shape=[])
    for i in tf.range(count):
        out = out.write(i, x[i])
    return out.stack()


x = tf.range(8.0)
run(x)
as_asked(x, tf.constant(8))
