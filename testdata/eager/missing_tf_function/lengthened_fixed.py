# The argument grows by a row on each call: the decorator relaxes its shape.
import tensorflow as tf

scale = tf.constant([0.5, 0.25])


@tf.function(reduce_retracing=True)
def lengthened(path):
    last = tf.reduce_mean(path, axis=0, keepdims=True)
    step = tf.tanh(last * scale) + tf.sin(scale)
    return tf.concat([path, last + step * tf.sigmoid(step)], axis=0)


path = tf.ones([1, 2])
for turn in range(12):
    path = lengthened(path)
