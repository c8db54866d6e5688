# All GPUs are hidden, and auto-clustering leaves the CPU alone: reported only.
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow as tf  # noqa: E402

tf.config.optimizer.set_jit("autoclustering")


@tf.function
def energy(x):
    return tf.reduce_sum(tf.square(tf.sin(x)))


value = energy(tf.constant([0.5, 1.0]))
