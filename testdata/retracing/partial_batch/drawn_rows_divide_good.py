# The rows that a stateless draw makes are written out, and the batch size divides their number.
import tensorflow as tf

kernel = tf.Variable([[0.1], [0.2], [0.3]])
rows = tf.random.stateless_uniform([60, 3], [1, 2])


@tf.function
def improve(batch):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.matmul(batch, kernel) - 1.0))
    kernel.assign_sub(0.1 * tape.gradient(error, kernel))
    return error


errors = [improve(batch) for batch in tf.data.Dataset.from_tensor_slices(rows).batch(12)]
for batch in tf.data.Dataset.from_tensor_slices(rows).batch(12):
    errors.append(improve(batch))
