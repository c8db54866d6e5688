"""What a parameter holds is not known well enough to declare it."""

import tensorflow as tf


@tf.function
def blend(a: tf.Tensor, b, share=0.5):
    return share * a + (1.0 - share) * b


@tf.function
def total(values):
    return tf.reduce_sum(values)


result = blend(tf.ones([3]), tf.zeros([3]))
sums = [total(tf.range(5)), total(tf.ones([2, 2]))]
