# The model is run op by op for a look at it, and set back before it trains.
import numpy as np
import tensorflow as tf

x, y = np.ones((8, 2), "float32"), np.ones((8, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", run_eagerly=True)
model.fit(x[:2], y[:2], verbose=0)
model.compile("sgd", "mse", run_eagerly=False)
model.fit(x, y, verbose=0)

other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
other.compile("sgd", "mse")
other.run_eagerly = True
other.fit(x[:2], y[:2], verbose=0)
other.run_eagerly = False
other.fit(x, y, verbose=0)
