# The only call of the function stands below a test that one turn in all passes.
import tensorflow as tf

kernel = tf.Variable([[0.2], [0.9]])
rows = tf.random.stateless_normal([8, 2], [9, 3])
LENGTH = 40
found = []


def inspected(rows):
    with tf.GradientTape() as tape:
        tape.watch(rows)
        error = tf.reduce_mean(tf.abs(tf.matmul(rows, kernel) - 1.0))
    slopes = tape.gradient(error, rows)
    found.append((float(tf.norm(slopes)), float(tf.reduce_max(slopes))))


@tf.function
def improve(rows):
    kernel.assign_sub(0.02 * tf.matmul(rows, tf.matmul(rows, kernel) - 1.0, transpose_a=True))


for place in range(LENGTH):
    improve(rows)
    if place == LENGTH - 1:
        inspected(rows)
