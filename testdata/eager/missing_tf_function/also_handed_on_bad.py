"""A loop runs the objective eagerly; who else is handed it changes nothing about that."""

import importlib

import tensorflow as tf

weights = tf.Variable([[1.5], [-0.5], [2.0]])
points = tf.constant([[0.1, 0.2, 0.3], [0.5, -0.4, 0.1], [0.9, 0.3, -0.2], [0.2, 0.8, 0.4]])
truth = tf.constant([[1.0], [0.0], [1.0], [0.5]])


def objective(rate):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(tf.nn.sigmoid(points @ weights) - truth))
    slope = tape.gradient(error, weights)
    weights.assign_sub(rate * slope)
    return error


def descend(function, rate, search=None):
    for _ in range(80):
        if search is not None:
            found = importlib.import_module(search).search(function, rate)
        else:
            found = function(rate)
    return found


print(f"{float(descend(objective, tf.constant(0.5))):.4f}")
