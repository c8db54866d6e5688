# A drawn number that scales a gradient is arithmetic with tensors, so it may be one.
import random

import tensorflow as tf

random.seed(1)


def settled(x, size, turns=3):
    for _ in range(turns):
        with tf.GradientTape() as tape:
            tape.watch(x)
            energy = tf.reduce_sum(tf.square(tf.sin(x)))
        x = x - size * tape.gradient(energy, x)
    return x


point = tf.ones([4, 3])
for turn in range(15):
    size = random.uniform(0.05, 0.1)
    point = settled(point, size)
total = tf.reduce_sum(point)
