# Guards by `hasattr`, import or version choose the name that is there.
import tensorflow as tf

if hasattr(tf, "to_float"):
    to_float = tf.to_float
else:
    to_float = lambda x: tf.cast(x, tf.float32)  # noqa: E731

try:
    from tensorflow.contrib.framework import nest
except ImportError:
    from tensorflow import nest


def seed(value):
    if tf.__version__.startswith("1."):
        tf.set_random_seed(value)
    else:
        tf.random.set_seed(value)


seed(3)
flat = nest.flatten([1, [2, 3]])
x = to_float(3)
