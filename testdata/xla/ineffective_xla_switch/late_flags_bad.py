# Flags are read at the first operation or compilation: they are set in front of it.
import os

import tensorflow as tf

STEPS = tf.constant(3)
os.environ["TF_XLA_FLAGS"] = "--tf_xla_auto_jit=2 --tf_xla_cpu_global_jit"


@tf.function(jit_compile=True)
def scaled(x):
    return x * 2.0 + 1.0


first = scaled(tf.constant(1.0))
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=true"  # the default
second = scaled(tf.constant([1.0, 2.0]))
