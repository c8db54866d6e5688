# Without XLA a gradient goes through any loop.
import tensorflow as tf


@tf.function
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        while y < 100.0:
            y = y * y
    return tape.gradient(y, x)


gradient = slope(tf.constant(1.5))
