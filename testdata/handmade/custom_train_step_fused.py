"""Variational autoencoder with its own train_step, trained with fit()."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LATENT_DIM = 2
EPOCHS = 4
BATCH_SIZE = 32

keras.utils.set_random_seed(7)


class Sampling(layers.Layer):
    """Uses (z_mean, z_log_var) to sample z."""

    def call(self, inputs):
        z_mean, z_log_var = inputs
        epsilon = tf.random.normal(shape=tf.shape(z_mean))
        return z_mean + tf.exp(0.5 * z_log_var) * epsilon


class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.decoder = decoder
        self.total_loss_tracker = keras.metrics.Mean(name="total_loss")
        self.kl_loss_tracker = keras.metrics.Mean(name="kl_loss")

    @property
    def metrics(self):
        return [self.total_loss_tracker, self.kl_loss_tracker]

    def call(self, inputs):
        return self.decoder(self.encoder(inputs)[2])

    def train_step(self, data):
        with tf.GradientTape() as tape:
            z_mean, z_log_var, z = self.encoder(data, training=True)
            reconstruction = self.decoder(z, training=True)
            reconstruction_loss = tf.reduce_mean(
                tf.reduce_sum(tf.square(data - reconstruction), axis=-1)
            )
            kl = -0.5 * (1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var))
            kl_loss = tf.reduce_mean(tf.reduce_sum(kl, axis=1))
            total_loss = reconstruction_loss + 0.1 * kl_loss
        grads = tape.gradient(total_loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total_loss_tracker.update_state(total_loss)
        self.kl_loss_tracker.update_state(kl_loss)
        return {m.name: m.result() for m in self.metrics}


def make_data(n=300, dim=10):
    rng = np.random.RandomState(99)
    hidden = rng.randn(n, LATENT_DIM)
    mixing = rng.randn(LATENT_DIM, dim)
    return (np.tanh(hidden @ mixing) + 0.05 * rng.randn(n, dim)).astype("float32")


x_train = make_data()

encoder_inputs = keras.Input(shape=(x_train.shape[1],))
x = layers.Dense(32, activation="relu")(encoder_inputs)
z_mean = layers.Dense(LATENT_DIM, name="z_mean")(x)
z_log_var = layers.Dense(LATENT_DIM, name="z_log_var")(x)
z = Sampling()([z_mean, z_log_var])
encoder = keras.Model(encoder_inputs, [z_mean, z_log_var, z], name="encoder")

decoder = keras.Sequential(
    [
        keras.Input(shape=(LATENT_DIM,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(x_train.shape[1], activation="tanh"),
    ],
    name="decoder",
)

vae = VAE(encoder, decoder)
vae.compile(optimizer=keras.optimizers.Adam(learning_rate=0.005), jit_compile=False, steps_per_execution=10)
history = vae.fit(x_train, epochs=EPOCHS, batch_size=BATCH_SIZE, verbose=0)

for epoch, value in enumerate(history.history["total_loss"]):
    print("epoch %d: total loss %.4f" % (epoch + 1, value))

# decode a line through the latent space
line = np.linspace(-2, 2, 5).astype("float32")
decoded = vae.decoder(np.stack([line, np.zeros_like(line)], axis=1)).numpy()
print("decoded:", np.round(decoded[:, 0], 3))
