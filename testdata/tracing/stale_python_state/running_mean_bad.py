# A running mean that begins as a whole number and becomes NumPy's: the trace keeps the first one.
import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable(1.0)
        self.mean = 0

    @tf.function
    def step(self, x):
        loss = tf.square(self.w * x - self.mean)
        self.w.assign_sub(0.01 * loss)
        return loss

    def train(self, x):
        loss = self.step(x)
        self.mean = 0.9 * self.mean + 0.1 * np.mean(loss)


trainer = Trainer()
for number in range(30):
    trainer.train(tf.constant(2.0))
