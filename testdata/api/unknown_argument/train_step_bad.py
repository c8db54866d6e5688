# Methods inherited from Keras, and an annotated optimizer, take these arguments nowhere.
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True), reduction="sum")
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables), asynchronous=True)
        return {"loss": loss}


def update(optimizer: tf.keras.optimizers.Optimizer, variable, gradient):
    optimizer.apply_gradients([(gradient, variable)], synchronous=False)
