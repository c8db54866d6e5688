# Whoever traces this leaves it at once, by a test that stands above the call and not around it.
import tensorflow as tf


def described(x):
    if not tf.executing_eagerly():
        return "a tensor of the trace"
    return f"mean {float(tf.reduce_mean(x).numpy()):.2f}"


def checked(x):
    if not tf.executing_eagerly():
        raise RuntimeError("only eagerly")
    return x.numpy().sum()


seen = []


@tf.function
def double(x):
    seen.append(described(x))
    return 2.0 * x


for _ in range(3):
    total = checked(double(tf.ones([3])))
seen.append(described(tf.ones([3])))
