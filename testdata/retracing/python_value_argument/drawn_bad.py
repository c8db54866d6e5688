# Drawn numbers are Python's: a trace for each draw, but for those of two values.
import random
import time

import numpy as np
import tensorflow as tf

source = np.random.RandomState(3)
inputs = tf.reshape(tf.range(6.0), [2, 3])


@tf.function
def shaken(x, strength):
    return tf.sin(x) * strength


@tf.function
def counted(x, times):
    return tf.tile(x, [times, 1])


random.seed(2)
for turn in range(10):
    strength = random.uniform(0.1, 0.2)
    shaken(inputs, strength)
    shaken(inputs, 1.0 + source.normal(0.0, 0.1))
    shaken(inputs, 0.0 * time.time())
    # Of two numbers only.
    counted(inputs, random.randint(1, 2))
