# `set_step` is given a variable, which a trace reads on each call.
import tensorflow as tf

counter = tf.Variable(0, dtype=tf.int64)


@tf.function
def train_step(x):
    loss = tf.reduce_mean(tf.square(x))
    tf.summary.write("loss", loss)
    return loss


def train(steps):
    tf.summary.experimental.set_step(counter)
    for i in range(steps):
        counter.assign(i)
        loss = train_step(tf.ones([4]))
        tf.summary.write("eager", loss, step=i)


with tf.summary.create_noop_writer().as_default():
    train(3)
