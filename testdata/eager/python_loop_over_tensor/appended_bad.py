# Rows that a loop computes and stacks: one function of a row, mapped over the tensor.
import tensorflow as tf

points = tf.reshape(tf.sin(tf.range(1500.0)), [500, 3])
centre = tf.constant([0.1, -0.2, 0.3])


def distances(points):
    # one point at a time
    found = []
    for i in range(500):
        shift = points[i] - centre
        found.append(tf.sqrt(tf.reduce_sum(tf.square(shift))))
    return tf.stack(found)


def total(points):
    sums = []
    for point in points:
        sums.append(tf.reduce_sum(point) * 2.0)
    return tf.reduce_sum(tf.stack(sums))


twice = total(points)
far = tf.reduce_max(distances(points))
