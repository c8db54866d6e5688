# The name is bound to something of a known shape before it is used.
import tensorflow as tf


@tf.function(jit_compile=True)
def summary(x: tf.Tensor, threshold: tf.Tensor):
    kept = tf.boolean_mask(x, x > threshold)
    kept = tf.math.top_k(kept, k=2).values
    smaller = kept[-1]
    x = tf.reshape(x, [2, 2])
    return smaller, x[-1]


smaller, row = summary(tf.constant([1.0, 5.0, 3.0, 2.0]), tf.constant(0.5))
