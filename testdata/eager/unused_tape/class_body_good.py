"""The body of a class has names of its own, which its own statements read."""

import tensorflow as tf


class Constants:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    slope = tape.gradient(y, x)


print(float(Constants.slope))
