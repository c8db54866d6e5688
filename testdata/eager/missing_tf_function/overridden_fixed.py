# Overrides decide: one that counts in Python keeps the method that calls it eager.
import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
        self.traced_model = tf.function(self.model, reduce_retracing=True)
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def loss(self, x, y):
        """Say how far off the model is."""
        raise NotImplementedError

    def weigh(self, loss):
        return loss * 0.5

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(x, y)
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def weighed_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.weigh(tf.reduce_mean(tf.square(self.traced_model(x) - y)))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def fit(self, batches):
        for x, y in batches:
            first = self.train_step(x, y)
            second = self.weighed_step(x, y)
        print(type(self).__name__, round(float(first), 4), round(float(second), 4))


class Squares(Trainer):
    def loss(self, x, y):
        return tf.reduce_mean(tf.square(self.model(x) - y))


class Distances(Trainer):
    count = 0

    def loss(self, x, y):
        return tf.reduce_mean(tf.abs(self.model(x) - y))

    def weigh(self, loss):
        self.count += 1
        return loss / self.count


tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)
x = rng.rand(40, 3).astype(np.float32)
batches = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(8)
for kind in (Squares, Distances):
    kind().fit(batches)
