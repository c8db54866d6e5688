# A placeholder raises without a graph, under any name; the graph of a session takes it.
# intent: correcting
import tensorflow as tf


@tf.function
def double(x):
    return 2.0 * x


def old_input():
    return tf.placeholder(tf.float32, [None, 3])


def feed(value):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.placeholder(tf.float32)
        return session.run(double(x), feed_dict={x: value})


fed = feed(3.0)
