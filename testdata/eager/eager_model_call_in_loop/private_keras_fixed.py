# Keras taken from where TensorFlow keeps it to itself is Keras all the same; its old names are right.
import numpy as np
import tensorflow as tf
from tensorflow.python.keras import Sequential, layers, metrics

model = Sequential([layers.Dense(2, kernel_initializer="ones", input_shape=(4,))])
mean = metrics.Mean()
state = np.ones(4, dtype=np.float32)

traced_model = tf.function(model, reduce_retracing=True)
for step in range(50):
    values = traced_model(state[None])
    state = np.roll(state, 1) * np.float32(0.5) + values.numpy().max() * np.float32(0.1)
mean.update_state(tf.constant(1.0))
mean.reset_states()
