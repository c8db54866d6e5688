"""Two inputs through one encoder: how far apart are they?"""
import numpy as np
import tensorflow as tf

BATCHES = 12
rng = np.random.default_rng(4)


def make_encoder():
    given = tf.keras.Input((12,))
    x = tf.keras.layers.Dense(24, activation="relu")(given)
    x = tf.keras.layers.Dense(24, activation="relu")(x)
    return tf.keras.Model(given, tf.keras.layers.Dense(6)(x))


encoder = make_encoder()
optimizer = tf.keras.optimizers.RMSprop(1e-3)


def distance(left, right):
    return tf.norm(encoder(left, training=True) - encoder(right, training=True), axis=1)


@tf.function
def fit_pair(left, right, same):
    with tf.GradientTape() as tape:
        apart = distance(left, right)
        near = same * tf.square(apart)
        far = (1.0 - same) * tf.square(tf.maximum(1.0 - apart, 0.0))
        loss = tf.reduce_mean(near + far)
    grads = tape.gradient(loss, encoder.trainable_weights)
    optimizer.apply_gradients(zip(grads, encoder.trainable_weights))
    return loss


for number in range(BATCHES):
    left = rng.normal(size=(16, 12)).astype("float32")
    same = rng.integers(2, size=16).astype("float32")
    loss = fit_pair(tf.constant(left), tf.constant(left[::-1].copy()), tf.constant(same))
    if number % 4 == 0:
        print(number, loss.numpy())
