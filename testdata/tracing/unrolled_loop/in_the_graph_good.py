# Loops over `tf.range`, tensors and datasets turn in the graph.
import tensorflow as tf


@tf.function
def decay(x, n):
    for _ in tf.range(5000):
        x = x * 0.999 + 0.001
    for _ in range(n):
        x = x * 0.999
    for _ in tf.data.Dataset.range(5000):
        x = x * 0.999
    return x


decay(tf.constant([1.0, 2.0]), tf.constant(5000))
