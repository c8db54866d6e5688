# `with tf.name_scope(...) as scope` gives a string, which every operation takes for its name.
import tensorflow as tf


@tf.function
def bounded(x, name=None):
    with tf.name_scope(name or "bounded") as scope:
        return tf.minimum(x, 1.0, name=scope)


result = bounded(tf.constant([0.5, 1.5]))
