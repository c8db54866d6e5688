"""The step gives gradients of rows that Python makes; what applies them is eager, whoever loops."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Rows:
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, place):
        if place >= self.count:
            raise IndexError(place)
        values = np.sin(np.arange(12.0) + place).reshape(4, 3)
        return values.astype("float32"), values[:, :1].astype("float32")


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    @tf.function
    def update_step(self, gradients):
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))

    def train(self, rows, epochs, seen):
        @tf.function
        def gradients_of(model, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
            return loss, tape.gradient(loss, model.trainable_variables)

        for epoch in range(epochs):
            mean = tf.keras.metrics.Mean()
            for number, (x, y) in enumerate(rows):
                seen.on_batch_begin(number)
                loss, gradients = gradients_of(self.model, x, y)
                seen.on_gradients(gradients)
                self.update_step(gradients)
                mean.update_state(loss)
                seen.on_batch_end(number)
        return float(mean.result())


class Seen:
    def __init__(self):
        self.begun, self.ended, self.given = 0, 0, 0

    def on_batch_begin(self, number):
        self.begun += 1

    def on_gradients(self, gradients):
        self.given += len(gradients)

    def on_batch_end(self, number):
        self.ended += 1


seen = Seen()
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
loss = Trainer(model).train(Rows(20), 2, seen)
counts = seen.begun, seen.ended, seen.given
