# A nested step serves a function that runs once: total and list stay where they are in Python.
"""A training function that is called once, with a running total and a list of losses."""

import numpy as np
import tensorflow as tf


def make_data():
    rng = np.random.RandomState(1)
    x = rng.randn(48, 4).astype(np.float32)
    y = (x.sum(axis=1) > 0).astype(np.int32)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(16)


def train(model, data, epochs):
    optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    losses = []

    @tf.function
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            logits = model(images)
            loss = loss_object(labels, logits)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(epochs):
        total = 0.0
        count = 0
        for images, labels in data:
            loss = train_step(images, labels)
            losses.append(loss.numpy())
            total += float(loss)
            count += 1
        print("epoch", epoch, "mean loss", round(total / count, 3))
    return losses


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(3)
    net = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
    result = train(net, make_data(), epochs=4)
