# What a tape is told to watch goes with it; a block on the line of its `with` is left as it is.
import tensorflow as tf


def curve(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x**3
    return y


def on_one_line(x):
    with tf.GradientTape() as tape: y = tf.square(x)  # fmt: skip
    return y


points = curve(tf.constant([1.0, 2.0]))
squares = on_one_line(points)
