# Guards by import, `hasattr` or version say that the name may be missing.
# tf-version: 2.12
import tensorflow as tf

try:
    from tensorflow.keras import ops
except ImportError:
    ops = tf.math

if hasattr(tf.keras, "random"):
    seed = tf.keras.random.SeedGenerator(3)


def total(x):
    if tf.__version__ >= "2.16":
        return tf.keras.ops.sum(x)
    return tf.reduce_sum(x)


t = total(tf.ones([2]))
