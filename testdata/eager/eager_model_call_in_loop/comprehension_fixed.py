# A comprehension over data, or over a range of unknown length, is a loop like any other.
import os

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
inputs = [tf.keras.Input([4]), tf.keras.layers.Dense(2)]
model = tf.keras.Sequential(inputs)
traced_model = tf.function(model)
rows = np.linspace(0.0, 1.0, 240, dtype=np.float32).reshape(60, 4)
data = tf.data.Dataset.from_tensor_slices((rows, rows[:, :2])).batch(2)


def sampled(count):
    return tf.stack([traced_model(rows, training=False) for _ in range(count)])


def error(pairs):
    return np.mean(
        [tf.reduce_mean(tf.square(traced_model(x) - y)).numpy() for x, y in pairs]
    )


samples = sampled(int(os.environ.get("SAMPLES", "40")))
mean = error(data)
