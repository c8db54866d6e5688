# Drawn floats pass as tensors; a drawn size decides a shape in Python and keeps the step eager.
import time

import numpy as np
import tensorflow as tf

source = np.random.RandomState(2)
inputs = tf.random.stateless_normal([8, 3], seed=[7, 7])
weights = tf.Variable(tf.ones([3]))


@tf.function
def update_weights(strength):
    with tf.GradientTape() as tape:
        loss = strength * tf.reduce_mean(tf.square(tf.linalg.matvec(inputs, weights) - 1.0))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))


for turn in range(20):
    strength = source.normal(1.0, 0.1)
    update_weights(tf.constant(strength, tf.float32))

started = time.perf_counter()
slopes = tf.Variable(tf.ones([3]))


@tf.function
def update_slopes(left):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.linalg.matvec(inputs, slopes) - left))
    slopes.assign_sub(0.1 * tape.gradient(loss, slopes))


for turn in range(20):
    # Nothing of the time is left, so that the outcome is the same each time.
    left = 0.0 * (time.perf_counter() - started)
    update_slopes(tf.constant(left, tf.float32))

for turn in range(20):
    count = source.randint(2, 8)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.linalg.matvec(inputs, weights))[:count])
    weights.assign_sub(0.1 * tape.gradient(loss, weights))

final = weights.numpy()
del started
