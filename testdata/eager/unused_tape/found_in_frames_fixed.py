# Code that looks at the names of whoever calls it finds a tape that is not named to it: safe is only
# what nothing of the kind can see.
import sys

import tensorflow as tf

w = tf.Variable([[1.0], [2.0]])


def named():
    return "x" in sys._getframe(1).f_locals


def validate(x, y):
    is_named = named()
    loss = tf.reduce_mean(tf.square(x @ w - y))
    return loss, is_named


for _ in range(3):
    result = validate(tf.ones([4, 2]), tf.ones([4, 1]))[0]
