"""Draws of which few values are left: a trace for each of them is all."""

import random

import tensorflow as tf

x = tf.constant([1.0, 2.0])


@tf.function
def step(x, rate):
    return x * rate


for turn in range(30):
    step(x, random.choice([0.1, 0.2]))
    step(x, int(random.random() * 2))
    step(x, round(random.random()))
    step(x, min(random.random(), 0.0))
    step(x, float(turn % 2))
