"""Nothing is traced while functions run eagerly."""

import numpy as np
import tensorflow as tf

tf.config.run_functions_eagerly(True)


@tf.function
def step(x, rate):
    return x * rate


for turn in range(30):
    step(tf.ones([2]), turn)
    step(tf.constant(np.ones(turn)), 2)
