"""Regression on noisy sine waves with a Trainer class: logging, decay, early stopping."""

import logging

import numpy as np
import tensorflow as tf
from tensorflow import keras

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("trainer")

EPOCHS = 6
BATCH_SIZE = 25
PATIENCE = 30


class EarlyStopping:
    """Remembers the best weights and says when to give up."""

    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.bad_epochs = 0
        self.weights = None

    def should_stop(self, value, model):
        if value < self.best - 1e-5:
            self.best = value
            self.bad_epochs = 0
            self.weights = model.get_weights()
        else:
            self.bad_epochs += 1
        return self.bad_epochs > self.patience


class Trainer:
    def __init__(self, model, learning_rate=0.01, decay=0.9, patience=PATIENCE):
        self.model = model
        self.learning_rate = learning_rate
        self.decay = decay
        self.optimizer = keras.optimizers.Adam(learning_rate)
        self.loss_fn = keras.losses.MeanSquaredError()
        self.train_loss = keras.metrics.Mean()
        self.val_loss = keras.metrics.Mean()
        self.stopper = EarlyStopping(patience)
        self.history = {"loss": [], "val_loss": []}
        self.global_step = 0

    @tf.function(
        input_signature=[
            tf.TensorSpec([BATCH_SIZE, 3], tf.float32),
            tf.TensorSpec([BATCH_SIZE, 1], tf.float32),
        ]
    )
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            prediction = self.model(x, training=True)
            loss = self.loss_fn(y, prediction)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.train_loss.update_state(loss)
        return loss

    @tf.function(
        input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([None, 1], tf.float32)]
    )
    def val_step(self, x, y):
        prediction = self.model(x, training=False)
        self.val_loss.update_state(self.loss_fn(y, prediction))

    def train_epoch(self, dataset):
        self.train_loss.reset_state()
        for x, y in dataset:
            loss = self.train_step(x, y)
            self.global_step += 1
            if self.global_step % 10 == 0:
                log.info("step %d: loss %.4f", self.global_step, float(loss))

    def validate(self, dataset):
        self.val_loss.reset_state()
        for x, y in dataset:
            self.val_step(x, y)
        return float(self.val_loss.result())

    def fit(self, train_data, val_data, epochs):
        for epoch in range(epochs):
            self.optimizer.learning_rate.assign(self.learning_rate * self.decay**epoch)
            self.train_epoch(train_data)
            val_loss = self.validate(val_data)
            self.history["loss"].append(float(self.train_loss.result()))
            self.history["val_loss"].append(val_loss)
            log.info(
                "epoch %d: loss %.4f, validation %.4f",
                epoch + 1,
                self.history["loss"][-1],
                val_loss,
            )
            if self.stopper.should_stop(val_loss, self.model):
                log.info("stopped early")
                break
        self.model.set_weights(self.stopper.weights)


def make_waves(n, seed):
    rng = np.random.RandomState(seed)
    x = rng.uniform(-1, 1, size=(n, 3))
    y = np.sin(3 * x[:, :1]) + 0.5 * np.cos(5 * x[:, 1:2]) * x[:, 2:]
    y += 0.05 * rng.randn(n, 1)
    return x.astype("float32"), y.astype("float32")


def main():
    train_data = tf.data.Dataset.from_tensor_slices(make_waves(500, 0))
    train_data = train_data.shuffle(500, seed=2).batch(BATCH_SIZE, drop_remainder=True)
    val_data = tf.data.Dataset.from_tensor_slices(make_waves(100, 1)).batch(BATCH_SIZE)

    model = keras.Sequential(
        [
            keras.layers.Input((3,)),
            keras.layers.Dense(32, activation="relu"),
            keras.layers.Dense(32, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    trainer = Trainer(model)
    trainer.fit(train_data, val_data, EPOCHS)
    return trainer


if __name__ == "__main__":
    trainer = main()
    print("best validation loss: %.4f" % trainer.stopper.best)
