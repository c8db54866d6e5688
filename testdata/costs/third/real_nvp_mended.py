"""A normalizing flow of coupling layers, trained by the likelihood of points in the plane."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

EPOCHS = 2


class Coupling(layers.Layer):
    def __init__(self, flipped):
        super().__init__()
        self.flipped = flipped
        self.scale = tf.keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(1, activation="tanh")])
        self.shift = tf.keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(1)])

    def call(self, x):
        kept, changed = tf.split(x, 2, axis=1)
        if self.flipped:
            kept, changed = changed, kept
        scale = self.scale(kept)
        changed = changed * tf.exp(scale) + self.shift(kept)
        parts = [changed, kept] if self.flipped else [kept, changed]
        return tf.concat(parts, axis=1), tf.reduce_sum(scale, axis=1)


class Flow(tf.keras.Model):
    def __init__(self, depth=4):
        super().__init__()
        self.couplings = [Coupling(bool(i % 2)) for i in range(depth)]

    def call(self, x):
        total = 0.0
        for coupling in self.couplings:
            x, logdet = coupling(x)
            total += logdet
        return x, total


def nll(flow, x):
    z, logdet = flow(x)
    base = -0.5 * tf.reduce_sum(z ** 2, axis=1) - np.log(2 * np.pi)
    return -tf.reduce_mean(base + logdet)


flow = Flow()
optimizer = tf.keras.optimizers.Adam(learning_rate=1e-3)
angles = np.random.default_rng(7).uniform(0, np.pi, size=640)
moons = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
dataset = tf.data.Dataset.from_tensor_slices(moons).batch(64)


@tf.function
def update(x):
    with tf.GradientTape() as tape:
        loss = nll(flow, x)
    grads = tape.gradient(loss, flow.trainable_variables)
    grads, _ = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, flow.trainable_variables))
    return loss


for epoch in range(EPOCHS):
    mean = tf.keras.metrics.Mean()
    for x in dataset:
        mean(update(x))
    print(epoch, float(mean.result()))
