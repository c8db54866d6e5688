"""Objects that are equal share what is traced for one of them, so that no method is traced unasked."""

import tensorflow as tf


class Trainer:
    def __init__(self, rate):
        self.rate = rate
        self.w = tf.Variable(tf.ones([4, 1]))

    def __eq__(self, other):
        return isinstance(other, Trainer)

    def __hash__(self):
        return 1

    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - 1.0))
        self.w.assign_sub(self.rate * tape.gradient(loss, self.w))
        return loss


trainer = Trainer(0.01)
for _ in range(9):
    print(float(trainer.step(tf.ones([3, 4]))))
