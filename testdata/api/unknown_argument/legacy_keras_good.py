# The environment asks for Keras 2, which takes `lr`.
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"

import tensorflow as tf  # noqa: E402


def optimizer(rate):
    return tf.keras.optimizers.Adam(lr=rate)
