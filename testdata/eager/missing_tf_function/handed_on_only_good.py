"""The loop hands the objective to code that is not seen, which may well trace it."""

import functools

import tensorflow as tf

weights = tf.Variable([[1.5], [-0.5], [2.0]])
points = tf.constant([[0.1, 0.2, 0.3], [0.5, -0.4, 0.1], [0.9, 0.3, -0.2], [0.2, 0.8, 0.4]])
truth = tf.constant([[1.0], [0.0], [1.0], [0.5]])
runners = {"traced": tf.function, "plain": functools.partial}


def objective(rate):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.nn.sigmoid(points @ weights) - truth))
    slope = tape.gradient(error, weights)
    weights.assign_sub(rate * slope)
    return error


def descend(rate, how):
    run = runners[how](objective)
    for _ in range(80):
        found = run(rate)
    return found


print(f"{float(objective(tf.constant(0.1))):.4f}")
print(f"{float(descend(tf.constant(0.5), 'traced')):.4f}")
