"""Clusters by Lloyd's algorithm, as plain functions over tensors."""
import tensorflow as tf

PASSES = 30
K = 8
tf.random.set_seed(3)


def assign(points, centres):
    squared = (tf.reduce_sum(points ** 2, 1, keepdims=True)
               - 2 * tf.matmul(points, centres, transpose_b=True)
               + tf.reduce_sum(centres ** 2, 1))
    return tf.argmin(squared, axis=1)


def move(points, nearest):
    sums = tf.math.unsorted_segment_sum(points, nearest, K)
    sizes = tf.math.unsorted_segment_sum(tf.ones_like(points[:, :1]), nearest, K)
    return sums / tf.maximum(sizes, 1.0)


@tf.function
def lloyd(points, centres):
    nearest = assign(points, centres)
    return move(points, nearest)


points = tf.random.normal([1000, 5])
centres = points[:K]
for _ in range(PASSES):
    centres = lloyd(points, centres)
print(centres.numpy().mean())
