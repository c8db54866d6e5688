"""Models that a dict holds are called on every turn, as those are that have names."""

import numpy as np
import tensorflow as tf


def load():
    return {
        "encoder": tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(4)]),
        "decoder": tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(8)]),
    }


def reconstruct(frames):
    models = load()
    found = []
    for frame in frames:
        code = models["encoder"](frame[None], training=False)
        found.append(np.squeeze(models["decoder"](code, training=False)))
    return found


reconstruct(np.ones([100, 8], np.float32))
