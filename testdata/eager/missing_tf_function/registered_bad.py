# A decorator that puts a function into a table and gives it back leaves it as it is.
import numpy as np
import tensorflow as tf

STEPS = {}


def register(name):
    def keep(function):
        STEPS[name] = function
        return function

    return keep


weights = tf.Variable(tf.zeros([3, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


@register("squares")
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


xs = tf.constant(np.random.RandomState(0).rand(16, 3).astype(np.float32))
for step in range(100):
    loss = train_step(xs, xs[:, :1])
print(sorted(STEPS), round(float(loss), 4))
