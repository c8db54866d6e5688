# A loop of attempts: the first turn returns, unless something is raised in it.
import tensorflow as tf

kernel = tf.Variable([[0.5], [1.0]])
rows = tf.constant([[0.5, 1.0], [1.5, -2.0], [0.0, 1.0]])


def step_with_patience(attempts):
    for attempt in range(attempts):
        try:
            with tf.GradientTape() as tape:
                error = tf.reduce_sum(tf.square(tf.matmul(rows, kernel)))
            kernel.assign_sub(0.05 * tape.gradient(error, kernel))
            return attempt, float(error)
        except tf.errors.UnavailableError as error:
            print("failed", error)
    return attempts, None


result = step_with_patience(10)
