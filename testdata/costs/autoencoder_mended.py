"""A dense autoencoder, built with the functional interface of Keras and trained by hand."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

EPOCHS = 4
SIZE = 64

rng = np.random.default_rng(0)
rows = rng.normal(size=(256, SIZE)).astype(np.float32)
batches = tf.data.Dataset.from_tensor_slices(rows).shuffle(256, seed=1).batch(32, drop_remainder=True)

given = keras.Input((SIZE,))
hidden = keras.layers.Dense(32, activation="relu")(given)
code = keras.layers.Dense(8)(hidden)
hidden = keras.layers.Dense(32, activation="relu")(code)
model = keras.Model(given, keras.layers.Dense(SIZE)(hidden))
optimizer = keras.optimizers.Adam(1e-3)
error = keras.losses.MeanSquaredError()


@tf.function
def train(batch):
    with tf.GradientTape() as tape:
        loss = error(batch, model(batch, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(EPOCHS):
    for batch in batches:
        loss = train(batch)
