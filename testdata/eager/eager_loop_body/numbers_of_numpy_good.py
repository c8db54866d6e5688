# The loop computes with NumPy arrays: nothing of it runs on TensorFlow.
import numpy as np
import tensorflow as tf

x = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
y = np.array([0.9, 1.6, 2.1, 2.4, 3.1])
slope, offset = 0.0, 0.0

for turn in range(200):
    error = slope * x + offset - y
    slope_change = 2.0 * np.mean(error * x)
    offset_change = 2.0 * np.mean(error)
    slope, offset = slope - 0.1 * slope_change, offset - 0.1 * offset_change

layer = tf.keras.layers.Dense(1)
layer.build((None, 1))
layer.kernel.assign([[slope]])
layer.bias.assign([offset])
fitted = layer(tf.constant(x[:, None], tf.float32)).numpy()
print(f"{slope:.3f} {offset:.3f}")
