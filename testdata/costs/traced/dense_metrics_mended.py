"""A table of numbers: a small step that is a method traced, with what is shown kept eagerly."""
import numpy as np
import tensorflow as tf

EPOCHS = 2


class Regressor:
    def __init__(self, width):
        self.model = tf.keras.Sequential([
            tf.keras.layers.Input((width,)),
            tf.keras.layers.Dense(32, activation="tanh"),
            tf.keras.layers.Dense(1),
        ])
        self.optimizer = tf.keras.optimizers.SGD(0.05)
        self.error = tf.keras.metrics.MeanSquaredError()
        self.mean_loss = tf.keras.metrics.Mean()

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            guess = self.model(x, training=True)
            loss = tf.reduce_mean(tf.square(guess - y))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.mean_loss.update_state(loss)
        self.error.update_state(y, guess)

    def fit(self, batches):
        for epoch in range(EPOCHS):
            for x, y in batches:
                self.train_step(x, y)
            print(epoch, self.mean_loss.result().numpy(), self.error.result().numpy())
            self.mean_loss.reset_state()
            self.error.reset_state()


rows = np.random.default_rng(1).normal(size=(320, 9)).astype(np.float32)
targets = rows.sum(axis=1, keepdims=True)
Regressor(9).fit(tf.data.Dataset.from_tensor_slices((rows, targets)).batch(32))
