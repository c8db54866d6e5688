"""What is learnt comes from a graph; the optimizer takes it in eager code, clipped and counted."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

EPOCHS = 2

words = tf.keras.Input((14,), dtype="int32")
hidden = layers.Embedding(60, 16)(words)
hidden = layers.Conv1D(24, 3, activation="relu")(hidden)
hidden = layers.GlobalMaxPooling1D()(hidden)
hidden = layers.Dense(24, activation="relu")(hidden)
model = tf.keras.Model(words, layers.Dense(1)(hidden))
loss_of = tf.keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def gradients_of(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(data):
    for epoch in range(EPOCHS):
        losses = []
        for x, y in data:
            loss = gradients_of(x, y)
            losses.append(float(loss))
        print(epoch, np.mean(losses))


draw = np.random.default_rng(7)
texts, liked = draw.integers(0, 60, (192, 14)), draw.integers(0, 2, (192, 1))
train(tf.data.Dataset.from_tensor_slices((texts, liked)).batch(24))
