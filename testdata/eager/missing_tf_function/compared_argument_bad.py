"""No trace is found by an argument without a hash; a dict is taken apart."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
x = tf.random.stateless_normal((16, 3), (4, 1))


class Line:
    def __init__(self):
        self.w = tf.Variable(tf.zeros((3, 1)))

    def __eq__(self, other):
        return isinstance(other, Line)


def step(line, inputs):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(inputs @ line.w - 1.0))
    line.w.assign_sub(0.1 * tape.gradient(loss, line.w))
    return loss


line = Line()
for _ in range(30):
    loss = step(line, x)
print(round(float(loss), 4))
