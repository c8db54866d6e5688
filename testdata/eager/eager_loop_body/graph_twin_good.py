# An option chooses between a loop that steps eagerly, to look at each step, and a fast way to train.
import os

import numpy as np
import tensorflow as tf

mode = os.environ.get("MODE", "fit")
inputs = np.random.default_rng(0).normal(size=[64, 4]).astype("float32")
data = tf.data.Dataset.from_tensor_slices((inputs, inputs.sum(1, keepdims=True))).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)
loss_of = tf.keras.losses.MeanSquaredError()


def look():
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        found = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(found, model.trainable_variables))
        print("eager", loss.numpy())
    for x, y in data:
        print(loss_of(y, model(x)).numpy())


if mode == "eager":
    look()
else:
    model.compile(optimizer, loss_of, jit_compile=False)
    model.fit(data, verbose=0, shuffle=False)
weights = model.get_weights()
