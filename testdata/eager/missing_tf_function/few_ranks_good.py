# A vector and a matrix, each once: nothing to trace for.
import tensorflow as tf


def penalty(weight):
    scaled = tf.tanh(weight) * 2.0 + tf.square(weight)
    scaled = tf.sigmoid(scaled) - tf.exp(-tf.square(scaled)) * 0.5
    return tf.reduce_sum(tf.square(scaled))


total = penalty(tf.ones([4])) + penalty(tf.ones([3, 4]))
