# `predict` on all at once, and on a few parts that a split makes: whole batches.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(1)])

signal = np.sin(np.linspace(0, 6, 20)).astype("float32")
windows = np.stack([signal[i : i + 5] for i in range(15)])
scores = model.predict(windows, verbose=0)
chunks = []
for part in np.split(windows, 5):
    chunks.append(model.predict(part, verbose=0))
