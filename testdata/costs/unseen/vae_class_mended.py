"""A variational autoencoder with its training in a class of its own."""
import tensorflow as tf
from tensorflow import keras

EPOCHS = 2


class Trainer:
    def __init__(self, latent=4):
        self.latent = latent
        self.encoder = keras.Sequential([
            keras.Input((36,)),
            keras.layers.Dense(48, activation="relu"),
            keras.layers.Dense(2 * latent),
        ])
        self.decoder = keras.Sequential([
            keras.Input((latent,)),
            keras.layers.Dense(48, activation="relu"),
            keras.layers.Dense(36),
        ])
        self.optimizer = keras.optimizers.Adam(1e-3)
        self.seen = keras.metrics.Mean()

    @property
    def weights(self):
        return self.encoder.trainable_variables + self.decoder.trainable_variables

    def elbo(self, x):
        mean, logvar = tf.split(self.encoder(x), 2, axis=1)
        z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
        logits = self.decoder(z)
        cross = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits)
        divergence = -0.5 * tf.reduce_sum(1 + logvar - mean ** 2 - tf.exp(logvar), axis=1)
        return tf.reduce_mean(tf.reduce_sum(cross, axis=1) + divergence)

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = self.elbo(x)
        gradients = tape.gradient(loss, self.weights)
        self.optimizer.apply_gradients(zip(gradients, self.weights))
        self.seen.update_state(loss)

    def train(self, batches):
        for epoch in range(EPOCHS):
            for x in batches:
                self.step(x)
            print(epoch, float(self.seen.result()))
            self.seen.reset_state()


images = tf.cast(tf.random.uniform([160, 36]) > 0.5, tf.float32)
Trainer().train(tf.data.Dataset.from_tensor_slices(images).batch(16))
