# The file sets the names itself, or has a class with them.
import tensorflow as tf

tf.log = tf.math.log
tf.Session = tf.compat.v1.Session


class Graph:
    placeholder = 3


def difference(a, b):
    return tf.log(a) - tf.log(b)


d = difference(tf.constant(2.0), tf.constant(1.0))
n = Graph().placeholder
