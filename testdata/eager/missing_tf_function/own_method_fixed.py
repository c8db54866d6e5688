"""Each trainer has traces of its own, so that its method can be decorated."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Trainer:
    def __init__(self, rate):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam(rate)

    @tf.function
    def step(self, model, optimizer, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - 1.0))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    def fit(self, steps):
        for step in range(steps):
            x = tf.random.stateless_normal((8, 3), (step, 1))
            loss = self.step(self.model, self.optimizer, x)
        return float(loss)


for rate in (0.1, 0.01):
    print(rate, round(Trainer(rate).fit(8), 4))
