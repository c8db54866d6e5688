"""A name that `globals()` may bind is no constant of the step: nothing is decorated unasked."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))
scale = 0.5


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0)) * scale
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for name in ["scale"]:
    globals()[name] = 0.5
for _ in range(9):
    print(float(train_step(tf.ones([3, 4]))))
