# A function whose only call stands below `if False` is kept for reading, and never runs.
import tensorflow as tf

kernel = tf.Variable([[1.5], [0.5]])
rows = tf.constant([[1.0, 2.0], [3.0, -1.0]])


def by_hand():
    for _ in range(200):
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.square(tf.matmul(rows, kernel)))
        kernel.assign_sub(0.1 * tape.gradient(error, kernel))


if False:
    by_hand()
value = kernel.numpy()
