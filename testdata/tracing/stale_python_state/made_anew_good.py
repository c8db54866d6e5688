# A function made for each value, or traced after the change, reads the value it should.
import tensorflow as tf


def trained(rate):
    weight = tf.Variable(1.0)

    @tf.function
    def step():
        weight.assign_sub(rate * weight)

    for _ in range(3):
        step()
    return weight


class Model:
    def __init__(self, size):
        self.size = size

    @tf.function
    def call(self, x):
        return x * float(self.size)

    def resize(self, size):
        self.size = size


rate = 0.1
for _ in range(3):
    trained(rate)
    rate *= 0.5

level = 1.0


@tf.function
def late(x):
    return x * level


level = 2.0
late(tf.constant(1.0))
late(tf.constant(1.0))

for size in range(1, 3):
    model = Model(size)
    model.resize(size + 1)
    model.call(tf.constant(1.0))
