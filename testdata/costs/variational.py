"""A variational autoencoder whose loop holds the whole step."""
import numpy as np
import tensorflow as tf

EPOCHS = 3
LATENT = 4

rng = np.random.default_rng(7)
rows = rng.uniform(size=(192, 30)).astype(np.float32)
data = tf.data.Dataset.from_tensor_slices(rows).batch(32)


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(24, activation="relu")
        self.mean = tf.keras.layers.Dense(LATENT)
        self.log_variance = tf.keras.layers.Dense(LATENT)

    def call(self, x):
        x = self.hidden(x)
        return self.mean(x), self.log_variance(x)


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(24, activation="relu")
        self.out = tf.keras.layers.Dense(30)

    def call(self, z):
        return self.out(self.hidden(z))


encoder, decoder = Encoder(), Decoder()
optimizer = tf.keras.optimizers.Adam(1e-3)


for epoch in range(EPOCHS):
    for x in data:
        with tf.GradientTape() as tape:
            mean, log_variance = encoder(x)
            z = mean + tf.exp(0.5 * log_variance) * tf.random.normal(tf.shape(mean))
            logits = decoder(z)
            errors = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits)
            error = tf.reduce_mean(tf.reduce_sum(errors, axis=1))
            divergence = 1.0 + log_variance - tf.square(mean) - tf.exp(log_variance)
            loss = error - 0.5 * tf.reduce_mean(tf.reduce_sum(divergence, axis=1))
        weights = encoder.trainable_variables + decoder.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
