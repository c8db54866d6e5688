# The loop is within a trace, where calls of traced functions are part of one graph.
import tensorflow as tf


@tf.function
def head(x):
    return tf.reduce_sum(x)


@tf.function
def sums(x):
    total = 0.0
    for i in range(1, 8):
        total += head(x[:i])
    return total


x = tf.ones([8])
for _ in range(10):
    x = x + sums(x)
