# A number drawn in another function is Python's all the same, and passes as a tensor.
import random

import tensorflow as tf

random.seed(4)
weights = tf.Variable(tf.ones([3, 1]))
inputs = tf.random.stateless_normal([10, 4, 3], seed=[3, 1])


def drawn_rate():
    return 0.01 + 0.1 * random.random()


def moved(x, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.sin(x @ weights)))
    weights.assign_sub(rate * tf.tanh(tape.gradient(loss, weights)))
    return loss


def turned(x, angle):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.cos(x @ weights)))
    weights.assign_add(angle * tf.tanh(tape.gradient(loss, weights)))
    return loss


def turned_somewhat(x):
    angle = random.uniform(0.01, 0.1)
    return turned(x, angle)


for x in inputs:
    moved(x, drawn_rate())
    turned_somewhat(x)
final = weights.numpy()
