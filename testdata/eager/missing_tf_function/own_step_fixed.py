"""A method that two calls run, on objects that hold models, is traced for each of them."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
x = tf.random.stateless_normal((16, 3), (4, 1))


class Critic:
    def __init__(self, units):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    @tf.function
    def step(self, inputs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(inputs) - 1.0))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


small, large = Critic(2), Critic(8)
for _ in range(8):
    losses = [small.step(x), large.step(x)]
print([round(float(loss), 4) for loss in losses])
