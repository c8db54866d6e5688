"""Slices of arrays by a counter of Python's are evaluated where the step is called."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
numbers = np.arange(192, dtype=np.float32)
inputs = np.sin(numbers).reshape(64, 3)
targets = inputs.sum(axis=1, keepdims=True)
size = 20

losses = []
for epoch in range(3):
    for j in range(4):
        with tf.GradientTape() as tape:
            prediction = model(inputs[j * size : (j + 1) * size])
            error = prediction - targets[j * size : (j + 1) * size]
            loss = tf.reduce_mean(tf.square(error))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(float(loss))
