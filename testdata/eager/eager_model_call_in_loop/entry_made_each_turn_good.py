"""Each turn puts a model of its own into the dict: there is none that could be wrapped once."""

import numpy as np
import tensorflow as tf


def search(widths, batch):
    models = {}
    losses = []
    for width in widths:
        layers = [tf.keras.layers.Dense(width, activation="relu"), tf.keras.layers.Dense(1)]
        models["candidate"] = tf.keras.Sequential([tf.keras.Input([8]), *layers])
        losses.append(np.mean(models["candidate"](batch, training=False)))
    return losses


search(range(4, 64), np.ones([16, 8], np.float32))
