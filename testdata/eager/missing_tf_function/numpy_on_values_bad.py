"""The norm is computed by NumPy of the tensor itself, not of its shape: a trace has no value for it, so
that the step stays as it is and the report names the call."""

import numpy as np
import tensorflow as tf

weight = tf.Variable(tf.ones([3, 3]))


def norm(x):
    return np.sqrt(np.sum(x))


def step(x):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, weight)))) + norm(tf.abs(x))
    weight.assign_sub(0.1 * tape.gradient(error, weight))
    return error


for _ in range(60):
    error = step(tf.ones([2, 3]))
result = weight.numpy()
