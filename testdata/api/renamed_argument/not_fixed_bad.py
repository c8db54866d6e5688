# An import bound to its name, `**options` and both names at once: renaming isn't safe.
# intent: correcting
import tensorflow as tf
from tensorflow.config import experimental_run_functions_eagerly

options = {"autograph": True}


def double(x):
    return 2.0 * x


experimental_run_functions_eagerly(False)
opaque = tf.function(double, experimental_relax_shapes=True, **options)
both = tf.function(double, experimental_compile=True, jit_compile=True)
