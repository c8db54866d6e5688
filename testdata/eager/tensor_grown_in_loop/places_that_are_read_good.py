# Which place a turn sets depends on those that are set already; another loop turns three times.
import tensorflow as tf


def matched(distances):
    taken = tf.zeros([40])
    for row in range(40):
        nearest = tf.argmin(distances[row] + 1e9 * taken)
        taken = tf.tensor_scatter_nd_update(taken, [[nearest]], [1.0])
    return taken


def corners(image):
    for row, column in [(0, 0), (0, 27), (27, 0)]:
        image = tf.tensor_scatter_nd_update(image, [[row, column]], [1.0])
    return image


@tf.function
def diagonal(image):
    for place in range(28):
        image = tf.tensor_scatter_nd_update(image, [[place, place]], [1.0])
    return image


taken = matched(tf.random.stateless_uniform([40, 40], seed=[1, 2]))
image = diagonal(corners(tf.zeros([28, 28])))
total = tf.reduce_sum(taken) + tf.reduce_sum(image)
