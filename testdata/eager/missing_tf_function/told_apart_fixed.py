"""A step gives back the tensor that it was passed, and its caller asks which tensor that is: a trace
gives back another one."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return x, loss


seen = []
for _ in range(9):
    rows, loss = train_step(tf.ones([3, 4]))
    seen.append(rows.ref() in [other.ref() for other in [w]])
print(seen)
