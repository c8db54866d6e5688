"""A method that sets an object up, and is called by others too, may change what a trace has read."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable(tf.ones([4, 1]))
        self.setup()

    def setup(self):
        self.rate = 0.01

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - 1.0))
        self.w.assign_sub(self.rate * tape.gradient(loss, self.w))
        return loss


trainer = Trainer()
for _ in range(9):
    print(float(trainer.step(tf.ones([3, 4]))))
    trainer.setup()
