"""An index that the step itself computes: what is sliced by it can't be passed to it."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.SGD(0.1)
inputs = np.sin(np.arange(192, dtype=np.float32)).reshape(64, 3)
wanted = np.eye(3, dtype=np.float32)

losses = []
for j in range(32):
    with tf.GradientTape() as tape:
        scores = model(inputs[j : j + 1])
        chosen = int(np.argmax(scores))
        loss = tf.reduce_mean(tf.square(scores - wanted[chosen]))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(float(loss))
