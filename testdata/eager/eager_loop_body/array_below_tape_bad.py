"""An array that Python makes below the tape, of nothing that the tape records, is made before."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
inputs = np.sin(np.arange(192, dtype=np.float32)).reshape(64, 3)
np.random.seed(1)

losses = []
for step in range(24):
    with tf.GradientTape() as tape:
        rows = np.random.randint(0, 64, size=8)
        batch = np.array([inputs[row] for row in rows])
        loss = tf.reduce_mean(tf.square(model(batch) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(float(loss))
