"""The variable has the dtype of data that is not seen: here float64."""

import io

import numpy as np
import tensorflow as tf

points = np.loadtxt(io.StringIO("1 2\n3 4"))
weights = tf.Variable(points)

for step in range(200):
    beta = step / 1000
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(weights)) * beta
    gradient = tape.gradient(loss, weights)
    weights.assign_sub(0.1 * gradient)
    print(step, float(loss))
