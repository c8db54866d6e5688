# The step is a variable, a tensor argument, or a constant that never changes.
import tensorflow as tf

counter = tf.Variable(0, dtype=tf.int64)
START = 10


@tf.function
def train_step(x):
    loss = tf.reduce_mean(tf.square(x))
    tf.summary.write("loss", loss, step=counter)
    tf.summary.write("start", loss, step=START)
    return loss


@tf.function
def evaluate(x, step):
    tf.summary.write("mean", tf.reduce_mean(x), step=step)
    return x


with tf.summary.create_noop_writer().as_default():
    for i in range(3):
        counter.assign(i)
        train_step(tf.ones([4]))
        evaluate(tf.ones([2]), tf.constant(i, tf.int64))
