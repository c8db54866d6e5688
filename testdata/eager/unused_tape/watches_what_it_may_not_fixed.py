"""A tape refuses to watch what is no tensor: without it, what is not known to be one would pass."""

import tensorflow as tf


def area(sides):
    product = tf.reduce_prod(sides)
    return product


def read(text):
    return eval(text, {"tf": tf})


print(float(area(read("tf.constant([2.0, 3.0])"))))
