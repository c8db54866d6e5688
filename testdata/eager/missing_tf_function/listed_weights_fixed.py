"""The closure reads a list that the function around it fills before the first call: no call can find
another one, so that the step can be traced."""

import tensorflow as tf


def fit_line(points, targets):
    weights = []
    weights.append(tf.Variable(tf.ones([2, 1])))
    weights.append(tf.Variable(tf.zeros([1])))
    optimizer = tf.keras.optimizers.SGD(0.05)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            guess = tf.matmul(x, weights[0]) + weights[1]
            error = tf.reduce_mean(tf.square(guess - y))
        gradients = tape.gradient(error, weights)
        optimizer.apply_gradients(zip(gradients, weights))
        return error

    for _ in range(80):
        error = step(points, targets)
    return error, weights


data = tf.random.Generator.from_seed(1).normal([20, 2])
error, fitted = fit_line(data, tf.reduce_sum(data, axis=1, keepdims=True))
result = [weight.numpy() for weight in fitted]
last = float(error)
