# `get_step` gives the number back to Python, which a variable would change: no fix.
import tensorflow as tf


@tf.function
def train_step(x):
    loss = tf.reduce_mean(tf.square(x))
    tf.summary.write("loss", loss)
    return loss


with tf.summary.create_noop_writer().as_default():
    for i in range(3):
        tf.summary.experimental.set_step(i)
        train_step(tf.ones([4]))
        print(f"step {tf.summary.experimental.get_step()}")
