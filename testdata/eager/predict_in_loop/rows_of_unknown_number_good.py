# What a slice takes, or a shape leaves open, may be many rows.
import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


def predicted(data, size):
    found = []
    for start in range(0, len(data), size):
        found.append(model.predict(data[start : start + size], verbose=0))
        found.append(model.predict(data[start:].reshape(-1, 4), verbose=0))
    return found


found = predicted(np.asarray(json.loads("[[1, 2, 3, 4], [5, 6, 7, 8], [9, 0, 1, 2]]")), 2)
