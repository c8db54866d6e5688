# The tape is asked for gradients in another method, and both are in one trace.
import tensorflow as tf


class Trainer:
    """Fits a line."""

    def __init__(self):
        self.weights = tf.Variable(tf.zeros([2, 1]))
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    @tf.function
    def step(self, inputs, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(inputs @ self.weights - targets))
        self.learn(tape, loss)
        return loss

    def learn(self, tape, loss):
        gradients = tape.gradient(loss, [self.weights])
        self.optimizer.apply_gradients(zip(gradients, [self.weights]))


trainer = Trainer()
for turn in range(100):
    trainer.step(tf.ones([4, 2]), tf.ones([4, 1]))
