# tf-version: 2.2
"""A target that has the old names only."""

import tensorflow as tf

tf.config.experimental_run_functions_eagerly(False)


@tf.function(experimental_relax_shapes=True, experimental_compile=False)
def total(x):
    return tf.reduce_sum(x)


print(float(total(tf.ones([3]))))
