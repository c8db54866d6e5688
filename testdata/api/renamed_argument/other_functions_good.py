# Functions of one's own may have arguments of the same names.
import functools

import tensorflow as tf


def function(body, experimental_compile=False, experimental_relax_shapes=False, dtype=None):
    return tf.function(body, jit_compile=experimental_compile)


made = functools.partial(function, experimental_compile=False)
step = function(tf.square, experimental_relax_shapes=True)
cast = tf.cast([1, 2], dtype=tf.float32)
squared = step(cast)
