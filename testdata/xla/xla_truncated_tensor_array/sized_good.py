# The array is made with its size, or with one that all writes keep within.
import tensorflow as tf


@tf.function(jit_compile=True)
def squares(x: tf.Tensor):
    count = tf.shape(x)[0]
    out = tf.TensorArray(tf.float32, size=count)
    for i in tf.range(count):
        out = out.write(i, tf.square(x[i]))
    return out.stack()


@tf.function(jit_compile=True)
def large_enough(x: tf.Tensor):
    out = tf.TensorArray(tf.float32, size=3, dynamic_size=True)
    for i in range(3):
        out = out.write(i, x[i] + 1.0)
    return out.stack()


@tf.function(jit_compile=True)
def pair(x: tf.Tensor):
    out = tf.TensorArray(tf.float32, 2, True)
    out = out.write(0, tf.reduce_min(x))
    return out.write(1, tf.reduce_max(x)).stack()


x = tf.constant([1.0, 2.0, 3.0])
results = [squares(x), large_enough(x), pair(x)]
