# Rows that a loop computes and stacks: one function of a row, mapped over the tensor.
import tensorflow as tf

points = tf.reshape(tf.sin(tf.range(1500.0)), [500, 3])
centre = tf.constant([0.1, -0.2, 0.3])


def distances(points):
    # one point at a time
    def of_row(row):
        shift = row - centre
        return tf.sqrt(tf.reduce_sum(tf.square(shift)))

    return tf.vectorized_map(of_row, points)


def total(points):
    return tf.reduce_sum(
        tf.vectorized_map(lambda point: tf.reduce_sum(point) * 2.0, points)
    )


twice = total(points)
far = tf.reduce_max(distances(points))
