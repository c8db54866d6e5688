# The counter has the value of the last turn once: what stands below that test runs once.
import tensorflow as tf

kernel = tf.Variable([[0.6], [0.1]])
rows = tf.random.stateless_normal([8, 2], [5, 2])
ROUNDS = 60


@tf.function
def improve(rows):
    kernel.assign_sub(0.02 * tf.matmul(rows, tf.matmul(rows, kernel) + 0.5, transpose_a=True))


summary = None
for index in range(ROUNDS):
    improve(rows)
    if index + 1 == ROUNDS:
        with tf.GradientTape() as tape:
            tape.watch(rows)
            error = tf.reduce_mean(tf.square(tf.matmul(rows, kernel) + 0.5))
        slopes = tape.gradient(error, rows)
        summary = (float(tf.norm(slopes)), float(tf.reduce_max(slopes)))
