# Flags are read at the first operation or compilation: they are set in front of it.
import os

import tensorflow as tf

os.environ["TF_XLA_FLAGS"] = "--tf_xla_auto_jit=2 --tf_xla_cpu_global_jit"
STEPS = tf.constant(3)


@tf.function(jit_compile=True)
def scaled(x):
    return x * 2.0 + 1.0


os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=true"  # the default
first = scaled(tf.constant(1.0))
second = scaled(tf.constant([1.0, 2.0]))
