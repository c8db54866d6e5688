# What stands below `if turn % 50 == 0` runs on four of 200 turns; the step itself is traced.
import tensorflow as tf

kernel = tf.Variable([[1.0], [-0.5], [0.25]])
rows = tf.random.stateless_normal([12, 3], [7, 7])


@tf.function
def update(rows):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.matmul(rows, kernel) + 1.0))
    kernel.assign_sub(0.05 * tape.gradient(error, kernel))


influence = []
for turn in range(200):
    update(rows)
    if turn % 50 == 0:
        with tf.GradientTape() as watching:
            watching.watch(rows)
            error = tf.reduce_mean(tf.square(tf.matmul(rows, kernel) + 1.0))
        slopes = tf.norm(watching.gradient(error, rows), axis=0)
        influence.append((float(tf.reduce_max(slopes)), float(tf.reduce_min(slopes))))
