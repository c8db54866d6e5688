"""An object whose `__init__` is called once more has other attributes then than a trace has seen."""

import tensorflow as tf


class Trainer:
    def __init__(self, rate):
        self.rate = rate
        self.w = tf.Variable(tf.ones([4, 1]))

    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - 1.0))
        self.w.assign_sub(self.rate * tape.gradient(loss, self.w))
        return loss


trainer = Trainer(0.1)
trainer.__init__(0.01)
for _ in range(9):
    print(float(trainer.step(tf.ones([3, 4]))))
