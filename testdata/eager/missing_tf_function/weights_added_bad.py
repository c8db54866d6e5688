"""A weight is added to the list on every tenth turn: a trace would keep the shorter list, so that no
fix is written, and the report names the list."""

import tensorflow as tf

weights = [tf.Variable(1.0)]
x = tf.linspace(-1.0, 1.0, 32)


def step(x, y):
    with tf.GradientTape() as tape:
        guess = tf.add_n([weight * x**power for power, weight in enumerate(weights)])
        error = tf.reduce_mean(tf.square(tf.sin(guess) - y))
    for weight, gradient in zip(weights, tape.gradient(error, weights)):
        weight.assign_sub(0.1 * gradient)
    return error


for turn in range(50):
    error = step(x, tf.cos(x))
    if turn % 10 == 9:
        weights.append(tf.Variable(0.0))

result = [weight.numpy() for weight in weights]
