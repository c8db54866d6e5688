# The value is a flag, or False: eager execution is chosen each time, not left behind.
import os

import tensorflow as tf

debug = os.environ.get("DEBUG") == "1"

model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", run_eagerly=debug)
if debug:
    model.run_eagerly = True

other = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
other.compile("sgd", "mse", run_eagerly=False)
