# Attributes that change between two calls: the trace keeps the numbers it began with.
import tensorflow as tf


class Momentum:
    def __init__(self):
        self.steps = 0
        self.rate = 0.1
        self.weight = tf.Variable(1.0)

    @tf.function
    def apply(self, gradient):
        correction = 1.0 - 0.9 ** float(self.steps + 1)
        self.weight.assign_sub(self.rate * gradient / correction)

    def update(self, gradient):
        self.apply(gradient)
        self.steps += 1


optimizer = Momentum()
for epoch in range(5):
    optimizer.update(tf.constant(1.0))
    optimizer.rate = 0.1 / (epoch + 1)
