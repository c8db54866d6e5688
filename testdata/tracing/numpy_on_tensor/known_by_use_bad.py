# What is known of a value by its use alone is no error, but a warning.
# intent: correcting
import functools

import numpy as np
import tensorflow as tf


@tf.function
def grow(amount):
    weight.assign_add(amount)
    return np.sum(weight)


weight = functools.reduce(lambda _, one: one(), [lambda: tf.Variable([1.0, 2.0])], None)
for _ in range(3):
    print(float(grow(tf.ones([2]))))
