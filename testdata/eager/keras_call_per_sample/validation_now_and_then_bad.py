"""Every fifth epoch goes through all batches of the validation data: many turns, though not on each epoch."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", metrics=["mae"])
x, y = np.ones([40, 8], "float32"), np.ones([40, 1], "float32")
training = tf.data.Dataset.from_tensor_slices((x, y)).batch(10)
validation = tf.data.Dataset.from_tensor_slices((x, y)).batch(1)
for epoch in range(10):
    for inputs, targets in training:
        model.train_on_batch(inputs, targets)
    if (epoch + 1) % 5 == 0:
        errors = []
        for inputs, targets in validation:
            _, error = model.evaluate(inputs, targets, verbose=0)
            errors.append(error)
        print(epoch, np.mean(errors))
