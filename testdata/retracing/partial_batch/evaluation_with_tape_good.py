# An evaluation may take gradients, too: what sets no variable needs every example.
import tensorflow as tf

rows = tf.reshape(tf.cos(tf.range(60.0)), (20, 3))
w = tf.Variable(tf.ones([3, 1]))


@tf.function
def sensitivity(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        score = tf.reduce_sum(tf.square(x @ w))
    return tf.reduce_mean(tf.abs(tape.gradient(score, x)))


found = [sensitivity(x) for x in tf.data.Dataset.from_tensor_slices(rows).batch(8)]
for x in tf.data.Dataset.from_tensor_slices(rows).batch(8):
    found.append(sensitivity(x))
