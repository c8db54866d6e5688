# What a method sets is the same while its own loops run, and another on its next run: the traced step belongs to
# one run. A method that only holds a loop may be called with other state: there a part of the step is traced.
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
x = tf.random.normal([64, 3])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(8)


class Trainer:
    def __init__(self, model):
        self.model = model

    def train(self, rate, epochs=4):
        self.optimizer = tf.keras.optimizers.SGD(rate)
        self.rate = rate
        for epoch in range(epochs):
            print(rate, epoch, round(float(self.train_loop()), 3))

    def train_loop(self):
        loss = 0.0
        for features, labels in data:
            loss = self.train_step(features, labels)
        return loss

    @tf.function
    def _train_step(self, features, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(features, training=True) - labels))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        return loss, gradients

    def train_step(self, features, labels):
        loss, gradients = self._train_step(features, labels)
        gradients = [tf.clip_by_value(g, -10 * self.rate, 10 * self.rate) for g in gradients]
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


class Tuner:
    def run(self, width, epochs=4):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(0.02)
        traced_tune = tf.function(self.tune)
        for epoch in range(epochs):
            for features, labels in data:
                loss = traced_tune(features, labels)
            print(width, epoch, round(float(loss), 3))

    def tune(self, features, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(features, training=True) - labels))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


trainer = Trainer(tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)]))
for rate in [0.02, 0.01]:
    trainer.train(rate)
tuner = Tuner()
for width in [2, 4]:
    tuner.run(width)
