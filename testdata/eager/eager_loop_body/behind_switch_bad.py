"""A line of the program says whether it fits: the loop is code like any other, for who turns the switch."""

import tensorflow as tf

fits = False
slope = tf.Variable([[0.0], [0.0], [0.0]])
rows = tf.random.normal([64, 3])

if fits:
    for row in tf.data.Dataset.from_tensor_slices(rows).batch(4):
        with tf.GradientTape() as tape:
            error = tf.reduce_sum(tf.abs(row @ slope - 1.0))
        slope.assign_sub(0.01 * tape.gradient(error, slope))
print(slope.numpy().ravel())
