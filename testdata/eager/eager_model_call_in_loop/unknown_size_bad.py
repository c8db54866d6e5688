# A layer reads the size of what is passed, so that no trace may leave it open; nothing says that it stays the same: no fix.
import io
import pickle

import numpy as np
import tensorflow as tf


class Mean(tf.keras.layers.Layer):
    def call(self, x):
        return tf.reduce_sum(x, axis=0, keepdims=True) / x.shape[0]


tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.layers.Dense(8), Mean(), tf.keras.layers.Dense(1)])
file = io.BytesIO()
for number in range(40):
    pickle.dump(np.full([2 + number % 7, 3], 0.1 * number, np.float32), file)
file.seek(0)

scores = []
for number in range(40):
    rows = pickle.load(file)
    scores.append(float(tf.reduce_sum(model(rows))))
