# An option chooses between the traced step and the eager one: nobody can tell which of the two a program runs.
import sys

import tensorflow as tf

w = tf.Variable(tf.zeros([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)
xs = tf.random.stateless_normal([16, 4], seed=[1, 2])
in_graph = "--eager" not in sys.argv


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


traced = tf.function(step)
for _ in range(100):
    if in_graph:
        loss = traced(xs)
    else:
        loss = step(xs)
