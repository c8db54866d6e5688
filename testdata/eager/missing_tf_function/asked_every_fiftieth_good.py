# A function with a tape that is called below `if turn % 50 == 0`: four calls in 200 turns.
import tensorflow as tf

kernel = tf.Variable([[0.3], [0.4]])
rows = tf.random.stateless_normal([10, 2], [1, 5])
STEPS = 200
seen = []


def sharpness(rows):
    with tf.GradientTape() as tape:
        error = tf.reduce_sum(tf.square(tf.matmul(rows, kernel) - 2.0))
    slope = tape.gradient(error, kernel)
    seen.append((float(tf.norm(slope)), float(tf.reduce_max(slope))))


@tf.function
def nudge(rows):
    kernel.assign_sub(0.01 * tf.matmul(rows, tf.matmul(rows, kernel) - 2.0, transpose_a=True))


for turn in range(STEPS):
    nudge(rows)
    if not turn % 50:
        sharpness(rows)
