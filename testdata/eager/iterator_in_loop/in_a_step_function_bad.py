# The loop is in the caller and the data is shuffled: each call draws anew, so no fix.
import tensorflow as tf

x = tf.ones([8, 3])
data = tf.data.Dataset.from_tensor_slices(x).shuffle(8).batch(4)
w = tf.Variable(tf.ones([3, 1]))


def train_step():
    batch = next(iter(data))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(batch @ w)
    w.assign_sub(0.001 * tape.gradient(loss, w))


for step in range(20):
    train_step()
