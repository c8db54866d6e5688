"""A list within a tuple changes in place as any other one."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))
settings = ([0.5],)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0)) * settings[0][0]
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for _ in range(9):
    settings[0][0] = 0.5
    print(float(train_step(tf.ones([3, 4]))))
