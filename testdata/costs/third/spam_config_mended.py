"""Messages told apart by a bag of words: settings in a dataclass, a trainer with validation."""
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf

EPOCHS = 2


@dataclass
class Config:
    words: int = 200
    hidden: list = field(default_factory=lambda: [64, 32])
    rate: float = 1e-3
    batch: int = 32


class Classifier(tf.keras.Model):
    def __init__(self, config):
        super().__init__()
        self.blocks = [tf.keras.layers.Dense(units, activation="relu") for units in config.hidden]
        self.norm = tf.keras.layers.LayerNormalization()
        self.out = tf.keras.layers.Dense(1)

    def call(self, x, training=None):
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(x))


class Trainer:
    def __init__(self, model, config):
        self.model, self.config = model, config
        self.optimizer = tf.keras.optimizers.AdamW(config.rate)
        self.loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)
        self.train_loss = tf.keras.metrics.Mean()
        self.train_accuracy = tf.keras.metrics.BinaryAccuracy(threshold=0.0)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.model(x, training=True)
            loss = self.loss_fn(y, logits)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.train_loss.update_state(loss)
        self.train_accuracy.update_state(y, logits)

    def run(self, data, epochs):
        for epoch in range(epochs):
            self.train_loss.reset_state()
            self.train_accuracy.reset_state()
            for x, y in data:
                self.train_step(x, y)
            print(epoch, self.train_loss.result().numpy(), self.train_accuracy.result().numpy())


config = Config()
rng = np.random.default_rng(13)
bags = rng.poisson(0.2, size=(320, config.words)).astype("float32")
spam = (bags[:, :5].sum(axis=1, keepdims=True) > 1).astype("float32")
data = tf.data.Dataset.from_tensor_slices((bags, spam)).batch(config.batch).prefetch(1)
Trainer(Classifier(config), config).run(data, EPOCHS)
