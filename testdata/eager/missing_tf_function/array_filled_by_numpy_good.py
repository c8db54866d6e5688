# NumPy fills the table before the first step, which is traced: the trace may keep what it finds.
import numpy as np
import tensorflow as tf

policy = tf.Variable(tf.zeros([6]))
values = np.zeros(6, dtype=np.float32)
np.add.at(values, np.array([1, 3, 3]), 0.5)


@tf.function
def improve(places):
    with tf.GradientTape() as tape:
        gains = tf.gather(values, places)
        loss = -tf.reduce_mean(gains * tf.gather(tf.nn.log_softmax(policy), places))
    policy.assign_sub(0.1 * tape.gradient(loss, policy))
    return loss


for turn in range(30):
    loss = improve(tf.constant([turn % 6, (turn + 1) % 6]))
