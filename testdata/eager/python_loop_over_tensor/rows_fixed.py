# A comprehension over rows, by index or by member, is a map over a tensor of known size.
import tensorflow as tf

points = tf.reshape(tf.range(1800.0), [600, 3]) / 600.0
centre = tf.constant([0.5, 1.0, 1.5])


def spread():
    cloud = tf.ones([400, 2, 2], tf.float32)
    return tf.vectorized_map(lambda row: tf.reduce_sum(row, axis=0) + row[0], cloud)


lengths = tf.vectorized_map(
    lambda point: tf.sqrt(tf.reduce_sum(tf.square(point - centre))), points
)
spreads = spread()
