# The suppression silences a finding, so that it is used.
import tensorflow as tf

w = tf.Variable(tf.ones((3, 1)))

for _ in range(30):  # noqa: TXL102
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w))
    w.assign_sub(0.1 * tape.gradient(loss, w))
