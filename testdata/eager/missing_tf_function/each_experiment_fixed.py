"""Every experiment holds its own network and optimizer, and is run once."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)


def update(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


class Experiment:
    def __init__(self, width):
        self.network = tf.keras.Sequential([tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    def run(self, steps):
        traced_update = tf.function(update)
        for step in range(steps):
            x = tf.random.stateless_normal((5, 3), (step, 1))
            loss = traced_update(
                self.network, self.optimizer, x, tf.reduce_sum(x, 1, keepdims=True)
            )
        return float(loss)


for width in [2, 4, 6, 8]:
    print(width, round(Experiment(width).run(16), 4))
