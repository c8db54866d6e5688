# What stands below a switch that the module leaves off never runs.
import tensorflow as tf

SHOW_SLOPES = False
kernel = tf.Variable([[0.4], [0.2]])
rows = tf.random.stateless_normal([9, 2], [4, 4])


@tf.function
def improve(rows):
    kernel.assign_sub(0.03 * tf.matmul(rows, tf.matmul(rows, kernel) - 0.1, transpose_a=True))


for _ in range(50):
    improve(rows)
    if SHOW_SLOPES:
        with tf.GradientTape() as tape:
            tape.watch(rows)
            error = tf.reduce_mean(tf.square(tf.matmul(rows, kernel) - 0.1))
        slopes = tape.gradient(error, rows)
        print(float(tf.norm(slopes)), float(tf.reduce_max(slopes)))
value = kernel.numpy()
