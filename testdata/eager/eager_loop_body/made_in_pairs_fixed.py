"""A function that makes its model and optimizer in one assignment, and runs twice."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = tf.random.normal([64, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)


def build():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])


def make(rate):
    return build(), tf.keras.optimizers.Adam(rate)


def train(power):
    model, optimizer = build(), tf.keras.optimizers.Adam(0.1)

    @tf.function
    def train_step(features, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(features, training=True) - labels) ** power)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for features, labels in data:
        loss = train_step(features, labels)
    return float(loss)


class Trainer:
    def fit(self, rate):
        model, optimizer = make(rate)

        @tf.function
        def train_step(features, labels):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        for features, labels in data:
            loss = train_step(features, labels)
        return float(loss)


trainer = Trainer()
losses = [train(2), train(2), trainer.fit(0.1), trainer.fit(0.2)]
