"""An object that is given another class runs other methods from then on; a trace would not."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable(tf.ones([4, 1]))

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - 1.0))
        self.w.assign_sub(0.01 * tape.gradient(loss, self.w))
        return loss


class Told(Trainer):
    def told(self):
        return "told"


trainer = Trainer()
for _ in range(9):
    print(float(trainer.step(tf.ones([3, 4]))))
trainer.__class__ = Told
print(trainer.told())
