# One prediction for each of three models, all rows at once: a loop over models, not over rows.
import numpy as np
import tensorflow as tf


def network(units):
    layer = tf.keras.layers.Dense(units, "tanh", kernel_initializer="ones")
    return tf.keras.Sequential([tf.keras.Input([4]), layer, tf.keras.layers.Dense(1, kernel_initializer="ones")])


ensemble = [network(units) for units in (2, 4, 8)]
x = np.linspace(-1.0, 1.0, 80).reshape(20, 4).astype("float32")
mean = np.mean([model.predict(x, verbose=0) for model in ensemble], axis=0)
