"""Attributes that a step reads and `setattr` sets."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = tf.random.normal([64, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
traced_model = tf.function(model, reduce_retracing=True)
optimizer = tf.keras.optimizers.SGD(0.05)


class Options:
    def __init__(self, **given):
        self.__dict__.update(given)

    def set(self, **given):
        for name, value in given.items():
            setattr(self, name, value)


class Trainer:
    def __init__(self):
        self.weight = 1.0

    @tf.function
    def train_step(self, features, labels, weight):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(
                weight * (model(features, training=True) - labels) ** 2
            )
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    def fit(self):
        for epoch in range(3):
            for features, labels in data:
                loss = self.train_step(
                    features, labels, tf.constant(self.weight, tf.float32)
                )
            setattr(self, "weight", self.weight / 2)
            losses.append(float(loss))


def train(options):
    for epoch in range(3):
        for features, labels in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(
                    options.scale * (
                        traced_model(features, training=True) - labels
                    ) ** 2
                )
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        options.set(scale=options.scale / 2)
        losses.append(float(loss))


losses = []
Trainer().fit()
train(Options(scale=1.0))
