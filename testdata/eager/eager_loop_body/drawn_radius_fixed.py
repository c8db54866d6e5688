# A parameter that is one of Python's drawn numbers in each call passes as a tensor.
import random

import tensorflow as tf

random.seed(4)
inputs = tf.random.stateless_normal([10, 4, 3], seed=[3, 1])
weights = tf.Variable(tf.ones([3, 1]))


@tf.function
def gradient_step(x, radius, moved):
    with tf.GradientTape() as tape:
        tape.watch(moved)
        loss = tf.reduce_mean(tf.square(tf.sin(moved @ weights)))
    moved = moved + radius * tf.sign(tape.gradient(loss, moved))
    return tf.clip_by_value(moved, x - radius, x + radius)


def pushed(x, radius, turns=5):
    moved = x
    for _ in range(turns):
        moved = gradient_step(x, tf.constant(radius, tf.float32), moved)
    return moved


totals = []
for x in inputs:
    totals.append(tf.reduce_sum(pushed(x, random.uniform(0.01, 0.1))))
totals = tf.stack(totals)
