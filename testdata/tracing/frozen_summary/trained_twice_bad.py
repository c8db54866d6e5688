# The function that sets the step runs twice, and would make a variable each time: no fix.
import tensorflow as tf


@tf.function
def train_step(x):
    loss = tf.reduce_mean(tf.square(x))
    tf.summary.write("loss", loss)
    return loss


def train(steps):
    for i in range(steps):
        tf.summary.experimental.set_step(i)
        train_step(tf.ones([4]))


with tf.summary.create_noop_writer().as_default():
    train(3)
    train(3)
