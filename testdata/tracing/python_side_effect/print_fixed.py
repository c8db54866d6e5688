# `print` of a tensor shows its name once: `tf.print` shows its value on each turn.
# intent: correcting
import tensorflow as tf


@tf.function
def newton(x):
    for step in tf.range(3):
        error = x * x - 2.0
        tf.print("step", step, "error", error, sep=" | ")
        x = x - error / (2.0 * x)
    return x


print("start")
root = newton(tf.constant(1.0))
again = newton(tf.constant(2.0))
