# A benchmark runs the step eagerly and traced, to show the difference: both runs are wanted.
import time

import tensorflow as tf

weights = tf.Variable(tf.ones([3, 1]))
x = tf.reshape(tf.linspace(-1.0, 1.0, 48), [16, 3])


def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - 1.0))
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss


def seconds(function, turns=20):
    function()
    started = time.perf_counter()
    for _ in range(turns):
        function()
    return (time.perf_counter() - started) / turns


eager, traced = seconds(step), seconds(tf.function(step))
print("traced is faster" if traced < eager else "eager is faster")
del eager, traced
