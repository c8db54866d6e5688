"""Each run makes its generator with one seed, so that each draws the same, traced or not."""

import numpy as np
import tensorflow as tf


@tf.function
def project(x):
    rng = np.random.RandomState(0)
    other = np.random.default_rng(seed=3)
    return x @ rng.normal(size=(4, 2)).astype("float32") + other.normal()


for _ in range(10):
    project(tf.ones([3, 4]))
