"""A density that is asked for with arrays when acting, and with tensors when training."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
rng = np.random.default_rng(5)


class Actor:
    def __init__(self):
        inputs = tf.keras.Input((3,))
        mean = tf.keras.layers.Dense(1, activation="tanh")(inputs)
        spread = tf.keras.layers.Dense(1, activation="softplus")(inputs)
        self.model = tf.keras.Model(inputs, [mean, spread])
        self.optimizer = tf.keras.optimizers.SGD(0.01)

    def log_density(self, mean, spread, action):
        spread = tf.clip_by_value(spread, 0.01, 1.0)
        return -0.5 * ((action - mean) / spread) ** 2 - tf.math.log(spread)

    def act(self, state):
        mean, spread = self.model(state)
        mean, spread = mean.numpy(), spread.numpy()
        action = rng.normal(mean, spread)
        return action, np.mean(self.log_density(mean, spread, action.astype(np.float32)))

    def loss(self, density, actions, gains):
        return -tf.reduce_mean(density * gains)

    @tf.function(reduce_retracing=True)
    def train(self, states, actions, gains):
        with tf.GradientTape() as tape:
            mean, spread = self.model(states, training=True)
            density = self.log_density(mean, spread, actions)
            loss = self.loss(density, actions, gains)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


actor = Actor()
losses = []
for episode in range(5):
    states = rng.normal(size=(8, 3)).astype(np.float32)
    actions, density = actor.act(states)
    for epoch in range(3):
        loss = actor.train(
            states, tf.constant(actions, tf.float32), np.ones((8, 1), np.float32)
        )
    losses.append(float(loss))
