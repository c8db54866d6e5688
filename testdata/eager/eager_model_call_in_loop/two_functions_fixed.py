# Two functions call one model: both calls get the one wrapper that stands beside the model.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(2, kernel_initializer="ones")])
traced_model = tf.function(model, reduce_retracing=True)


def forwards(turns):
    state = np.ones((1, 2), "float32")
    found = []
    for _ in range(turns):
        found.append(int(tf.argmax(traced_model(state)[0])))
        state = state * 0.9
    return found


def backwards(turns):
    state = np.ones((1, 2), "float32")
    found = []
    for _ in range(turns):
        state = state / 0.9
        found.append(float(tf.reduce_sum(traced_model(state))))
    return found


results = [*forwards(12), *backwards(12)]
