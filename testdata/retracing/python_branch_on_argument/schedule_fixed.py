"""A warm-up and a decay that Python decides, for one value of the step at a time."""

import tensorflow as tf

w = tf.Variable(tf.fill([3], 1.0), dtype=tf.float32)


@tf.function
def rate_at(step):
    rate = tf.constant(0.1, tf.float32)
    if step < 5:
        rate = rate * 0.2
    else:
        rate = rate * 0.5
    return rate


@tf.function
def sign_of(step):
    if step % 2 == 0:
        return tf.ones([], tf.float32)
    return tf.zeros([], tf.float32) - 1.0


for step in range(12):
    w.assign_sub(rate_at(tf.constant(step)) * w)
    w.assign_add(0.01 * sign_of(step=tf.constant(step)) * w)
print(w.numpy())
