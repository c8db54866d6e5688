# An option may keep what Python made: who reads it then runs Python once.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
rows = tf.random.normal([64, 3])


def scaled(row):
    return (row / np.abs(row).max()).astype(np.float32)


def prepared(kept):
    data = tf.data.Dataset.from_tensor_slices(rows)
    data = data.map(lambda row: tf.ensure_shape(tf.numpy_function(scaled, [row], tf.float32), [3]))
    if kept:
        data = data.cache()
    return data.map(lambda row: (row, 1.0)).batch(8)


for kept in (True, False):
    model.fit(prepared(kept), epochs=2, verbose=0)
