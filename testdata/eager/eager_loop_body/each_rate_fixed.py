"""Every learning rate brings an optimizer of its own, two calls further up."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
inputs = tf.random.stateless_normal((16, 3), (4, 1))
targets = tf.reduce_sum(inputs, axis=1, keepdims=True)


def descend(model, optimizer, steps):
    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(inputs) - targets))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for _ in range(steps):
        loss = train_step()
    return float(loss)


def attempt(rate):
    model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(1)])
    return descend(model, tf.keras.optimizers.Adam(rate), 8)


print({rate: round(attempt(rate), 4) for rate in (0.1, 0.01, 0.001)})
